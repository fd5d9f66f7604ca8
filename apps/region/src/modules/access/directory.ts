import type { ClientId, ClientKind, RegionCode, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { JWK } from 'jose'

/** What this module asks of the global directory; `bus.ts` carries it. */
export interface ClientDirectory {
  putClient(client: DirectoryClient): Promise<{ readonly epoch: number }>
  raiseEpoch(client: { readonly clientId: ClientId; readonly userId: UserId }): Promise<{ readonly epoch: number }>
  findHome(clientId: ClientId): Promise<RegionCode | null>
  listSigningKeys(): Promise<readonly JWK[]>
}

export interface DirectoryClient {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly userId: UserId
  readonly serviceId: ServiceId | null
  readonly secret: Secret<string>
}
