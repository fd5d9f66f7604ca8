import { type Instant, instant } from '@sealpost/kernel'
import { removeAll } from '../../../../platform/remove-all.ts'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import { findService } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerDocument, DocumentName } from '../model.ts'
import { dateOf } from '../rules/dates.ts'
import { documentEvent, statusEvent } from '../rules/events.ts'
import { listDue, listUnfinished } from '../store/documents.ts'
import { deleteOldSeals } from '../store/prepared-seals.ts'
import { cancelRunOf } from './cancel-run-of.ts'
import { lockForChange, namedCustomer } from './lock-document.ts'
import { recordChange, recordChanges } from './record-change.ts'
import { discardFiles } from './upload-file.ts'

const DAY_MS = 24 * 3_600_000
/** As long as the object of a prepared seal is kept. */
const SEAL_MS = 3_600_000
const AT_ONCE = 500

/** Removes documents whose file never came, and seals whose act was never recorded. */
export async function tidyDocuments(context: ServiceSideContext): Promise<void> {
  const { database, clock } = context
  const before = instant(clock.now() - DAY_MS)
  await removeAll(AT_ONCE, async (limit) => {
    const unfinished = await database.read((read) => listUnfinished(read, before, limit))
    for (const name of unfinished) await removeUnfinished(context, name)
    return unfinished.length
  })
  const sealedBefore = instant(clock.now() - SEAL_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldSeals(tx, sealedBefore, limit)))
}

async function removeUnfinished(context: ServiceSideContext, name: DocumentName): Promise<void> {
  await context.database.transaction(async (tx) => {
    const locked = await lockForChange(context, tx, name)
    if (locked === null || !locked.document.isPending) return
    await discardFiles(context, tx, locked.document)
    const { document: before, connection, signatures } = locked
    await recordChange(context, tx, { before, after: null, connection, signatures, event: null })
  })
}

/** Ends the documents whose ending takes effect. */
export async function endDueDocuments(context: ServiceSideContext): Promise<void> {
  const { database, clock } = context
  await removeAll(AT_ONCE, async (limit) => {
    const now = clock.now()
    const due = await database.read((read) => listDue(read, dateOf(now), limit))
    for (const name of due) await endDue(context, name, now)
    return due.length
  })
}

async function endDue(context: ServiceSideContext, name: DocumentName, now: Instant): Promise<void> {
  await context.database.transaction(async (tx) => {
    const locked = await lockForChange(context, tx, name)
    if (locked === null) return
    const { document: before, connection, signatures, run } = locked
    const isDue = before.status === 'active_but_ending' && (before.cancelEffectiveDate ?? '') <= dateOf(now)
    if (!isDue) return
    const after = { ...before, status: 'ended' as const, rev: before.rev + 1, updatedAt: now }
    const customer = namedCustomer(after, run)
    const event = customer === null ? null : endEvent({ ...after, customer })
    const events = await recordChanges(context, tx, [{ before, after, connection, signatures, event }])
    const followed = await cancelRunOf(context, tx, { before, after, run })
    // A deleted service has no feed.
    if ((await findService(tx, before.companyId, before.serviceId)) === null) return
    await appendEvents(context, tx, [...events, ...followed])
  })
}

/** The end that the company has set is an edit, and no cancellation of the customer. */
function endEvent(document: CustomerDocument): NewEvent {
  if (document.cancelSetBy === 'company') return documentEvent('document_updated', document)
  return statusEvent(document, { action: 'cancelled', signature: null, note: null })
}
