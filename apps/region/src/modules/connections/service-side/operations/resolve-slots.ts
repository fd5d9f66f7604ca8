import type { ConnectionId, EventId, Instant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { FeedOwner, ResolvedEvent, StoredEvent } from '../../../feed/index.ts'
import { listRequestRows, type RequestRow } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { FlowValueRow, SlotRow } from '../model.ts'
import { listFlowValues } from '../store/flow-values.ts'
import { listSlotRows } from '../store/records.ts'
import { flowSlotToWire, slotToWire } from '../wire.ts'

/**
 * An event about a slot shows the slot's content at the time the event is read, and not at the time it was written. An
 * update of a value that has been deleted since becomes a deletion, and the other way round; an accepted consent keeps its
 * kind. The slot is that of the request row: a later row with the same slug has events of its own.
 */
export async function resolveSlots(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  read: Read,
  owner: FeedOwner,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<EventId, ResolvedEvent>> {
  if (owner.kind !== 'service') return new Map()
  const rows = await listRequestRows(read, owner.companyId, owner.serviceId)
  const slots = await loadSlots(read, owner, rows, events)
  const published = new Map<unknown, RequestRow>(rows.map((row) => [row.id, row]))
  const now = clock.now()
  const flowEvents = events.filter(isOfFlow)
  const flowValues =
    flowEvents.length === 0
      ? []
      : await listFlowValues(
          read,
          owner.serviceId,
          flowEvents.flatMap(({ connectionId }) => connectionId ?? []),
        )
  return new Map(
    events.map((event) => {
      if (isOfFlow(event)) return [event.id, resolveFlowValue(event, flowValues, now)] as const
      return [event.id, resolve(event, published.get(fieldOf(event)), slots, now)] as const
    }),
  )
}

function isOfFlow({ payload }: StoredEvent): boolean {
  return payload['flow_id'] !== undefined
}

function resolveFlowValue(event: StoredEvent, values: readonly FlowValueRow[], now: Instant): ResolvedEvent {
  const slug = slugOf(event)
  const value = values.find((one) => one.connectionId === event.connectionId && one.slug === slug)
  if (value === undefined) return { event: 'field_deleted', members: { slug } }
  return { event: 'field_updated', members: flowSlotToWire(value, now) }
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
  const named = new Set(events.map(fieldOf))
  const fields = rows.filter(({ id }) => named.has(id)).map(({ id }) => id)
  const slots = await listSlotRows(read, serviceId, [...connections], fields)
  return Map.groupBy(slots, ({ connectionId }) => connectionId)
}

function resolve(
  event: StoredEvent,
  row: RequestRow | undefined,
  byConnection: SlotsByConnection,
  now: Instant,
): ResolvedEvent {
  const slot = byConnection.get(event.connectionId)?.find(({ field }) => field === row?.id)
  const isConsent = event.kind === 'consent_accepted'
  if (row !== undefined && slot !== undefined)
    return { event: isConsent ? 'consent_accepted' : 'field_updated', members: slotToWire(slot, row, now) }
  const slug = row?.slug ?? slugOf(event)
  if (!isConsent) return { event: 'field_deleted', members: { slug } }
  return { event: 'consent_accepted', members: { slug, ...(row === undefined ? {} : { type: row.type }), value: null } }
}

function fieldOf({ payload }: StoredEvent): unknown {
  return payload['request_field_id']
}

function slugOf({ payload }: StoredEvent): string {
  return String(payload['slug'])
}
