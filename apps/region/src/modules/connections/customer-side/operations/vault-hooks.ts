import type { Attestation } from '@sealpost/field-types'
import { type ConnectionId, type FieldId, formatInstant, type Instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { SlotAnswer } from '@sealpost/protocol'
import { findContactField, loadRegistry } from '../../../registry/index.ts'
import {
  discardObjects,
  type FieldAct,
  liveAttestation,
  type PreparedFile,
  type Share,
  type ValueChange,
  type VaultHooks,
} from '../../../vault/index.ts'
import type { Connection } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'
import { showEnvelope } from '../rules/clear-file.ts'
import { lockConnections, takeRevs } from '../store/connections.ts'
import {
  deleteMappings,
  type FollowingSlot,
  listFedConnections,
  listFollowing,
  markStale,
  setMappingRev,
} from '../store/mappings.ts'
import { storeClear } from './files.ts'
import { requestFieldId, showAttestation } from './prepare.ts'
import { showDrop, tellChanges, type Told } from './tell-changes.ts'

/** What sharing does when a value changes. The rest, a company's business card, is up to `services`. */
export type SharingHooks = Omit<VaultHooks, 'onPlainValueChanged'>

export function vaultHooks(needs: CustomerNeeds): SharingHooks {
  return {
    liveSlots: listFollowing,
    prepareClearFiles: (change) => prepareClearFiles(needs, change),
    onValueChanged: (tx, change) => shareValue(needs, tx, change),
    onValueDeleted: (tx, act) => withdrawValue(needs, tx, act),
    onAttestationChanged: (tx, act) => shareAttestation(needs, tx, act),
  }
}

/** One object per slot, because each travels by itself; one at a time, because they may be large. */
async function prepareClearFiles(
  needs: CustomerNeeds,
  {
    accountId,
    fieldId,
    envelope,
  }: { readonly accountId: UserId; readonly fieldId: FieldId; readonly envelope: string },
): Promise<readonly PreparedFile[]> {
  const { slots, field, registry } = await needs.database.read(async (read) => ({
    slots: await listFollowing(read, accountId, fieldId),
    field: await findContactField(read, accountId, fieldId),
    registry: await loadRegistry(read),
  }))
  const shown = field === null ? null : showEnvelope(registry, field.type, envelope)
  const prepared: PreparedFile[] = []
  if (shown === null) return prepared
  for (const { connectionId, slug } of slots) {
    const file = await storeClear(needs, shown)
    prepared.push({ ...file, form: shown.form, connectionId, slug })
  }
  return prepared
}

/** A change is told to each connection on its lane; nothing here waits for anybody. */
async function shareValue(needs: CustomerNeeds, tx: Tx, change: ValueChange): Promise<void> {
  const { accountId, fieldId, value, at } = change
  const attested = showAttestation(liveAttestation(value.attestation, at))
  const brought = new Map([...change.shares, ...change.files].map((each) => [nameOf(each), each]))
  await tellFollowers(needs, tx, { accountId, fieldId, at }, (slot, rev) => {
    const share = brought.get(nameOf(slot))
    // Its connection was opened this moment, and nobody has sealed for it: see [Note: edits while a connection opens].
    if (share === undefined) return dropOf(slot, rev, at)
    brought.delete(nameOf(slot))
    const file = fileOf(share)
    const answer: SlotAnswer = {
      request_field_id: slot.requestFieldId,
      rev,
      live: true,
      is_private: value.isPrivate,
      value: 'value' in share ? share.value : null,
      file: file === null ? null : file.shown,
      attested,
      at: formatInstant(at),
    }
    return { change: { act: 'set', cause: 'edit', answer }, file: file?.object ?? null }
  })
  // What was made for a slot that has gone meanwhile goes, too.
  const unused = [...brought.values()].flatMap((share) => fileOf(share)?.object.objectKey ?? [])
  if (unused.length > 0) await discardObjects(tx, unused, at)
}

/** A person may take any value back, whatever a service requires: the slot is gone and pending again. */
async function withdrawValue(needs: CustomerNeeds, tx: Tx, act: FieldAct): Promise<void> {
  await tellFollowers(needs, tx, act, (slot, rev) => dropOf(slot, rev, act.at))
}

async function shareAttestation(
  needs: CustomerNeeds,
  tx: Tx,
  { attestation, ...act }: FieldAct & { readonly attestation: Attestation | null },
): Promise<void> {
  const attested = showAttestation(attestation)
  const at = formatInstant(act.at)
  await tellFollowers(needs, tx, act, ({ requestFieldId: id }, rev) => ({
    change: { act: 'attest', request_field_id: id, rev, attested, at },
    file: null,
  }))
}

type Tell = (slot: FollowingSlot, rev: number) => Told

/**
 * The vault holds the value's row, so no slot can begin to follow it now. The connections are held as well, opening ones
 * too: one that opens this moment is seen as open or is marked, and never missed between the two.
 */
async function tellFollowers(needs: CustomerNeeds, tx: Tx, act: FieldAct, tell: Tell): Promise<void> {
  const { accountId, fieldId, at } = act
  const ids = await listFedConnections(tx, accountId, fieldId)
  if (ids.length === 0) return
  const held = await lockConnections(tx, accountId, ids)
  await markStale(tx, accountId, fieldId)
  const slots = Map.groupBy(await listFollowing(tx, accountId, fieldId), ({ connectionId }) => connectionId)
  for (const connection of held) {
    const following = slots.get(connection.id) ?? []
    if (following.length === 0) continue
    const first = (await takeRevs(tx, connection, following.length, at)) - following.length + 1
    const told = following.map((slot, index) => tell(slot, first + index))
    await remember(tx, connection, told)
    await tellChanges(needs, tx, connection, told)
  }
}

async function remember(tx: Tx, connection: Connection, told: readonly Told[]): Promise<void> {
  for (const { change } of told) {
    const { request_field_id: id, rev } = change.act === 'set' ? change.answer : change
    const requestField = requestFieldId({ id })
    if (change.act === 'drop') await deleteMappings(tx, connection, [requestField])
    else await setMappingRev(tx, connection, requestField, rev)
  }
}

function dropOf({ requestFieldId: id }: FollowingSlot, rev: number, at: Instant): Told {
  return { change: showDrop(id, rev, formatInstant(at)), file: null }
}

function fileOf(share: Share | PreparedFile) {
  if ('form' in share) {
    const { form, contentType, objectKey, sha256, bytes } = share
    return { object: { objectKey, sha256, bytes }, shown: { form, content_type: contentType, sha256, bytes } }
  }
  if (share.file === null) return null
  const { sha256, bytes } = share.file
  return { object: share.file, shown: { form: 'sealed' as const, content_type: 'application/json', sha256, bytes } }
}

function nameOf({ connectionId, slug }: { readonly connectionId: ConnectionId; readonly slug: string }): string {
  return `${connectionId} ${slug}`
}
