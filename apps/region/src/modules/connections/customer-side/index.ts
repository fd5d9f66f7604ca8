export type { CustomerContext, CustomerHooks, EndedOwnConnection, SecondFactorCheck } from './context.ts'
export { customerMigrations } from './migrations.ts'
export { announce, handleAnnouncements } from './operations/announcements.ts'
export { handleFanOuts } from './operations/fan-outs.ts'
export type {
  CardedConnection,
  Connection as LockedConnection,
  FlowLink,
  KnownConnection,
  OpenConnection,
} from './model.ts'
export {
  announceFlowLinks,
  confirmFlowLinks,
  type GivenLink,
  type LinkedField,
  putFlowLink,
  removeFlowLink,
  withdrawAnnounced,
} from './operations/flow-links.ts'
export { forgetCustomer } from './operations/end-connection.ts'
export { findKnown, lockKnown, lockTold } from './operations/read-connections.ts'
export { tellRenamed } from './operations/tell-renamed.ts'
export { tidyCustomerSide } from './operations/tidy.ts'
export {
  listLiveSlots,
  prepareClearFiles,
  shareAttestation,
  shareValue,
  withdrawValue,
} from './operations/vault-hooks.ts'
export { bindCustomerRoutes } from './routes/index.ts'
export { isOfSender } from './rules/sender.ts'
export { findCard as findServiceCard } from './store/cards.ts'
export {
  findOpenConnection as findOwnConnection,
  findUsable as findUsableConnection,
  lockConnection as lockOwnConnection,
} from './store/connections.ts'
export { listCompanyKeys } from './store/customers.ts'
export { findFlowLink } from './store/flow-links.ts'
