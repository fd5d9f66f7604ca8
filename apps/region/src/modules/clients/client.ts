import type { ClientId, ClientKind, Instant, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Capability } from '@sealpost/protocol'

/** `begun`: the directory may not have it yet. `ending`: it may still have it. Only a `live` client is shown to anybody. */
export type ClientState = 'begun' | 'live' | 'ending'

/** A client as this region holds it. */
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
  readonly rev: number
  readonly state: ClientState
  readonly createdAt: Instant
}

/** Which client is meant; the owner is always part of the name. */
export type ClientName = Pick<Client, 'companyId' | 'clientId'>

export interface IssuedClient {
  readonly clientId: ClientId
  readonly secret: Secret<string>
}
