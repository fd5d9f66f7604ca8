export {
  bindConnectionRoutes,
  connectionHooks,
  connectionResolvers,
  type Connections,
  type ConnectionsNeeds,
  openConnections,
} from './module.ts'
export {
  type CustomerJobs,
  customerMigrations,
  forgetCustomer,
  type SharingHooks,
  startCustomerJobs,
  tellRenamed,
  tidyCustomerSide,
  vaultHooks,
} from './customer-side/index.ts'
export {
  changeOpenContracts,
  changeSlots,
  type CustomerType,
  findConnection,
  type HeldConnection,
  serviceSideMigrations,
  type SlotChanges,
  tidyServiceSide,
} from './service-side/index.ts'
