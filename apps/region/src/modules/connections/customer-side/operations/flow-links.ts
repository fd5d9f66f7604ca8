import { accepts, meetsVerifiedRow, type Registry, resolveType } from '@sealpost/field-types'
import { type FieldId, formatInstant, type Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type AskedRow, type Attested, type Decision, type LinkChange, refuse } from '@sealpost/protocol'
import { lockAccountForShare } from '../../../account/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { keepObject, liveAttestation, lockVaultValue, type VaultValue } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, ConnectionName, FlowLink, MadeFile } from '../model.ts'
import type { Planned } from '../rules/decisions.ts'
import { connectionNotFound } from '../rules/refusals.ts'
import { lockConnection, takeRevs } from '../store/connections.ts'
import {
  deleteAnnounced,
  deleteOpenLink,
  findFlowLink,
  insertFlowLink,
  listAnnounced,
  openFlowLink,
} from '../store/flow-links.ts'
import { attestationToWire, fileToWire, linkDropToWire } from '../wire.ts'
import { makeFile } from './make-file.ts'
import { lockSources, prepareDecisions } from './prepare-decisions.ts'
import { requireKnown } from './read-connections.ts'
import { tellChanges } from './tell-changes.ts'

/** A field of a flow that follows a field of the customer. */
export interface LinkedField {
  readonly flowId: string
  readonly slug: string
  readonly label: string
  readonly type: string
  /** Null where the value need not be verified. */
  readonly verified: { readonly maxAgeDays: number | null } | null
}

export interface AnnouncedLink {
  readonly rev: number
  readonly attested: Attested | null
  readonly isPrivate: boolean
}

/**
 * [Note: links of flows] Before a turn with linked answers is sent. An edit of the field from now on finds the link: it
 * marks it as stale until the turn is confirmed, and is shared with the service afterwards. Null for a field without a
 * value, or with one that the flow's field does not take.
 */
export async function announceFlowLinks(
  { clock }: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  name: ConnectionName,
  links: readonly (LinkedField & { readonly sourceFieldId: FieldId })[],
): Promise<readonly AnnouncedLink[] | null> {
  if (!(await lockAccountForShare(tx, name.accountId))) throw refuse('auth.token_invalid')
  const now = clock.now()
  const registry = await loadRegistry(tx)
  const values = new Map<FieldId, VaultValue>()
  // In the order of ids: see the lock order in README.md.
  for (const id of [...new Set(links.map(({ sourceFieldId }) => sourceFieldId))].toSorted()) {
    const value = await lockVaultValue(tx, name.accountId, id)
    if (value !== null) values.set(id, value)
  }
  if ((await lockConnection(tx, name)) === null) throw connectionNotFound()
  const first = (await takeRevs(tx, name, links.length, now)) - links.length + 1
  const announced: AnnouncedLink[] = []
  for (const [place, link] of links.entries()) {
    const value = values.get(link.sourceFieldId)
    if (value === undefined || !isTaken(registry, link, value, now)) return null
    const { flowId, slug, type, sourceFieldId } = link
    const lane = resolveType(registry, type).lane ?? 'inline'
    const rev = first + place
    const row = { flowId, slug, type, sourceFieldId, lane, rev, connectionId: name.id, linkedAt: now }
    await insertFlowLink(tx, name.accountId, { ...row, isOpen: false, isStale: false })
    const attested = attestationToWire(liveAttestation(value.attestation, now))
    announced.push({ rev, attested, isPrivate: value.isPrivate })
  }
  return announced
}

function isTaken(registry: Registry, { type, verified }: LinkedField, value: VaultValue, now: Instant): boolean {
  const isFile = (name: string): boolean => (resolveType(registry, name).lane ?? 'inline') !== 'inline'
  if (isFile(type) !== isFile(value.type) || !accepts(registry, type, value.type)) return false
  return verified === null || meetsVerifiedRow(liveAttestation(value.attestation, now), verified.maxAgeDays, now)
}

/** The turn was refused. */
export async function withdrawAnnounced(tx: Tx, name: ConnectionName, revs: readonly number[]): Promise<void> {
  await deleteAnnounced(tx, name, revs)
}

/**
 * The turn was taken: the answers follow their fields from now on. One whose field has changed meanwhile is withdrawn from
 * the service, because no device has sealed the new value for it. Requires the lock of the connection.
 */
export async function confirmFlowLinks(
  context: CustomerContext,
  tx: Tx,
  connection: Connection,
  revs: readonly number[],
): Promise<void> {
  if (revs.length === 0) return
  const at = context.clock.now()
  const dropped: LinkChange[] = []
  for (const link of await listAnnounced(tx, connection, revs)) {
    const present = await findFlowLink(tx, connection, link.flowId, link.slug)
    if (present !== null && present.rev > link.rev) {
      await deleteAnnounced(tx, connection, [link.rev])
      continue
    }
    await deleteOpenLink(tx, connection, link)
    if (link.isStale) {
      await deleteAnnounced(tx, connection, [link.rev])
      dropped.push(linkDropToWire(link, await takeRevs(tx, connection, 1, at), at))
    } else await openFlowLink(tx, connection, link.rev)
  }
  await tellChanges(
    context,
    tx,
    connection,
    dropped.map((change) => ({ change, file: null })),
  )
}

export type GivenLink = Pick<Decision, 'value' | 'file' | 'source_updated_at'> & { readonly source_field_id: string }

/** As often as a re-map: see `change-mappings.ts`. */
const ATTEMPTS = 5

/** Validated like a decision on a request row; the service gets the value in the same way. */
export async function putFlowLink(
  context: CustomerContext,
  name: ConnectionName,
  field: LinkedField,
  given: GivenLink,
): Promise<FlowLink> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { connection } = await requireKnown(context, name)
    const row = rowOf(await context.database.read(loadRegistry), field, context.ids.uuid())
    const decision: Decision = { ...given, request_field_id: row.id, kind: 'linked' }
    const { registry, planned } = await prepareDecisions(context, connection, { rows: [row], mappings: [] }, [decision])
    const [plan] = planned
    if (plan === undefined) throw new Error('a link was validated and is missing')
    const file = await makeFile(context, registry, plan)
    const link = await context.database.transaction((tx) => storeLink(context, tx, connection, { field, plan, file }))
    if (link !== null) return link
  }
  throw new Error(`connection ${name.id}: the linked value changed during each of ${ATTEMPTS} attempts`)
}

function rowOf(registry: Registry, { slug, label, type, verified }: LinkedField, id: string): AskedRow {
  const resolved = resolveType(registry, type)
  return {
    id,
    slug,
    label,
    type,
    field_type: { ...resolved },
    lane: resolved.lane ?? 'inline',
    one_time: false,
    mandatory_provide: false,
    mandatory_connected: false,
    audience: 'both',
    verified: verified !== null,
    verified_max_age_days: verified?.maxAgeDays ?? null,
    plugin: null,
  }
}

interface PlannedLink {
  readonly field: LinkedField
  readonly plan: Planned
  readonly file: MadeFile | null
}

/** Null when the value has changed since it was validated. */
async function storeLink(
  context: CustomerContext,
  tx: Tx,
  connection: Connection,
  { field: { flowId, slug, type }, plan, file }: PlannedLink,
): Promise<FlowLink | null> {
  const { source, content, row } = plan
  if (source === null) throw new Error('a linked value has no field')
  if (!(await lockAccountForShare(tx, connection.accountId))) throw refuse('auth.token_invalid')
  if (!(await lockSources(tx, connection, [plan]))) return null
  const locked = await lockConnection(tx, connection)
  if (locked === null) throw connectionNotFound()
  const at = context.clock.now()
  const rev = await takeRevs(tx, locked, 1, at)
  const link: FlowLink = {
    connectionId: locked.id,
    flowId,
    slug,
    rev,
    type,
    lane: row.lane,
    sourceFieldId: source.value.fieldId,
    isOpen: true,
    isStale: false,
    linkedAt: at,
  }
  await deleteOpenLink(tx, locked, link)
  await insertFlowLink(tx, locked.accountId, link)
  if (file !== null) await keepObject(tx, file.objectKey)
  const change: LinkChange = {
    act: 'set_link',
    flow_id: flowId,
    slug,
    rev,
    type,
    is_private: source.value.isPrivate,
    value: content.from === 'wrapper' ? content.wrapper : null,
    file: file === null ? null : fileToWire(file),
    attested: attestationToWire(source.attestation),
    at: formatInstant(at),
  }
  await tellChanges(context, tx, locked, [{ change, file }])
  return link
}

/** False without a link. */
export function removeFlowLink(
  context: CustomerContext,
  name: ConnectionName,
  flowId: string,
  slug: string,
): Promise<boolean> {
  return context.database.transaction(async (tx) => {
    const locked = await lockConnection(tx, name)
    const link = locked === null ? null : await findFlowLink(tx, name, flowId, slug)
    if (locked === null || link === null) return false
    const at = context.clock.now()
    await deleteOpenLink(tx, locked, link)
    const change = linkDropToWire(link, await takeRevs(tx, locked, 1, at), at)
    await tellChanges(context, tx, locked, [{ change, file: null }])
    return true
  })
}
