import type { ClientId, ClientKind, ServiceId, UserId } from '@sealpost/kernel'

/** What the gates know of a client that lives in this region. */
export interface ClientState {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly companyId: UserId
  readonly serviceId: ServiceId | null
  readonly epoch: number
  readonly patterns: readonly string[]
}
