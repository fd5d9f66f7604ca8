export {
  forgetCustomer,
  listFollowing,
  prepareClearFiles,
  shareAttestation,
  shareValue,
  tellRenamed,
  withdrawValue,
} from './customer-side/index.ts'
export { type ConnectionsContext, connectionsMigrations, openConnections } from './module.ts'
export {
  changeOpenContracts,
  changeSlots,
  countConnections,
  countValues,
  type CustomerType,
  deleteSlotsOfRows,
  endConnections,
  endRequests,
  findConnection,
  hasOpenContracts,
  resolveSlots,
  type StoredConnection,
  type SlotChanges,
  tellFactsChanged,
  tellServiceDeleted,
} from './service-side/index.ts'
