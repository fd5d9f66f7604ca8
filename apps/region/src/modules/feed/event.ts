import type { ConnectionId, EventId, Instant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { CustomerEventKind, ServiceEventKind } from '@sealpost/protocol'
import type { FeedOwner } from './owner.ts'

export type EventKind = ServiceEventKind | CustomerEventKind

export type JsonObject = Readonly<Record<string, unknown>>

export interface NewEvent {
  readonly owner: FeedOwner
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  /**
   * The members beyond `id`, `event`, `at`, `connection_id` and `service_id`. A `request_field_id` is for the resolver
   * and never leaves.
   */
  readonly payload: JsonObject
  /** `collapseKey()` of the protocol: a later event of the same key hides this one while both wait. */
  readonly key: string | null
}

export interface StoredEvent {
  readonly id: EventId
  /** Its place in the owner's feed. */
  readonly no: number
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  readonly payload: JsonObject
  readonly at: Instant
}

export interface ResolvedEvent {
  readonly event: EventKind
  /** Laid over the stored payload. */
  readonly members: JsonObject
}

/** Says what events tell at the moment of their delivery, a whole page at once; one that it leaves out is not delivered. */
export interface FeedResolver {
  resolve(read: Read, owner: FeedOwner, events: readonly StoredEvent[]): Promise<ReadonlyMap<EventId, ResolvedEvent>>
}

export type FeedResolvers = Partial<Record<EventKind, FeedResolver>>
