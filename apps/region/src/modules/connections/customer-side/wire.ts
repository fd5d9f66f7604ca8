import type { Attachment } from '@sealpost/bus'
import type { ConnectionId, Instant, Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { CustomerFacts, ServiceFacts, SlotAnswer, SlotChange } from '@sealpost/protocol'
import type { Connection, ServiceAddress } from './connection.ts'

/** What this side asks and tells the service's side; `bus/customer.ts` carries it. What asks may find nobody. */
export interface CustomerWire {
  lookUp(
    company: { readonly companyId: UserId; readonly region: string },
    named: ServiceName,
  ): Promise<ServiceFacts | null>
  /** The name of the copy; null when the service took none. */
  takeFile(service: ServiceAddress, file: OfferedFile): Promise<string | null>
  connect(service: ServiceAddress, opening: Opening): Promise<Connected>
  end(connection: Connection): Promise<'ended' | 'gone' | 'active_contract'>
  /** Null when the card shows no such photo. */
  readCardPhoto(service: ServiceAddress, photoId: string): Promise<OfferedPhoto | null>
  /** Ordered by the connection. A file that a change names is the attachment, so such a tell has one change. */
  tellSlots(tx: Tx, connection: Connection, changes: SlotChange[], attachment?: Attachment): Promise<void>
  tellGone(tx: Tx, gone: GoneCustomer): Promise<void>
  tellRenamed(tx: Tx, to: string, renamed: RenamedCustomer): Promise<void>
  tellRejected(tx: Tx, rejected: RejectedRequest): Promise<void>
}

export type ServiceName = { readonly code: string } | { readonly serviceId: string }

export interface OfferedFile {
  readonly url: Secret<string>
  readonly sha256: string
  readonly bytes: number
}

export interface OfferedPhoto extends OfferedFile {
  readonly contentType: string
}

export interface Opening {
  readonly connectionId: ConnectionId
  readonly customer: CustomerFacts
  readonly answers: SlotAnswer[]
  /** Request row -> the copy that `takeFile` named. */
  readonly files: Record<string, string>
  readonly requestId: string | null
}

export type Connected =
  | { readonly outcome: 'connected'; readonly connectedAt: Instant; readonly facts: ServiceFacts }
  | {
      readonly outcome: 'exists'
      readonly connectionId: ConnectionId
      readonly connectedAt: Instant
      readonly facts: ServiceFacts
    }
  | { readonly outcome: 'no_service' | 'audience' | 'no_request' }
  | { readonly outcome: 'mandatory_missing'; readonly slugs: string[] }
  | { readonly outcome: 'invalid'; readonly details: { path: string; message: string }[] }

export interface GoneCustomer extends ServiceAddress {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly isErased: boolean
}

export interface RenamedCustomer {
  readonly accountId: UserId
  readonly displayName: string
  readonly rev: number
}

export interface RejectedRequest extends ServiceAddress {
  readonly accountId: UserId
  readonly requestId: string
  readonly at: Instant
}
