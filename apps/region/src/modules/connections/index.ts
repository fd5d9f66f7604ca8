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
  type CustomerType,
  findConnection,
  type HeldConnection,
  serviceSideMigrations,
  tidyServiceSide,
} from './service-side/index.ts'
