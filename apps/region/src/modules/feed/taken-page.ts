import type { WebhookId } from '@sealpost/kernel'
import type { StoredEvent } from './event.ts'
import type { FeedOwner } from './owner.ts'
import type { Lease } from './store/pages.ts'

export interface DrainRequest {
  readonly owner: FeedOwner
  readonly limit: number
  /** Both null for the plain channel. */
  readonly listener: string | null
  readonly webhookId: WebhookId | null
  readonly attemptId: string | null
}

export interface TakenPage {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  /** The same page was answered before. */
  readonly isRepeated: boolean
  /** Null when there is nothing to lease. */
  readonly lease: Lease | null
}

export const NOTHING: TakenPage = { events: [], hasMore: false, isRepeated: false, lease: null }
