import { parseUuid } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { ContentsDeleted, ContentsStep, ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentId, DocumentName, RunName } from '../model.ts'
import { addToCounters, deleteCounters } from '../store/counters.ts'
import { deleteDocumentRows, hasDocuments, listForDeletion, lockDocument } from '../store/documents.ts'
import { lockRunCopies } from '../store/run-copies.ts'
import { counterChanges, recordChanges } from './record-change.ts'
import { discardFiles } from './upload-file.ts'

/**
 * One step of the deletion of a service, whose connections have ended. Evidence is what was signed or accepted, and every
 * document of a run.
 */
export async function deleteDocumentsOfService(
  context: ServiceSideContext,
  tx: Tx,
  { serviceId }: ServiceName,
  { after, keepsEvidence }: ContentsStep,
  limit: number,
): Promise<ContentsDeleted> {
  const from = after === null ? null : parseUuid<DocumentId>(after)
  const page = await listForDeletion(tx, serviceId, from, limit)
  const ids = page.flatMap(({ id, isEvidence }) => (keepsEvidence && isEvidence ? [] : [id]))
  const deleted = await deleteDocumentRows(tx, serviceId, ids)
  for (const document of deleted) await discardFiles(context, tx, document)
  await addToCounters(tx, serviceId, counterChanges(deleted.map((before) => ({ before, after: null }))))
  const isDone = page.length < limit
  if (isDone && !(await hasDocuments(tx, serviceId))) await deleteCounters(tx, serviceId)
  return { after: page.at(-1)?.id ?? after, isDone }
}

/** Of a deleted service. The documents of a run go with it. */
export async function deleteKeptDocument(context: ServiceSideContext, tx: Tx, name: DocumentName): Promise<void> {
  const before = await lockDocument(tx, name)
  if (before === null) throw refuse('documents.not_found')
  if (before.runId !== null) throw refuse('documents.run_managed')
  await discardFiles(context, tx, before)
  await recordChanges(context, tx, [{ before, after: null, connection: null, signatures: [], event: null }])
}

/** All copies of a run of a deleted service. Requires the lock of the run. */
export async function deleteRunCopies(context: ServiceSideContext, tx: Tx, name: RunName): Promise<void> {
  const copies = await lockRunCopies(tx, name)
  for (const copy of copies) await discardFiles(context, tx, copy)
  const changes = copies.map((before) => ({ before, after: null, connection: null, signatures: [], event: null }))
  await recordChanges(context, tx, changes)
}
