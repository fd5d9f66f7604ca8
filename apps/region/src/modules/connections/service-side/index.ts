export type { ServiceSideContext, ServiceSideHooks } from './context.ts'
export { serviceSideMigrations } from './migrations.ts'
export type { ConnectionSelector, CustomerType, EndedConnection, FlowValue, StoredConnection } from './model.ts'
export { changeSlots, type SlotChanges } from './operations/change-slots.ts'
export { endRequests } from './operations/connect-requests.ts'
export { findLinkedFile, linkAnswer, type LinkedAnswer, valueOfAnswer } from './operations/flow-links.ts'
export { hasAnswered, putFlowValues } from './operations/flow-values.ts'
export { changeOpenContracts } from './operations/end-connection.ts'
export { createCodeCache } from './operations/keys.ts'
export { createRowCache } from './operations/request-rows.ts'
export { resolveSlots } from './operations/resolve-slots.ts'
export {
  countConnections,
  countValues,
  deleteSlotsOfRows,
  endConnections,
  hasOpenContracts,
  tellFactsChanged,
  tellServiceDeleted,
} from './operations/service-hooks.ts'
export { tidyServiceSide } from './operations/tidy.ts'
export { bindServiceSideRoutes } from './routes/index.ts'
export {
  findConnection,
  findConnectionOf,
  lockConnection,
  lockConnections,
  lockRecipient,
} from './store/connections.ts'
export { deleteErased, hasErased } from './store/erased.ts'
export { forgetRunCopies, listLinkObjects } from './store/flow-links.ts'
export { deleteFlowFilesOf } from './store/flow-values.ts'
export { findRecordRows } from './store/records.ts'
export { listCustomerRegions } from './store/regions.ts'
export { listSlotObjects } from './store/slots.ts'
