export type { AccountState, ClientState, DelegateState } from './client-state.ts'
export { type Guard, type GuardNeeds, openGuard } from './guard.ts'
export {
  applyAccount,
  applyEpoch,
  awaitGuards,
  recordAccountChange,
  recordRevokedSessions,
  type RevocationNeeds,
  revokeSession,
  revokeSessions,
  turnSwitches,
} from './revocation.ts'
export {
  CHANGE_CHANNEL,
  deleteClientState,
  findClientState,
  isSessionRevoked,
  putClientState,
  readSwitches,
  recordChange,
} from './store.ts'
