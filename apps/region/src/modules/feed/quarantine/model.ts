import type { Instant, UserId } from '@sealpost/kernel'
import type { FeedOwner, OwnerId, StoredEvent } from '../model.ts'

/** An event that a reader met and that does not match the schema of its kind. */
export interface Misfit {
  readonly no: number
  /** Names members, never values. */
  readonly reason: string
}

/** An event that waits for an operator, as it was stored. */
export interface QuarantinedEvent extends StoredEvent {
  readonly ownerId: OwnerId
  readonly accountId: UserId
  readonly ownerKind: FeedOwner['kind']
  /** The channel on which it was met first. */
  readonly reader: string
  readonly reason: string
  readonly quarantinedAt: Instant
}

/** `obsolete`: a later event of its key has replaced it, or what it tells is gone. */
export type Retried =
  | { readonly outcome: 'unknown' | 'delivered' | 'obsolete' }
  | { readonly outcome: 'misfit'; readonly reason: string }
