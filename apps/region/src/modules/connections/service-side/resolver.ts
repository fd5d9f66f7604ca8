import type { ConnectionId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { Attested } from '@sealpost/protocol'
import type { FeedOwner, FeedResolver, JsonObject, ResolvedEvent, StoredEvent } from '../../feed/index.ts'
import { listRequestRows, type RequestRow } from '../../services/index.ts'
import { fileUrl } from './record.ts'
import { listSlotRows, type SlotRow } from './store/records.ts'

/**
 * [Note: state at delivery] An event about a slot says what the slot holds when the event is read, whatever it held when
 * the event was written: an update of a value that is gone by then is a deletion, and the other way round.
 */
export const slotResolver: FeedResolver = {
  async resolve(read, owner, events) {
    if (owner.kind !== 'service') return new Map()
    const rows = await listRequestRows(read, owner.companyId, owner.serviceId)
    const held = await loadSlots(read, owner, rows, events)
    const published = {
      byId: new Map<unknown, RequestRow>(rows.map((row) => [row.id, row])),
      bySlug: new Map<unknown, RequestRow>(rows.map((row) => [row.slug, row])),
    }
    return new Map(events.map((event) => [event.id, resolve(event, published, held)] as const))
  },
}

interface Published {
  readonly byId: ReadonlyMap<unknown, RequestRow>
  readonly bySlug: ReadonlyMap<unknown, RequestRow>
}

/** A customer has few slots: the one that is meant is looked for among them. */
type Held = ReadonlyMap<ConnectionId | null, readonly SlotRow[]>

async function loadSlots(
  read: Read,
  { serviceId }: FeedOwner & { readonly kind: 'service' },
  rows: readonly RequestRow[],
  events: readonly StoredEvent[],
): Promise<Held> {
  const connections = new Set(events.flatMap(({ connectionId }) => connectionId ?? []))
  const slugs = new Set(events.map(slugOf))
  const named = new Set(events.map(fieldOf))
  const fields = rows.filter(({ id, slug }) => named.has(id) || slugs.has(slug)).map(({ id }) => id)
  const slots = await listSlotRows(read, serviceId, [...connections], fields)
  return Map.groupBy(slots, ({ connectionId }) => connectionId)
}

function resolve(event: StoredEvent, { byId, bySlug }: Published, held: Held): ResolvedEvent {
  const slots = held.get(event.connectionId)
  // A slug may have passed to a new row while the values of the old one are still being dropped.
  const candidates = [byId.get(fieldOf(event)), bySlug.get(slugOf(event))]
  for (const row of candidates) {
    const slot = row === undefined ? undefined : slots?.find(({ field }) => field === row.id)
    if (row !== undefined && slot !== undefined) {
      const isConsent = event.kind === 'consent_accepted' && row.id === fieldOf(event)
      return { event: isConsent ? 'consent_accepted' : 'field_updated', members: showSlot(slot, row) }
    }
  }
  return { event: 'field_deleted', members: { slug: candidates[0]?.slug ?? slugOf(event) } }
}

function showSlot({ connectionId, field, live, value, attested }: SlotRow, { slug, type }: RequestRow): JsonObject {
  const content = value === null ? { value_url: fileUrl(connectionId, field) } : { value }
  return { slug, type, live, ...content, ...showAttested(attested) }
}

/** Present only where there is something to say; method, provider and id come together or not at all. */
function showAttested(attested: Attested | null): JsonObject {
  if (attested === null || attested.verified_method !== null) return { ...attested }
  const { verified_hash, verified_salt, verified_at, verified_expires_at } = attested
  return { verified_hash, verified_salt, verified_at, verified_expires_at }
}

function fieldOf({ payload }: StoredEvent): unknown {
  return payload['request_field_id']
}

function slugOf({ payload }: StoredEvent): string {
  return String(payload['slug'])
}
