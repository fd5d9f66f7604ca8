import type { ConnectionId, Instant, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { Attested, SlotFile } from '@sealpost/protocol'

export type CustomerType = 'person' | 'company'

/** A connection as the service's side holds it, without what its slots hold. */
export interface HeldConnection {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly customerId: UserId
  readonly customerRegion: string
  readonly customerType: CustomerType
  readonly shareCode: string
  readonly displayName: string
  /** What others seal to for this customer; for a company the key of its account. */
  readonly publicKey: string
  readonly connectedAt: Instant
  /** Agreements and subscriptions that keep it from being ended. */
  readonly openContracts: number
}

/** An answer as a slot holds it: sealed text, or a file in our own object store. */
export interface SlotContent {
  readonly requestFieldId: RequestFieldId
  readonly rev: number
  readonly live: boolean
  readonly isPrivate: boolean
  readonly value: string | null
  readonly file: HeldFile | null
  readonly attested: Attested | null
  readonly at: Instant
  /** Null unless it is a file that was shared once. */
  readonly expiresAt: Instant | null
}

/** The object holds exactly the bytes that the file route answers. */
export interface HeldFile {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly contentType: string
  readonly form: SlotFile['form']
}
