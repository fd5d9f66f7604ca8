import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '@sealpost/kernel'
import { type ApiError, type Document, type DocumentMetadata, type DocumentStatus, refuse } from '@sealpost/protocol'
import { appendEvents } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentName, StoredDocument } from '../model.ts'
import { isRunManaged } from '../rules/contracts.ts'
import { documentEvent } from '../rules/events.ts'
import { mergeMetadata, noticeDays } from '../rules/metadata.ts'
import { changeStatus } from '../rules/status.ts'
import { cancelRunOf } from './cancel-run-of.ts'
import { lockForChange, namedCustomer } from './lock-document.ts'
import { documentAnswer } from './read-documents.ts'
import { recordChanges } from './record-change.ts'

export interface DocumentEdit {
  readonly status?: DocumentStatus
  readonly cancel_effective_date?: string | null
  readonly name?: string
  readonly description?: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** An edit that changes nothing raises no event. */
export async function changeDocument(
  context: ServiceSideContext,
  name: DocumentName,
  edit: DocumentEdit,
): Promise<Document> {
  return context.database.transaction(async (tx) => {
    const locked = await lockForChange(context, tx, name)
    if (locked === null) throw refuse('documents.not_found')
    const { document: before, connection, signatures, run } = locked
    if (isRunManaged(before)) throw refuse('documents.run_managed')
    const now = context.clock.now()
    const edited = applyEdit(before, edit, now)
    if (isDeepStrictEqual(edited, before)) return documentAnswer(tx, before, signatures)
    const after = { ...edited, rev: before.rev + 1, updatedAt: now }
    const customer = namedCustomer(after, run)
    const event =
      customer === null || after.isPending ? null : documentEvent('document_updated', { ...after, customer })
    const change = { before, after, connection, signatures, event }
    const events = await recordChanges(context, tx, [change])
    await appendEvents(context, tx, [...events, ...(await cancelRunOf(context, tx, { before, after, run }))])
    return documentAnswer(tx, after, signatures)
  })
}

function applyEdit(before: StoredDocument, edit: DocumentEdit, now: Instant): StoredDocument {
  const name = edit.name === undefined ? before.name : edit.name.trim()
  if (name === '') throw invalid('/body/name', 'must not be blank')
  const metadata = mergeMetadata(before.kind, before.metadata, edit.metadata ?? {})
  if (!metadata.ok) throw invalid(metadata.refusal.path, metadata.refusal.message)
  const description = edit.description === undefined ? before.description : edit.description
  return {
    ...before,
    ...statusOf(before, metadata.value, edit, now),
    name,
    description,
    metadata: metadata.value,
  }
}

/** A date alone moves that of an ending. */
function statusOf(
  before: StoredDocument,
  metadata: DocumentMetadata,
  { status = before.status, cancel_effective_date: date = null }: DocumentEdit,
  now: Instant,
): Partial<StoredDocument> {
  const request = { status, cancelEffectiveDate: date, noticeDays: noticeDays(metadata), now }
  const changed = changeStatus(before, request)
  if (changed.ok) return changed.value ?? {}
  switch (changed.refusal) {
    case 'not_allowed':
      throw refuse('documents.status_invalid')
    case 'date_missing':
      throw invalid('/body/cancel_effective_date', 'is required without metadata.cancel_notice_days of at least 1')
    case 'date_past':
      throw invalid('/body/cancel_effective_date', 'must be later than today (UTC)')
  }
}

function invalid(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}
