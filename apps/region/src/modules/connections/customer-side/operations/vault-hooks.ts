import type { Attestation } from '@sealpost/field-types'
import { type ConnectionId, type FieldId, formatInstant, type Instant, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { AnyChange, SlotAnswer } from '@sealpost/protocol'
import { findContactField, loadRegistry } from '../../../registry/index.ts'
import {
  discardObjects,
  type FieldChange,
  liveAttestation,
  type LiveSlot,
  type PreparedFile,
  type Share,
  type ValueChange,
} from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, FollowingLink, FollowingSlot } from '../model.ts'
import { clearFileOf } from '../rules/clear-file.ts'
import { rowIdOf } from '../rules/rows.ts'
import { lockConnections, takeRevs } from '../store/connections.ts'
import {
  deleteOpenLink,
  listFollowingLinks,
  listLinkedConnections,
  markLinksStale,
  setFlowLinkRev,
} from '../store/flow-links.ts'
import { deleteMappings, listFedConnections, listFollowing, markStale, setMappingRev } from '../store/mappings.ts'
import { attestationToWire, fileToWire, linkDropToWire, signatureToWire, withdrawalToWire } from '../wire.ts'
import { storeClear } from './make-file.ts'
import { type OutgoingChange, tellChanges } from './tell-changes.ts'

type Follower = FollowingSlot | FollowingLink

/** Slots of request rows before links of flows. */
async function listFollowers(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly Follower[]> {
  return [...(await listFollowing(read, accountId, fieldId)), ...(await listFollowingLinks(read, accountId, fieldId))]
}

/** Each slug of a connection once: a device seals one share for it. */
export async function listLiveSlots(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly LiveSlot[]> {
  const followers = await listFollowers(read, accountId, fieldId)
  return [...new Map(followers.map((each) => [nameOf(each), each] as const)).values()]
}

/** One object per slot, because each is sent alone; one at a time, because they may be large. */
export async function prepareClearFiles(
  context: CustomerContext,
  {
    accountId,
    fieldId,
    envelope,
  }: { readonly accountId: UserId; readonly fieldId: FieldId; readonly envelope: string },
): Promise<readonly PreparedFile[]> {
  const { slots, field, registry } = await context.database.read(async (read) => ({
    slots: await listLiveSlots(read, accountId, fieldId),
    field: await findContactField(read, accountId, fieldId),
    registry: await loadRegistry(read),
  }))
  const clear = field === null ? null : clearFileOf(registry, field.type, envelope)
  const prepared: PreparedFile[] = []
  if (clear === null) return prepared
  for (const { connectionId, slug } of slots) {
    const file = await storeClear(context, clear)
    prepared.push({ ...file, form: clear.form, connectionId, slug })
  }
  return prepared
}

/** Tells each connection on its lane, without waiting for the other region. */
export async function shareValue(context: CustomerContext, tx: Tx, change: ValueChange): Promise<void> {
  const { accountId, fieldId, value, at } = change
  const attested = attestationToWire(liveAttestation(value.attestation, at))
  const brought = new Map([...change.shares, ...change.files].map((each) => [nameOf(each), each]))
  await tellFollowers(context, tx, { accountId, fieldId, at }, (follower, rev) => {
    const share = brought.get(nameOf(follower))
    // The connection has just opened, and no device has sealed for it: see [Note: edits while a connection opens]. Or the
    // file went to the slot of the same slug, which shows it from now on.
    if (share === undefined) return withdrawalOf(follower, rev, at)
    const file = fileOf(share)
    // A text serves the slot and the links of its slug; a file has one owner.
    if (file !== null) brought.delete(nameOf(follower))
    const content = {
      rev,
      is_private: value.isPrivate,
      value: 'value' in share ? share.value : null,
      file: file === null ? null : file.member,
      attested,
      at: formatInstant(at),
    }
    return { change: setOf(follower, share, content), file: file?.object ?? null }
  })
  // Objects made for slots that no longer follow the field.
  const unused = [...brought.values()].flatMap((share) => fileOf(share)?.object.objectKey ?? [])
  if (unused.length > 0) await discardObjects(tx, unused, at)
}

function setOf(
  follower: Follower,
  share: Share | PreparedFile,
  content: Omit<SlotAnswer, 'request_field_id' | 'live' | 'sender_signature'>,
): AnyChange {
  if ('flowId' in follower) {
    const { flowId, slug, type } = follower
    return { act: 'set_link', flow_id: flowId, slug, type, ...content }
  }
  const signature = signatureToWire('senderSignature' in share ? share.senderSignature : null)
  const answer: SlotAnswer = { request_field_id: follower.requestFieldId, live: true, ...signature, ...content }
  return { act: 'set', cause: 'edit', answer }
}

/** A customer may withdraw any value, also a mandatory one: the slot is emptied and pending again. */
export async function withdrawValue(context: CustomerContext, tx: Tx, field: FieldChange): Promise<void> {
  await tellFollowers(context, tx, field, (follower, rev) => withdrawalOf(follower, rev, field.at))
}

export async function shareAttestation(
  context: CustomerContext,
  tx: Tx,
  { attestation, ...field }: FieldChange & { readonly attestation: Attestation | null },
): Promise<void> {
  const attested = attestationToWire(attestation)
  const at = formatInstant(field.at)
  await tellFollowers(context, tx, field, (follower, rev) => ({
    change:
      'flowId' in follower
        ? { act: 'attest_link', flow_id: follower.flowId, slug: follower.slug, rev, attested, at }
        : { act: 'attest', request_field_id: follower.requestFieldId, rev, attested, at },
    file: null,
  }))
}

type ChangeOf = (follower: Follower, rev: number) => OutgoingChange

/**
 * The vault has locked the value's row, so no slot can begin to follow it now. The connections are locked too, opening ones
 * included: a connection that opens concurrently is either seen as open here or has its slots marked as stale.
 */
async function tellFollowers(context: CustomerContext, tx: Tx, field: FieldChange, changeOf: ChangeOf): Promise<void> {
  const { accountId, fieldId, at } = field
  const ids = [
    ...(await listFedConnections(tx, accountId, fieldId)),
    ...(await listLinkedConnections(tx, accountId, fieldId)),
  ]
  if (ids.length === 0) return
  const locked = await lockConnections(tx, accountId, ids)
  await markStale(tx, accountId, fieldId)
  await markLinksStale(tx, accountId, fieldId)
  const slots = Map.groupBy(await listFollowers(tx, accountId, fieldId), ({ connectionId }) => connectionId)
  for (const connection of locked) {
    const following = slots.get(connection.id) ?? []
    if (following.length === 0) continue
    const first = (await takeRevs(tx, connection, following.length, at)) - following.length + 1
    const changes = following.map((slot, index) => changeOf(slot, first + index))
    await updateMappings(tx, connection, changes)
    await tellChanges(context, tx, connection, changes)
  }
}

async function updateMappings(tx: Tx, connection: Connection, changes: readonly OutgoingChange[]): Promise<void> {
  for (const { change } of changes) {
    if ('flow_id' in change) {
      const link = { flowId: change.flow_id, slug: change.slug }
      if (change.act === 'drop_link') await deleteOpenLink(tx, connection, link)
      else await setFlowLinkRev(tx, connection, link, change.rev)
      continue
    }
    const { request_field_id: id, rev } = change.act === 'set' ? change.answer : change
    const requestField = rowIdOf({ id })
    if (change.act === 'drop') await deleteMappings(tx, connection, [requestField])
    else await setMappingRev(tx, connection, requestField, rev)
  }
}

function withdrawalOf(follower: Follower, rev: number, at: Instant): OutgoingChange {
  const change =
    'flowId' in follower ? linkDropToWire(follower, rev, at) : withdrawalToWire(follower.requestFieldId, rev, at)
  return { change, file: null }
}

function fileOf(share: Share | PreparedFile) {
  if ('form' in share) {
    const { form, contentType, objectKey, sha256, bytes } = share
    return { object: { objectKey, sha256, bytes }, member: fileToWire({ form, contentType, sha256, bytes }) }
  }
  if (share.file === null) return null
  const { sha256, bytes } = share.file
  return { object: share.file, member: fileToWire({ form: 'sealed', contentType: 'application/json', sha256, bytes }) }
}

function nameOf({ connectionId, slug }: { readonly connectionId: ConnectionId; readonly slug: string }): string {
  return `${connectionId} ${slug}`
}
