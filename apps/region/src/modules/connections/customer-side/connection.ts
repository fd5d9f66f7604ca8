import type { ConnectionId, FieldId, Instant, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { DecisionKind, ServiceFacts } from '@sealpost/protocol'
import type { UserType } from '../../account/index.ts'

/** Who connects: a person, or a company that is a customer of others. */
export interface Customer {
  readonly accountId: UserId
  readonly userType: UserType
}

/** Where a service is found. */
export interface ServiceAddress {
  readonly companyId: UserId
  readonly companyRegion: string
  readonly serviceId: ServiceId
}

/** The customer's half of a connection. */
export interface Connection extends Customer, ServiceAddress {
  readonly id: ConnectionId
  /** Only an `open` one is shown to anybody. */
  readonly state: 'opening' | 'open'
  readonly companyPublicKey: string | null
  readonly servicePublicKey: string
  readonly displayName: string
  readonly openedBy: string | null
  readonly requestId: string | null
  /** The last number given to a change of one of its slots. */
  readonly rev: number
  readonly createdAt: Instant
  readonly connectedAt: Instant | null
}

/** Which connection is meant; the owner is always part of the name. */
export type ConnectionName = Pick<Connection, 'accountId' | 'id'>

/** What the customer decided about a request row. */
export type Mapping = Answered | Declined

export interface Answered extends DecidedRow {
  readonly state: 'answered'
  readonly kind: DecisionKind
  readonly live: boolean
  /** Never leaves this region. */
  readonly sourceFieldId: FieldId | null
}

export interface Declined extends DecidedRow {
  readonly state: 'declined'
}

interface DecidedRow {
  readonly requestFieldId: RequestFieldId
  readonly rev: number
  readonly providedAt: Instant
}

/** What this region knows of a service. */
export interface ServiceCard extends ServiceAddress {
  readonly rev: number
  readonly facts: ServiceFacts
  readonly rowsAt: Instant
  readonly isEnded: boolean
}

export type OpenConnection = Connection & { readonly connectedAt: Instant }

/** An open connection with all that is known of it. */
export interface KnownConnection {
  readonly connection: OpenConnection
  readonly card: ServiceCard
  readonly mappings: readonly Mapping[]
}
