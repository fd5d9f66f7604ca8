import type { ClientId, RegionCode, UserId } from '@sealpost/kernel'
import type { JWK } from 'jose'
import type { RelayedAnswer, TokenRequest } from './token-route.ts'

/** What this module asks of the global directory; `bus.ts` carries it. */
export interface ClientDirectory {
  raiseEpoch(client: { readonly clientId: ClientId; readonly userId: UserId }): Promise<{ readonly epoch: number }>
  findHome(question: HomeQuestion): Promise<RegionCode | null>
  listSigningKeys(): Promise<readonly JWK[]>
  /** Shows everybody that this region is being rebuilt, or no longer. */
  flagRegion(outOfOrder: boolean): Promise<void>
  relayToken(request: TokenRequest): Promise<RelayedAnswer>
}

/** Whose home is asked for: an account's, or that of a client's owner. */
export type HomeQuestion =
  | { readonly userId: UserId; readonly clientId: null }
  | { readonly userId: null; readonly clientId: ClientId }
