import type { PassphraseWrap } from '@sealpost/crypto'
import {
  type ClientId,
  type ClientKind,
  type Instant,
  parseClientId,
  type Secret,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
import type { Capability, ClaimsDelivery, DirectoryClient, SigninClaim } from '@sealpost/protocol'

/**
 * `begun`: the directory may not have it yet. `ending`: the directory may still have it. Routes answer `live` ones
 * only.
 */
export type ClientState = 'begun' | 'live' | 'ending'

/** A client as this region stores it. */
export interface Client {
  readonly companyId: UserId
  readonly id: string
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly serviceId: ServiceId | null
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: readonly Capability[]
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  /** Of a sign-in app: its requests may be detached. */
  readonly allowsDetached: boolean
  readonly rev: number
  readonly state: ClientState
  readonly createdAt: Instant
}

/** Identifies a client; the owner is always part of it. */
export type ClientName = Pick<Client, 'companyId' | 'clientId'>

/** Null when the text cannot be a client id. */
export function parseClientName(companyId: UserId, text: string): ClientName | null {
  const clientId = parseClientId(text)
  return clientId === null ? null : { companyId, clientId }
}

export interface IssuedClient {
  readonly clientId: ClientId
  readonly secret: Secret<string>
}

export interface CreatedClient {
  readonly client: Client
  /** Null for a public app. */
  readonly secret: Secret<string> | null
}

export interface RegeneratedSecret {
  readonly clientId: ClientId
  readonly secret: Secret<string>
}

/** The user, client or operator that changes a company's client. */
export interface Actor {
  readonly companyId: UserId
  readonly actorId: string
}

export interface OwnService {
  readonly companyId: UserId
  readonly id: ServiceId
}

export interface SigninApp {
  readonly client: Client
  readonly settings: AppSettings
}

/** The members that only sign-in apps have. */
export interface AppSettings {
  readonly requireTwoFactor: boolean
  readonly claimsDelivery: ClaimsDelivery
  readonly claims: readonly AppClaim[]
  readonly publicKey: string
  readonly encryptedPrivateKey: PassphraseWrap
}

export type ChangeableSettings = Pick<AppSettings, 'requireTwoFactor' | 'claimsDelivery' | 'claims'>

export type AppClaim = SigninClaim

/**
 * The global directory of clients; `bus.ts` sends the asks. Each change answers the client as the directory then has
 * it.
 */
export interface ClientsDirectory {
  put(client: PutClient): Promise<DirectoryClient>
  change(change: ChangeClient): Promise<DirectoryClient>
  /** Resolves also when it was gone already. */
  remove(client: ClientName): Promise<void>
  find(clientId: ClientId): Promise<DirectoryClient | null>
  findOfService(serviceId: ServiceId): Promise<DirectoryClient | null>
  /** All clients of the accounts of this region, a page at a time. */
  list(): AsyncIterable<readonly DirectoryClient[]>
}

/** The id is that of the pending change which sets the secret. */
export interface NewSecret {
  readonly id: string
  readonly value: Secret<string>
}

export interface PutClient {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly companyId: UserId
  readonly serviceId: ServiceId | null
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: readonly string[]
  readonly patterns: readonly string[]
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  readonly allowsDetached: boolean
  readonly secret: NewSecret | null
}

/** Absent members stay unchanged. */
export interface ChangeClient {
  /** The directory does the same change once, however often it is asked. */
  readonly changeId: string
  readonly clientId: ClientId
  readonly companyId: UserId
  readonly name?: string | undefined
  readonly serviceId?: ServiceId | null | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly patterns?: readonly string[] | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly allowsDetached?: boolean | undefined
  readonly secret?: Secret<string> | undefined
  /** The revision and epoch that this region knows: the directory numbers on from there. */
  readonly least: { readonly rev: number; readonly epoch: number }
  /** Refused unless the directory still has this revision. */
  readonly ifRev?: number | undefined
}
