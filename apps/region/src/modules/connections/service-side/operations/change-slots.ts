import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { type ConnectionId, parseUuid, type RequestFieldId, type ServiceId, type UserId } from '@sealpost/kernel'
import { parseObjectKey, parseSha256 } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { AnyChange, LinkChange, SlotChange } from '@sealpost/protocol'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { lockServiceForShare, listRequestRows, type RequestRow } from '../../../services/index.ts'
import { discardObjects, supersedeObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { PresentSlot, StoredConnection, StoredFile } from '../model.ts'
import { validateContent } from '../rules/answers.ts'
import { eventKindOf, slotOf } from '../rules/changes.ts'
import { slotEvent } from '../rules/events.ts'
import { laneOf } from '../rules/rows.ts'
import { contentOf, liveAttested, readTime } from '../rules/slot-content.ts'
import { lockConnection } from '../store/connections.ts'
import { attestSlot, deleteSlots, listPresentSlots, putDeclinedSlot, putSlot } from '../store/slots.ts'
import { discardFiles } from './end-connection.ts'
import { changeLink } from './flow-links.ts'

const platform = createCryptoPlatform(globalThis)

export interface SlotChanges {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
  /** The region that sent the tell. */
  readonly region: string
  readonly changes: readonly AnyChange[]
  /** The file of one of the changes, in this region's store. */
  readonly attachment: { readonly objectKey: string; readonly sha256: string; readonly bytes: number } | null
}

/** Applies a customer's changes, each with its event. Changes of a missing connection or row have no effect. */
export async function changeSlots(context: ServiceSideContext, tx: Tx, received: SlotChanges): Promise<void> {
  const service = await lockServiceForShare(tx, received.companyId, received.serviceId)
  const connection = service === null ? null : await lockConnection(tx, received.serviceId, received.connectionId)
  if (connection === null || connection.customerRegion !== received.region)
    return discardAttachment(context, tx, received)
  const rows = await listRequestRows(tx, received.companyId, received.serviceId)
  const events: NewEvent[] = []
  let isFileUsed = false
  for (const sent of received.changes) {
    if ('flow_id' in sent) {
      const link = withoutLostLink(sent, received)
      requireSealedLink(link)
      const file = link.act === 'set_link' ? readFile(link.file, received) : null
      const changed = await changeLink(context, tx, connection, link, file)
      events.push(...changed.events)
      isFileUsed ||= changed.isFileUsed
      continue
    }
    const change = withoutLostFile(sent, received)
    const event = await applyChange(context, tx, connection, rows, { change, received })
    if (event === null) continue
    events.push(event)
    isFileUsed ||= change.act === 'set' && change.answer.file !== null
  }
  if (!isFileUsed) await discardAttachment(context, tx, received)
  if (events.length > 0) await appendEvents(context, tx, events)
}

async function applyChange(
  context: ServiceSideContext,
  tx: Tx,
  connection: StoredConnection,
  rows: readonly RequestRow[],
  { change, received }: { readonly change: SlotChange; readonly received: SlotChanges },
): Promise<NewEvent | null> {
  const { serviceId, id: connectionId } = connection
  const now = context.clock.now()
  const shareOnceDays = context.settings.SHARE_ONCE_DAYS
  const { fieldId } = slotOf(change)
  const row = rows.find(({ id }) => id === fieldId)
  const requestFieldId = parseUuid<RequestFieldId>(fieldId)
  if (row === undefined || requestFieldId === null) return null
  const [present] = await listPresentSlots(tx, serviceId, connectionId, [requestFieldId])
  const kind = eventKindOf(change, row, present)
  if (kind === null) return null
  const name = { serviceId, connectionId, requestFieldId }
  switch (change.act) {
    case 'set':
      await requireSealed(tx, row, change)
      if (present !== undefined) await supersede(context, tx, name, present)
      await putSlot(
        tx,
        serviceId,
        connectionId,
        contentOf(change.answer, readFile(change.answer.file, received), { now, shareOnceDays }),
      )
      break
    case 'attest': {
      const attested = liveAttested(change.attested, now)
      await attestSlot(tx, name, { attested, rev: change.rev, at: readTime(change.at, now) })
      break
    }
    case 'drop':
      await discardFiles(context, tx, await deleteSlots(tx, serviceId, [connectionId], [requestFieldId]))
      break
    case 'decline':
      if (present !== undefined) await discardFiles(context, tx, [{ ...present, connectionId }])
      await putDeclinedSlot(tx, name, change.rev, readTime(change.at, now))
      break
  }
  return slotEvent(kind, connection, row)
}

/**
 * The region of the customer no longer has the file: it was restored from a backup, and the file was deleted since. The
 * value counts as deleted too; see [Note: objects and backups].
 */
function withoutLostFile(change: SlotChange, { attachment }: SlotChanges): SlotChange {
  if (change.act !== 'set' || change.answer.file === null || attachment !== null) return change
  const { request_field_id, rev, at } = change.answer
  return { act: 'drop', request_field_id, rev, at }
}

function withoutLostLink(change: LinkChange, { attachment }: SlotChanges): LinkChange {
  if (change.act !== 'set_link' || change.file === null || attachment !== null) return change
  const { flow_id, slug, rev, at } = change
  return { act: 'drop_link', flow_id, slug, rev, at }
}

async function supersede(
  context: ServiceSideContext,
  tx: Tx,
  { connectionId, requestFieldId }: { readonly connectionId: ConnectionId; readonly requestFieldId: RequestFieldId },
  { objectKey }: PresentSlot,
): Promise<void> {
  if (objectKey === null) return
  await supersedeObject(context, tx, objectKey, { subjectId: connectionId, partId: requestFieldId })
}

type SetChange = Extract<SlotChange, { readonly act: 'set' }>

/** An unsealed answer is a fault of the other region: the throw stores nothing and blocks its lane until an operator acts. */
async function requireSealed(tx: Tx, row: RequestRow, { answer }: SetChange): Promise<void> {
  const registry = await loadRegistry(tx)
  const [problem] = validateContent(answer, laneOf(registry, row) !== 'inline')
  if (problem !== undefined) throw new Error(`invalid answer to request field ${row.id}: ${problem.join(' ')}`)
}

/** As of an answer: only files may be in the clear. */
function requireSealedLink(change: LinkChange): void {
  if (change.act !== 'set_link') return
  const { value, file, slug } = change
  if ((value === null) === (file === null) || (value !== null && !isWrapper(platform, value)))
    throw new Error(`invalid content of the link ${slug}`)
}

function readFile(file: SetChange['answer']['file'], { attachment }: SlotChanges): StoredFile | null {
  if (file === null) return null
  const objectKey = attachment === null ? null : parseObjectKey(attachment.objectKey)
  const sha256 = parseSha256(file.sha256)
  if (objectKey === null || sha256 === null || attachment?.sha256 !== sha256 || attachment.bytes !== file.bytes) {
    throw new Error('the attachment of a slot change is missing or is not the announced file')
  }
  return { objectKey, sha256, bytes: file.bytes, contentType: file.content_type, form: file.form }
}

async function discardAttachment({ clock }: ServiceSideContext, tx: Tx, { attachment }: SlotChanges): Promise<void> {
  const key = attachment === null ? null : parseObjectKey(attachment.objectKey)
  if (key !== null) await discardObjects(tx, [key], clock.now())
}
