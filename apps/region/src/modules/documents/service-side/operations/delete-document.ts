import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentName, StoredDocument } from '../model.ts'
import { documentEvent } from '../rules/events.ts'
import { lockForChange } from './lock-document.ts'
import { recordChange } from './record-change.ts'
import { discardFiles } from './upload-file.ts'

/** The customer keeps the copy of a contract that has a signature or acceptance. */
export function deleteDocument(context: ServiceSideContext, name: DocumentName): Promise<void> {
  return context.database.transaction((tx) => deleteDocumentIn(context, tx, name))
}

export async function deleteDocumentIn(context: ServiceSideContext, tx: Tx, name: DocumentName): Promise<void> {
  const locked = await lockForChange(context, tx, name)
  if (locked === null) throw refuse('documents.not_found')
  const { document: before, connection, signatures } = locked
  if (before.runId !== null) throw refuse('documents.run_managed')
  const isActedOn = signatures.length > 0
  if (isActedOn && before.status !== 'ended') throw refuse('documents.contract_immutable')
  await discardFiles(context, tx, before)
  const event = eventOf(before)
  await recordChange(context, tx, { before, after: null, connection, signatures, event, customerKeeps: isActedOn })
}

function eventOf(before: StoredDocument) {
  const { customer, isPending } = before
  return customer === null || isPending ? null : documentEvent('document_deleted', { ...before, customer })
}
