export {
  forgetBroadcasts,
  forgetCopies,
  forgetUnsigned,
  listCopyObjects,
  listSummaries,
} from './customer-side/index.ts'
export { type DocumentsContext, type DocumentsHooks, documentsMigrations, openDocuments } from './module.ts'
export {
  deleteDocumentsOfService,
  endOffers,
  introduceBroadcasts,
  listDocumentObjects,
  type Sealer,
} from './service-side/index.ts'
