import type { Attestation } from '@sealpost/field-types'
import { type ConnectionId, type FieldId, formatInstant, type Instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { SlotAnswer } from '@sealpost/protocol'
import { findContactField, loadRegistry } from '../../../registry/index.ts'
import {
  discardObjects,
  type FieldChange,
  liveAttestation,
  type PreparedFile,
  type Share,
  type ValueChange,
} from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, FollowingSlot } from '../model.ts'
import { clearFileOf } from '../rules/clear-file.ts'
import { rowIdOf } from '../rules/rows.ts'
import { lockConnections, takeRevs } from '../store/connections.ts'
import { deleteMappings, listFedConnections, listFollowing, markStale, setMappingRev } from '../store/mappings.ts'
import { attestationToWire, fileToWire, signatureToWire, withdrawalToWire } from '../wire.ts'
import { storeClear } from './make-file.ts'
import { type OutgoingChange, tellChanges } from './tell-changes.ts'

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
    slots: await listFollowing(read, accountId, fieldId),
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
  await tellFollowers(context, tx, { accountId, fieldId, at }, (slot, rev) => {
    const share = brought.get(nameOf(slot))
    // The connection has just opened, and no device has sealed for it: see [Note: edits while a connection opens].
    if (share === undefined) return withdrawalOf(slot, rev, at)
    brought.delete(nameOf(slot))
    const file = fileOf(share)
    const answer: SlotAnswer = {
      request_field_id: slot.requestFieldId,
      rev,
      live: true,
      is_private: value.isPrivate,
      value: 'value' in share ? share.value : null,
      file: file === null ? null : file.member,
      ...signatureToWire('senderSignature' in share ? share.senderSignature : null),
      attested,
      at: formatInstant(at),
    }
    return { change: { act: 'set', cause: 'edit', answer }, file: file?.object ?? null }
  })
  // Objects made for slots that no longer follow the field.
  const unused = [...brought.values()].flatMap((share) => fileOf(share)?.object.objectKey ?? [])
  if (unused.length > 0) await discardObjects(tx, unused, at)
}

/** A customer may withdraw any value, also a mandatory one: the slot is emptied and pending again. */
export async function withdrawValue(context: CustomerContext, tx: Tx, field: FieldChange): Promise<void> {
  await tellFollowers(context, tx, field, (slot, rev) => withdrawalOf(slot, rev, field.at))
}

export async function shareAttestation(
  context: CustomerContext,
  tx: Tx,
  { attestation, ...field }: FieldChange & { readonly attestation: Attestation | null },
): Promise<void> {
  const attested = attestationToWire(attestation)
  const at = formatInstant(field.at)
  await tellFollowers(context, tx, field, ({ requestFieldId: id }, rev) => ({
    change: { act: 'attest', request_field_id: id, rev, attested, at },
    file: null,
  }))
}

type ChangeOf = (slot: FollowingSlot, rev: number) => OutgoingChange

/**
 * The vault has locked the value's row, so no slot can begin to follow it now. The connections are locked too, opening ones
 * included: a connection that opens concurrently is either seen as open here or has its slots marked as stale.
 */
async function tellFollowers(context: CustomerContext, tx: Tx, field: FieldChange, changeOf: ChangeOf): Promise<void> {
  const { accountId, fieldId, at } = field
  const ids = await listFedConnections(tx, accountId, fieldId)
  if (ids.length === 0) return
  const locked = await lockConnections(tx, accountId, ids)
  await markStale(tx, accountId, fieldId)
  const slots = Map.groupBy(await listFollowing(tx, accountId, fieldId), ({ connectionId }) => connectionId)
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
    const { request_field_id: id, rev } = change.act === 'set' ? change.answer : change
    const requestField = rowIdOf({ id })
    if (change.act === 'drop') await deleteMappings(tx, connection, [requestField])
    else await setMappingRev(tx, connection, requestField, rev)
  }
}

function withdrawalOf({ requestFieldId: id }: FollowingSlot, rev: number, at: Instant): OutgoingChange {
  return { change: withdrawalToWire(id, rev, at), file: null }
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
