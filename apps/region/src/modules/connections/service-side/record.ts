import { type ConnectionId, formatInstant, type Instant, type RequestFieldId } from '@sealpost/kernel'
import type { Attested, Connection, ConnectionValue } from '@sealpost/protocol'
import type { KnownRows } from './request-rows.ts'
import { type RecordRow, type RecordSlot, readSlots } from './store/records.ts'

/** A connection as the wire shows it. Slots of rows that are not published any more are left out. */
export function showConnection(row: RecordRow, known: KnownRows, now: Instant): Connection {
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
    const value = showValue(slot, id, now)
    record.values[slug] = value
    record.values_private[slug] = slot.isPrivate
    // A value that was never edited has both times in one.
    const provided_at = slot.providedAt === slot.updatedAt ? value.updated_at : formatInstant(slot.providedAt)
    record.fields.push({ slug, label, type, service_field_id: field, live: slot.live, provided_at })
  }
  for (const { id: field, slug } of known.asked[customerType]) {
    if (!decided.has(field)) record.pending_consent.push(slug)
  }
  return record
}

function showValue(slot: RecordSlot, id: ConnectionId, now: Instant): ConnectionValue {
  return {
    ...(slot.value === null ? showFile(slot, id, now) : { value: slot.value }),
    live: slot.live,
    updated_at: formatInstant(slot.updatedAt),
    ...(slot.attested ?? NOT_ATTESTED),
  }
}

function showFile({ field, sha256, expiresAt }: RecordSlot, id: ConnectionId, now: Instant) {
  const file = { value_url: fileUrl(id, field), content_sha256: sha256 ?? '' }
  if (expiresAt === null || expiresAt > now) return file
  return { ...file, expired: true, expired_at: formatInstant(expiresAt) }
}

/** Path-absolute: the reader knows the base. */
export function fileUrl(id: ConnectionId, field: RequestFieldId): string {
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
} as const satisfies { readonly [Member in keyof Attested]: null }
