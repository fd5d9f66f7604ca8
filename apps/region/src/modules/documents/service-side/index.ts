export type { LockedRun, RunHooks, Sealer, ServiceSideContext } from './context.ts'
export { serviceSideMigrations } from './migrations.ts'
export type { Recipient, RunCopy } from './model.ts'
export { actInRun } from './operations/act-in-run.ts'
export { endOffers, introduceBroadcasts } from './operations/connection-hooks.ts'
export { deleteDocumentsOfService, deleteRunCopies } from './operations/delete-kept.ts'
export { type GivenPdf, prepareOwnerSeal } from './operations/prepare-seal.ts'
export { documentAnswer } from './operations/read-documents.ts'
export {
  createRunCopies,
  endRunCopies,
  listOwnerCopies,
  listRunDocuments,
  type NewRunCopy,
} from './operations/run-copies.ts'
export { pdfEnvelope, sealToReader } from './operations/seal-to-reader.ts'
export { storeAnswer } from './operations/store-answer.ts'
export { endDueDocuments, tidyDocuments } from './operations/tidy.ts'
export { bindServiceSideRoutes } from './routes/index.ts'
export { hasDocuments } from './store/documents.ts'
export { listDocumentObjects } from './store/objects.ts'
export { listOwnSignatures } from './store/run-copies.ts'
