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
  type StoredConnection,
  type SlotChanges,
  slotResolver,
  tellFactsChanged,
  tellServiceDeleted,
} from './service-side/index.ts'
