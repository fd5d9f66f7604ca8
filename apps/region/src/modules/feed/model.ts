import type { Brand, ConnectionId, EventId, Instant, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { CustomerEventKind, ServiceEventKind } from '@sealpost/protocol'

/** The owner of a feed: a service, or a company that is a customer of other companies. */
export type FeedOwner =
  | { readonly kind: 'service'; readonly companyId: UserId; readonly serviceId: ServiceId }
  | { readonly kind: 'account'; readonly accountId: UserId }

/** Ids are unique across all kinds, so one column leads the keys of both kinds of owner. */
export type OwnerId = ServiceId | UserId

export function ownerIdOf(owner: FeedOwner): OwnerId {
  return owner.kind === 'service' ? owner.serviceId : owner.accountId
}

export function accountIdOf(owner: FeedOwner): UserId {
  return owner.kind === 'service' ? owner.companyId : owner.accountId
}

export type EventKind = ServiceEventKind | CustomerEventKind

export type JsonObject = Readonly<Record<string, unknown>>

export interface NewEvent {
  readonly owner: FeedOwner
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  /**
   * The members beyond `id`, `event`, `at`, `connection_id` and `service_id`. A `request_field_id` is input for the
   * resolver and never sent.
   */
  readonly payload: JsonObject
  /** `collapseKey()` of the protocol: a later event of the same key hides this one while both are pending. */
  readonly key: string | null
}

export interface StoredEvent {
  readonly id: EventId
  /** Its number in the owner's feed, from 1 without gaps. */
  readonly no: number
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  readonly payload: JsonObject
  readonly at: Instant
  /** The kinds that its reader, a webhook, subscribes to; absent or null: all. It decides about the delivered kind. */
  readonly kinds?: readonly string[] | null
}

export interface ResolvedEvent {
  readonly event: EventKind
  /** Overrides members of the stored payload. */
  readonly members: JsonObject
}

/**
 * [Note: resolved at delivery] Some kinds carry current values: the resolver of the module that owns them reads these
 * when the event is delivered, one call per page. An event that the resolver leaves out is not delivered.
 */
export interface FeedResolver {
  resolve(read: Read, owner: FeedOwner, events: readonly StoredEvent[]): Promise<ReadonlyMap<EventId, ResolvedEvent>>
}

export type FeedResolvers = Partial<Record<EventKind, FeedResolver>>

/** A set of event numbers as a PostgreSQL multirange: `{[1,5),[7,9)}`. */
export type NumberSet = string

export type PageId = Brand<string, 'PageId'>

/** The key of a row of `feed.channel`. */
export interface ChannelKey {
  readonly ownerId: OwnerId
  readonly channel: number
}

/** The key of a webhook queue: its row is a channel of the service's feed. */
export interface QueueKey {
  readonly serviceId: ServiceId
  readonly channel: number
}

/** The lease of a page, held by the call that answers it. */
export interface Lease extends ChannelKey {
  readonly id: PageId
  /** Rises when the page is answered again: an older call that ends late must not end the newer lease. */
  readonly leaseNo: number
  /** The numbers of its events, and those between them that are collapsed or expired. */
  readonly covers: NumberSet
  readonly attemptId: string | null
  /** Not null for a manual drain of a webhook queue. */
  readonly queue: QueueKey | null
}

export interface DrainRequest {
  readonly owner: FeedOwner
  readonly limit: number
  /** Both null for the plain channel. */
  readonly listener: string | null
  readonly webhookId: WebhookId | null
  readonly attemptId: string | null
}

export interface Page {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  /** The same page was answered before. */
  readonly isRepeated: boolean
  /** Null when there is nothing to lease. */
  readonly lease: Lease | null
}

export const EMPTY_PAGE: Page = { events: [], hasMore: false, isRepeated: false, lease: null }
