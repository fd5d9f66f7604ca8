import type { Brand, Instant, UserId } from '@sealpost/kernel'
import type { HintKind } from '@sealpost/protocol'

/** A change that the devices of a person should read again. */
export interface NewHint {
  readonly accountId: UserId
  readonly kind: HintKind
  /** Of the object that changed; see `hintKinds`. */
  readonly id: string
  /** When nothing is left to do about it: the end of a challenge. A push message is not delivered later. */
  readonly expiresAt?: Instant
}

export interface StoredHint {
  readonly accountId: UserId
  readonly seq: number
  readonly kind: string
  readonly id: string
}

export type SubscriptionId = Brand<string, 'SubscriptionId'>

export interface Subscription {
  readonly accountId: UserId
  readonly id: SubscriptionId
  readonly deviceId: string
  readonly endpoint: string
  readonly p256dh: Uint8Array
  readonly auth: Uint8Array
  readonly createdAt: Instant
}
