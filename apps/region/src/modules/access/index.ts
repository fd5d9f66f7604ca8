export { clientDirectory } from './bus.ts'
export { patternsFor, readCapabilities } from './capabilities.ts'
export type { ClientDirectory, HomeQuestion } from './directory.ts'
export { createGates } from './gates.ts'
export {
  applyAccount,
  applyEpoch,
  awaitGuards,
  CHANGE_CHANNEL,
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
export { createHomeFinder } from './home.ts'
export { quotasOf } from './limits.ts'
export { accessMigrations } from './migrations.ts'
export { type AccessNeeds, revokeClientTokens } from './operations.ts'
export { loadSigningKeys } from './signing-keys.ts'
export { tokenRoute } from './token-route.ts'
