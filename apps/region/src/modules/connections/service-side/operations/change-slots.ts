import { type ConnectionId, parseUuid, type RequestFieldId, type ServiceId, type UserId } from '@sealpost/kernel'
import { parseObjectKey, parseSha256 } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { SlotChange } from '@sealpost/protocol'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { holdService, listRequestRows, type RequestRow } from '../../../services/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { HeldConnection, HeldFile } from '../connection.ts'
import { slotEvent } from '../events.ts'
import { laneOf } from '../facts.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { judgeContent } from '../rules/answers.ts'
import { judgeChange, slotOf } from '../rules/changes.ts'
import { contentOf, liveAttested, readTime } from '../slot-content.ts'
import { lockConnection } from '../store/connections.ts'
import { attestSlot, deleteSlots, listPresentSlots, putDeclinedSlot, putSlot } from '../store/slots.ts'
import { discardFiles, dueAfterReaders } from './end.ts'

export interface SlotChanges {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
  /** The region that tells of them. */
  readonly region: string
  readonly changes: readonly SlotChange[]
  /** The file that one of them brings, in our own store. */
  readonly attachment: { readonly objectKey: string; readonly sha256: string; readonly bytes: number } | null
}

/** What a customer changed in their slots, each with its event. Changes of what is not there any more come to nothing. */
export async function changeSlots(needs: ServiceSideNeeds, tx: Tx, told: SlotChanges): Promise<void> {
  const service = await holdService(tx, told.companyId, told.serviceId)
  const connection = service === null ? null : await lockConnection(tx, told.serviceId, told.connectionId)
  if (connection === null || connection.customerRegion !== told.region) return discardAttachment(needs, tx, told)
  const rows = await listRequestRows(tx, told.companyId, told.serviceId)
  const events: NewEvent[] = []
  let isFileUsed = false
  for (const change of told.changes) {
    const event = await applyChange(needs, tx, connection, rows, { change, told })
    if (event === null) continue
    events.push(event)
    isFileUsed ||= change.act === 'set' && change.answer.file !== null
  }
  if (!isFileUsed) await discardAttachment(needs, tx, told)
  if (events.length > 0) await appendEvents(tx, needs, events)
}

async function applyChange(
  needs: ServiceSideNeeds,
  tx: Tx,
  connection: HeldConnection,
  rows: readonly RequestRow[],
  { change, told }: { readonly change: SlotChange; readonly told: SlotChanges },
): Promise<NewEvent | null> {
  const { serviceId, id: connectionId } = connection
  const { fieldId } = slotOf(change)
  const row = rows.find(({ id }) => id === fieldId)
  const requestFieldId = parseUuid<RequestFieldId>(fieldId)
  if (row === undefined || requestFieldId === null) return null
  const [present] = await listPresentSlots(tx, serviceId, connectionId, [requestFieldId])
  const kind = judgeChange(change, row, present)
  if (kind === null) return null
  const name = { serviceId, connectionId, requestFieldId }
  switch (change.act) {
    case 'set':
      await demandSealed(tx, row, change)
      if (present !== undefined) await discardFiles(needs, tx, [present])
      await putSlot(tx, serviceId, connectionId, contentOf(change.answer, readFile(change, told), needs))
      break
    case 'attest': {
      const now = needs.clock.now()
      const attested = liveAttested(change.attested, now)
      await attestSlot(tx, name, { attested, rev: change.rev, at: readTime(change.at, now) })
      break
    }
    case 'drop':
      await discardFiles(needs, tx, await deleteSlots(tx, serviceId, [connectionId], [requestFieldId]))
      break
    case 'decline':
      if (present !== undefined) await discardFiles(needs, tx, [present])
      await putDeclinedSlot(tx, name, change.rev, readTime(change.at, needs.clock.now()))
      break
  }
  return slotEvent(kind, connection, row)
}

type SetChange = Extract<SlotChange, { readonly act: 'set' }>

/** A fault of the other region: nothing of it is stored, and its lane waits for somebody to look at it. */
async function demandSealed(tx: Tx, row: RequestRow, { answer }: SetChange): Promise<void> {
  const registry = await loadRegistry(tx)
  const [problem] = judgeContent(answer, laneOf(registry, row) !== 'inline')
  if (problem !== undefined) throw new Error(`an answer to request field ${row.id}: ${problem.join(' ')}`)
}

function readFile({ answer: { file } }: SetChange, { attachment }: SlotChanges): HeldFile | null {
  if (file === null) return null
  const objectKey = attachment === null ? null : parseObjectKey(attachment.objectKey)
  const sha256 = parseSha256(file.sha256)
  if (objectKey === null || sha256 === null || attachment?.sha256 !== sha256 || attachment.bytes !== file.bytes) {
    throw new Error('a file was announced and another one, or none, came with it')
  }
  return { objectKey, sha256, bytes: file.bytes, contentType: file.content_type, form: file.form }
}

async function discardAttachment({ clock }: ServiceSideNeeds, tx: Tx, { attachment }: SlotChanges): Promise<void> {
  const key = attachment === null ? null : parseObjectKey(attachment.objectKey)
  if (key !== null) await discardObjects(tx, [key], dueAfterReaders(clock.now()))
}
