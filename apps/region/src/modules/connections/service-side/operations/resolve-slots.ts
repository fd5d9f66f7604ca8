import type { ConnectionId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { FeedOwner, FeedResolver, ResolvedEvent, StoredEvent } from '../../../feed/index.ts'
import { listRequestRows, type RequestRow } from '../../../services/index.ts'
import type { SlotRow } from '../model.ts'
import { listSlotRows } from '../store/records.ts'
import { slotToWire } from '../wire.ts'

/**
 * An event about a slot shows the slot's content at the time the event is read, and not at the time it was written. An
 * update of a value that has been deleted since becomes a deletion, and the other way round.
 */
export const slotResolver: FeedResolver = {
  async resolve(read, owner, events) {
    if (owner.kind !== 'service') return new Map()
    const rows = await listRequestRows(read, owner.companyId, owner.serviceId)
    const slots = await loadSlots(read, owner, rows, events)
    const published = {
      byId: new Map<unknown, RequestRow>(rows.map((row) => [row.id, row])),
      bySlug: new Map<unknown, RequestRow>(rows.map((row) => [row.slug, row])),
    }
    return new Map(events.map((event) => [event.id, resolve(event, published, slots)] as const))
  },
}

interface Published {
  readonly byId: ReadonlyMap<unknown, RequestRow>
  readonly bySlug: ReadonlyMap<unknown, RequestRow>
}

/** A connection has few slots, so the one that an event names is searched linearly. */
type SlotsByConnection = ReadonlyMap<ConnectionId | null, readonly SlotRow[]>

async function loadSlots(
  read: Read,
  { serviceId }: FeedOwner & { readonly kind: 'service' },
  rows: readonly RequestRow[],
  events: readonly StoredEvent[],
): Promise<SlotsByConnection> {
  const connections = new Set(events.flatMap(({ connectionId }) => connectionId ?? []))
  const slugs = new Set(events.map(slugOf))
  const named = new Set(events.map(fieldOf))
  const fields = rows.filter(({ id, slug }) => named.has(id) || slugs.has(slug)).map(({ id }) => id)
  const slots = await listSlotRows(read, serviceId, [...connections], fields)
  return Map.groupBy(slots, ({ connectionId }) => connectionId)
}

function resolve(event: StoredEvent, { byId, bySlug }: Published, byConnection: SlotsByConnection): ResolvedEvent {
  const slots = byConnection.get(event.connectionId)
  // A slug may belong to a new row while the values of the old row are still being deleted.
  const candidates = [byId.get(fieldOf(event)), bySlug.get(slugOf(event))]
  for (const row of candidates) {
    const slot = row === undefined ? undefined : slots?.find(({ field }) => field === row.id)
    if (row !== undefined && slot !== undefined) {
      const isConsent = event.kind === 'consent_accepted' && row.id === fieldOf(event)
      return { event: isConsent ? 'consent_accepted' : 'field_updated', members: slotToWire(slot, row) }
    }
  }
  return { event: 'field_deleted', members: { slug: candidates[0]?.slug ?? slugOf(event) } }
}

function fieldOf({ payload }: StoredEvent): unknown {
  return payload['request_field_id']
}

function slugOf({ payload }: StoredEvent): string {
  return String(payload['slug'])
}
