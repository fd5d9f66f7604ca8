export type { CustomerType, HeldConnection } from './connection.ts'
export { serviceSideMigrations } from './migrations.ts'
export type { ServiceSideNeeds } from './needs.ts'
export { changeSlots, type SlotChanges } from './operations/change-slots.ts'
export { endRequests } from './operations/connect-requests.ts'
export { changeOpenContracts } from './operations/contracts.ts'
export {
  countConnections,
  dropRows,
  endConnections,
  hasOpenContracts,
  tellFactsChanged,
  tellServiceDeleted,
} from './operations/service.ts'
export { tidyServiceSide } from './operations/upkeep.ts'
export { slotResolver } from './resolver.ts'
export { bindServiceSideRoutes } from './routes/index.ts'
export { findConnection } from './store/connections.ts'
export { findRecordRows } from './store/records.ts'
