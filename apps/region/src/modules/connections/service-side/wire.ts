import { type Registry, resolveType } from '@sealpost/field-types'
import { type ConnectionId, formatInstant, type Instant, type RequestFieldId } from '@sealpost/kernel'
import type { AskedRow, Attested, Connection, ConnectionValue } from '@sealpost/protocol'
import type { JsonObject } from '../../feed/index.ts'
import type { RequestRow } from '../../services/index.ts'
import type { ConnectionSummary, FlowValueRow, KnownRows, RecordRow, RecordSlot, SlotRow } from './model.ts'
import { laneOf } from './rules/rows.ts'
import { liveAttested } from './rules/slot-content.ts'
import { readSlots } from './store/records.ts'

/** Slots of rows that are no longer published are left out. */
export function connectionToWire(
  row: RecordRow,
  known: KnownRows,
  now: Instant,
  flowValues: readonly FlowValueRow[] = [],
): Connection {
  const { id, customerId, customerType } = row
  const decided = new Map(readSlots(row.slots).map((slot) => [slot.field, slot]))
  const record: Connection = {
    id,
    connection_id: id,
    person_id: customerId,
    user_id: customerId,
    display_name: row.displayName,
    connected_at: formatInstant(row.connectedAt),
    customer_type: customerType,
    share_code: row.shareCode,
    status: 'connected',
    values: {},
    values_private: {},
    pending_consent: [],
    fields: [],
  }
  for (const { id: field, slug, label, type } of known.all) {
    const slot = decided.get(field)
    if (slot?.isAnswered !== true) continue
    const value = valueToWire(slot, id, now)
    record.values[slug] = value
    record.values_private[slug] = slot.isPrivate
    // Formatted once where both times are equal: the value was never edited.
    const provided_at = slot.providedAt === slot.updatedAt ? value.updated_at : formatInstant(slot.providedAt)
    record.fields.push({ slug, label, type, service_field_id: field, live: slot.live, provided_at })
  }
  const filled = addFlowValues(record, known, flowValues, now)
  for (const { id: field, slug } of known.asked[customerType]) {
    if (!decided.has(field) && !filled.has(field)) record.pending_consent.push(slug)
  }
  return record
}

/** The newer of two values of one slug is shown. Answers the request fields that values of flows fill. */
function addFlowValues(
  record: Connection,
  known: KnownRows,
  values: readonly FlowValueRow[],
  now: Instant,
): ReadonlySet<RequestFieldId> {
  const filled = new Set<RequestFieldId>()
  for (const flow of values) {
    const row = flow.requestFieldId === null ? undefined : known.byId.get(flow.requestFieldId)
    if (row !== undefined) filled.add(row.id)
    const present = record.values[flow.slug]
    const value = flowValueToWire(flow, now)
    if (present !== undefined && present.updated_at > value.updated_at) continue
    record.values[flow.slug] = value
    record.values_private[flow.slug] = flow.isPrivate
    if (present !== undefined || row === undefined) continue
    const { id: service_field_id, slug, label, type } = row
    record.fields.push({
      slug,
      label,
      type,
      service_field_id,
      live: flow.live,
      provided_at: formatInstant(flow.providedAt),
    })
  }
  return filled
}

function flowValueToWire(flow: FlowValueRow, now: Instant): ConnectionValue {
  const { value, sha256, flowId } = flow
  return {
    ...(value === null ? { value_url: flowFileUrl(flow), content_sha256: sha256 ?? '' } : { value }),
    live: flow.live,
    updated_at: formatInstant(flow.updatedAt),
    ...(liveAttested(flow.attested, now) ?? NOT_ATTESTED),
    flow_id: flowId,
  }
}

function flowFileUrl({ connectionId, flowId, runId, slug, live }: FlowValueRow): string {
  return live
    ? `/api/company-data/connections/${connectionId}/flow-links/${flowId}/${slug}/file`
    : `/api/company-data/flow-runs/${runId}/slots/${slug}/file`
}

/** The members of an event about a value of a flow. */
export function flowSlotToWire(flow: FlowValueRow, now: Instant): JsonObject {
  const { slug, type, value, flowId, live } = flow
  const content = value === null ? { value_url: flowFileUrl(flow) } : { value }
  return { slug, type, live, ...content, ...attestedToWire(flow, now), flow_id: flowId }
}

function valueToWire(slot: RecordSlot, id: ConnectionId, now: Instant): ConnectionValue {
  return {
    ...(slot.value === null ? fileToWire(slot, id, now) : { value: slot.value }),
    live: slot.live,
    updated_at: formatInstant(slot.updatedAt),
    ...(liveAttested(slot.attested, now) ?? NOT_ATTESTED),
    ...signatureToWire(slot.senderSignature),
  }
}

function signatureToWire(signature: string | null): { readonly sender_signature?: string } {
  return signature === null ? {} : { sender_signature: signature }
}

function fileToWire({ field, sha256, expiresAt }: RecordSlot, id: ConnectionId, now: Instant) {
  const file = { value_url: fileUrl(id, field), content_sha256: sha256 ?? '' }
  if (expiresAt === null || expiresAt > now) return file
  return { ...file, expired: true, expired_at: formatInstant(expiresAt) }
}

/** Path-absolute: the reader knows the base. */
function fileUrl(id: ConnectionId, field: RequestFieldId): string {
  return `/api/company-data/connections/${id}/slots/${field}/file`
}

const NOT_ATTESTED = {
  verified_hash: null,
  verified_salt: null,
  verified_at: null,
  verified_expires_at: null,
  verified_method: null,
  verified_provider: null,
  verification_id: null,
} as const satisfies { readonly [Member in Exclude<keyof Attested, 'verified_statement'>]: null }

/** Has no values: managers of the service see it. */
export function summaryToWire(summary: ConnectionSummary) {
  const { id, customerId, customerType, shareCode, displayName, publicKey } = summary
  return {
    id,
    connection_id: id,
    person_id: customerId,
    user_id: customerId,
    customer_type: customerType,
    share_code: shareCode,
    display_name: displayName,
    public_key: publicKey,
  }
}

/** The members of an event about an answered slot. */
export function slotToWire(slot: SlotRow, { slug, type }: RequestRow, now: Instant): JsonObject {
  const { connectionId, field, live, value, senderSignature } = slot
  const content = value === null ? { value_url: fileUrl(connectionId, field) } : { value }
  return { slug, type, live, ...content, ...attestedToWire(slot, now), ...signatureToWire(senderSignature) }
}

/**
 * Empty for a value that never had an attestation, nulls after it was lost or has expired. Method, provider and id are
 * either all present or all absent.
 */
function attestedToWire(
  { attested: stored, wasAttested }: Pick<SlotRow, 'attested' | 'wasAttested'>,
  now: Instant,
): JsonObject {
  const attested = liveAttested(stored, now)
  if (attested === null) return wasAttested ? NOT_ATTESTED : {}
  if (attested.verified_method !== null) return { ...attested }
  const { verified_hash, verified_salt, verified_at, verified_expires_at } = attested
  return { verified_hash, verified_salt, verified_at, verified_expires_at }
}

export function requestRowToWire(registry: Registry, row: RequestRow): AskedRow {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    field_type: { ...resolveType(registry, row.type) },
    lane: laneOf(registry, row),
    one_time: row.oneTime,
    mandatory_provide: row.mandatoryProvide,
    mandatory_connected: row.mandatoryConnected,
    audience: row.audience,
    verified: row.verified,
    verified_max_age_days: row.verifiedMaxAgeDays,
    plugin: row.plugin,
  }
}
