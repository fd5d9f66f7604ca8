import type { ClientId, RegionCode, UserId } from '@sealpost/kernel'
import type { JWK } from 'jose'

/** Contains a secret: never stored, never logged. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>
  readonly authorization: string | null
}

export interface RelayedAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
}

/** The asks of this module to the global directory; `bus.ts` sends them. */
export interface ClientDirectory {
  raiseEpoch(client: { readonly clientId: ClientId; readonly userId: UserId }): Promise<{ readonly epoch: number }>
  findHome(question: HomeQuestion): Promise<RegionCode | null>
  listSigningKeys(): Promise<readonly JWK[]>
  /** Sets or clears the out-of-order flag of this region in `GET /api/regions`. */
  flagRegion(outOfOrder: boolean): Promise<void>
  relayToken(request: TokenRequest): Promise<RelayedAnswer>
}

/** The account, or the client whose owner's home is meant. */
export type HomeQuestion =
  | { readonly userId: UserId; readonly clientId: null }
  | { readonly userId: null; readonly clientId: ClientId }
