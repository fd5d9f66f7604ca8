export type { AccessContext } from './context.ts'
export { createGates } from './gates/gates.ts'
export { createMissCounter } from './gates/misses.ts'
export { createHomeFinder } from './gates/home.ts'
export { quotasOf } from './gates/limits.ts'
export {
  applyAccount,
  applyEpoch,
  awaitGuards,
  type ClientState,
  deleteClientState,
  findClientState,
  type Guard,
  isSessionRevoked,
  openGuard,
  putClientState,
  readSwitches,
  recordAccountChange,
  recordChange,
  recordRevokedSessions,
  revokeSession,
  revokeSessions,
  turnSwitches,
} from './guard/index.ts'
export { accessMigrations } from './migrations.ts'
export type { ClientDirectory, HomeQuestion, TokenRequest } from './model.ts'
export { openAccess } from './module.ts'
export { loadSigningKeys, revokeClientTokens } from './operations/tokens.ts'
export { tokenRoute } from './routes.ts'
export { patternsFor, readCapabilities } from './rules/capabilities.ts'
