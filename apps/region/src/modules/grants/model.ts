import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { DetachedOutcome } from '@sealpost/protocol'

/** Data of the OAuth engine, which the region stores unread. */
export type Payload = Readonly<Record<string, unknown>>

export interface GrantRow {
  readonly id: string
  readonly user_id: UserId
  readonly client_id: string
  readonly used_in: string
  readonly payload: Payload
  readonly shared_key_id: string | null
  readonly shared: Buffer | null
  readonly ended_at: Instant | null
}

export interface NewGrant {
  readonly id: string
  readonly userId: UserId
  readonly clientId: string
  /** The region of the client's company, which checks the access tokens. */
  readonly usedIn: string
  readonly payload: Payload
  readonly livesSeconds: number
}

/** The values that a user shared with a sign-in app. */
export interface SharedValues {
  readonly values: Readonly<Record<string, string>>
  readonly values_attestation: Readonly<Record<string, string>>
  /** Texts, for an app that takes plaintext. */
  readonly claims?: Readonly<Record<string, string>>
}

export interface TokenName {
  readonly kind: 'code' | 'refresh'
  readonly sha256: Uint8Array
}

export interface AppName {
  readonly companyId: UserId
  readonly clientId: string
  /** Set for a data client, which is presented as its service. */
  readonly serviceId: ServiceId | null
}

/** A detached request, by the hash of its state. */
export interface ResultName {
  readonly companyId: UserId
  readonly clientId: string
  readonly stateSha256: Uint8Array
}

export type DetachedResult =
  | { readonly state: 'pending' | 'over'; readonly outcome: null }
  | { readonly state: 'ready'; readonly outcome: DetachedOutcome }
