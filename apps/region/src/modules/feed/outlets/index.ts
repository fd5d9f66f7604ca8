export {
  changeOutlet,
  dropOutlet,
  openOutlet,
  type OutletNeeds,
  resumeOutletsOf,
  suspendOutletsOf,
  type SwitchedOutlet,
} from './changes.ts'
export { claimOutlets, type ClaimWish, hasDueOutlets, type Round } from './claim.ts'
export {
  type ClaimedOutlet,
  type NewOutlet,
  type OutletBatch,
  type OutletChange,
  type OutletChanged,
  type OutletEvent,
  type OutletExplained,
  type OutletFlow,
  type OutletHealth,
  type OutletName,
  type OutletReport,
  type OutletState,
  type OutletTransition,
  type SendKind,
  sendKind,
  type SettledOutlet,
  type StaleOutlet,
  type ToldEvents,
} from './contract.ts'
export { explainOutlet, findOutletName, measureOutlets, readOutletHealth, readOutlets } from './health.ts'
export { isFair, mayTake, type Shares } from './shares.ts'
export { takeStaleOutlets } from './stale.ts'
export { readOutletEvents, settleOutlets, tellOutletEvents } from './work.ts'
