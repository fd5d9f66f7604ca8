export type { AccountState, ClientState, DelegateState } from './model.ts'
export { type Guard, type GuardOptions, openGuard } from './operations/guard.ts'
export {
  applyAccount,
  applyEpoch,
  awaitGuards,
  recordAccountChange,
  recordRevokedSessions,
  revokeSession,
  revokeSessions,
  turnSwitches,
} from './operations/revocation.ts'
export {
  deleteClientState,
  findClientState,
  isSessionRevoked,
  putClientState,
  readSwitches,
  recordChange,
} from './store/guard.ts'
