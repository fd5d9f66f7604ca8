import { type ClientId, type Instant, instant, type RegionCode } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { JWTPayload } from 'jose'

export const AUDIENCE = 'platform-api'

/** What an access token says once its signature, issuer, audience and times have been found right. */
export interface AccessClaims {
  readonly subject: string
  readonly clientId: ClientId
  readonly expiresAt: Instant
  readonly region: RegionCode
  readonly userType: 'person' | 'company'
  readonly epoch: number
  readonly sessionId: string
}

export function parseClaims(payload: JWTPayload): AccessClaims {
  const { sub, client_id: clientId, exp, rgn, ut, ep, sid } = payload
  const isWhole =
    typeof sub === 'string' &&
    typeof clientId === 'string' &&
    typeof exp === 'number' &&
    typeof rgn === 'string' &&
    (ut === 'person' || ut === 'company') &&
    typeof ep === 'number' &&
    typeof sid === 'string'
  if (!isWhole) throw refuse('auth.token_invalid')
  // oxlint-disable typescript/no-unsafe-type-assertion -- the signature vouches for the brands
  return {
    subject: sub,
    clientId: clientId as ClientId,
    expiresAt: instant(exp * 1000),
    region: rgn as RegionCode,
    userType: ut,
    epoch: ep,
    sessionId: sid,
  }
  // oxlint-enable typescript/no-unsafe-type-assertion
}
