import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type ApiError, type Document, type DocumentStatus, refuse } from '@sealpost/protocol'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { LockedRun, ServiceSideContext } from '../context.ts'
import type { DocumentName, StoredDocument } from '../model.ts'
import { isRunManaged } from '../rules/contracts.ts'
import { dateOf } from '../rules/dates.ts'
import { documentEvent } from '../rules/events.ts'
import { mergeMetadata } from '../rules/metadata.ts'
import { changeStatus } from '../rules/status.ts'
import { lockForChange } from './lock-document.ts'
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
    const change = { before, after, connection, signatures, event: eventOf(after, run) }
    const events = await recordChanges(context, tx, [change])
    await appendEvents(context, tx, [...events, ...(await endRun(context, tx, after, run))])
    return documentAnswer(tx, after, signatures)
  })
}

/** Events about the company's own copy of a run name the primary customer. */
function eventOf(after: StoredDocument, run: LockedRun | null) {
  const customer = after.customer ?? run?.primary ?? null
  return customer === null || after.isPending ? null : documentEvent('document_updated', { ...after, customer })
}

/** The end of a copy cancels its run, if that is still open. */
async function endRun(
  { runs }: ServiceSideContext,
  tx: Tx,
  { serviceId, runId, status }: StoredDocument,
  run: LockedRun | null,
): Promise<readonly NewEvent[]> {
  if (runId === null || run?.isOpen !== true || status !== 'ended') return []
  return runs.cancel(tx, { serviceId, runId }, { by: null, reason: 'document_ended' })
}

function applyEdit(before: StoredDocument, edit: DocumentEdit, now: Instant): StoredDocument {
  const name = edit.name === undefined ? before.name : edit.name.trim()
  if (name === '') throw invalid('/body/name', 'must not be blank')
  const metadata = mergeMetadata(before.kind, before.metadata, edit.metadata ?? {})
  if (!metadata.ok) throw invalid(metadata.refusal.path, metadata.refusal.message)
  const description = edit.description === undefined ? before.description : edit.description
  return {
    ...before,
    ...statusOf(before, edit, now),
    name,
    description,
    metadata: metadata.value,
  }
}

function statusOf({ status: before }: StoredDocument, edit: DocumentEdit, now: Instant): Partial<StoredDocument> {
  if (edit.status === undefined) return {}
  const cancelEffectiveDate = edit.cancel_effective_date ?? null
  const changed = changeStatus(before, { status: edit.status, cancelEffectiveDate, today: dateOf(now) })
  if (changed.ok) return changed.value ?? {}
  switch (changed.refusal) {
    case 'not_allowed':
      throw refuse('documents.status_invalid')
    case 'date_missing':
      throw invalid('/body/cancel_effective_date', 'is required for active_but_ending')
    case 'date_past':
      throw invalid('/body/cancel_effective_date', 'must be later than today (UTC)')
  }
}

function invalid(path: string, message: string): ApiError {
  return refuse('request.invalid', { details: [{ path, message }] })
}
