import type { PassphraseWrap } from '@sealpost/crypto'
import type { Instant, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'

/** Whom a service connects with, and whom a request row asks. */
export type Audience = 'person' | 'company' | 'both'

/** How other modules name a service; the company leads every key. */
export interface ServiceName {
  readonly companyId: UserId
  readonly serviceId: ServiceId
}

export interface Service {
  readonly companyId: UserId
  readonly id: ServiceId
  readonly name: string
  readonly shareCode: string
  readonly adminEmail: string
  readonly audience: Audience
  readonly numberMatching: boolean
  /** Portal users and delegates need a second factor to open it. */
  readonly require2fa: boolean
  readonly publicKey: string
  /** Rises with everything that customers may know of the service. */
  readonly rev: number
  readonly createdAt: Instant
}

/** The caller has made the key; the server can open none of it. */
export interface ServiceKeys {
  readonly publicKey: string
  readonly encryptedPrivateKey: PassphraseWrap
}

/** What a service asks of its customers: a slot that each of them fills, or not. */
export interface RequestRow {
  readonly id: RequestFieldId
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly oneTime: boolean
  readonly mandatoryProvide: boolean
  readonly mandatoryConnected: boolean
  readonly audience: Audience
  readonly verified: boolean
  readonly verifiedMaxAgeDays: number | null
  readonly plugin: Readonly<Record<string, unknown>> | null
}

/** A removal of rows that is under way, over all of them. */
export interface Progress {
  readonly done: number
  readonly total: number
}
