import type { PassphraseWrap } from '@sealpost/crypto'
import type { ChosenPlugin } from '@sealpost/flow'
import type { Instant, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { CardEntry, logTypes } from '@sealpost/protocol'

/** Who may connect with a service, and which customers a request row asks. */
export type Audience = 'person' | 'company' | 'both'

/** How other modules name a service; every key leads with the company. */
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

/** Of which the company keeps documents or runs. */
export interface DeletedService extends Service {
  readonly deletedAt: Instant
}

export function nameOfService({ companyId, id }: Service): ServiceName {
  return { companyId, serviceId: id }
}

/** Made by the caller; the server cannot open the private key. */
export interface ServiceKeys {
  readonly publicKey: string
  readonly encryptedPrivateKey: PassphraseWrap
}

/** A request field: a slot that each customer of the service may fill. */
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
  /** The plugin that answers it, with its description of the publication. */
  readonly plugin: ChosenPlugin | null
}

/** The business card: the fields and photos of a company that the customers of a service see. */
export interface Card {
  readonly card: readonly CardEntry[]
  readonly photoIds: readonly string[]
}

/** The connections that the running removals of rows have done, over all of them. */
export interface Progress {
  readonly done: number
  readonly total: number
}

export type LogType = (typeof logTypes)[number]

export interface LogEntry {
  readonly type: LogType
  /** A sentence for the administrators of the service; never a value of a customer. */
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface LogRow extends Required<LogEntry> {
  readonly id: string
  readonly createdAt: Instant
}

/** The company of a service, and the user or machine client that changes it. */
export interface Actor {
  readonly companyId: UserId
  /** A user id, or the client id of a machine. */
  readonly actorId: string
}

/** A field of a published flow. It is listed beside the request rows and changes with the flow only. */
export interface FlowRow {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly isRequired: boolean
  /** The answer must follow a field of the customer. */
  readonly isConnected: boolean
  readonly isVerified: boolean
  readonly verifiedMaxAgeDays: number | null
  readonly audience: Audience
  /** The plugin that answers it; null for a field. */
  readonly plugin: ChosenPlugin | null
  readonly flowId: string
  readonly flowName: string
  readonly flowVersion: number
}
