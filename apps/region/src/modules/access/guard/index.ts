export type { ClientState } from './client-state.ts'
export { type Guard, type GuardNeeds, openGuard } from './guard.ts'
export { applyEpoch, revokeSession, turnSwitches } from './revocation.ts'
export { CHANGE_CHANNEL, findClientOfService, insertClientState } from './store.ts'
