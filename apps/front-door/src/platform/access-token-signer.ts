import { AUDIENCE } from '@sealpost/access-token'
import type { Clock, Ids, RegionCode, UserId } from '@sealpost/kernel'
import { SignJWT } from 'jose'
import { findSigningKey, type SigningKeys } from './signing-keys.ts'

export const ACCESS_TOKEN_SECONDS = 3600

/** The claims of a token that differ from token to token. */
export interface NewAccessToken {
  readonly subject: string
  /** A machine client, or `portal_web` and `person_app`. */
  readonly clientId: string
  /** The home region of the account whose data the token is for. */
  readonly region: RegionCode
  readonly userType: 'person' | 'company'
  /** The client's epoch; 0 for first-party apps, which have none. */
  readonly epoch: number
  readonly sessionId: string
  /** The company that a delegate acts for. */
  readonly actingFor?: UserId
}

export interface AccessTokenSigner {
  sign(token: NewAccessToken): Promise<string>
}

export interface SignerOptions {
  readonly issuer: string
  readonly clock: Clock
  readonly ids: Ids
  readonly signingKeys: SigningKeys
}

/** Signs access tokens that the OAuth engine does not issue, with the same key and the same claims. */
export function createAccessTokenSigner({ issuer, clock, ids, signingKeys }: SignerOptions): AccessTokenSigner {
  const { kid, importing } = findSigningKey(signingKeys)
  const header = { alg: 'ES256', typ: 'at+jwt', kid }
  return {
    async sign(token) {
      const iat = Math.floor(clock.now() / 1000)
      const claims = { client_id: token.clientId, rgn: token.region, ut: token.userType, ep: token.epoch }
      const acting = token.actingFor === undefined ? {} : { acc: token.actingFor }
      return new SignJWT({ ...claims, ...acting, sid: token.sessionId })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(token.subject)
        .setIssuedAt(iat)
        .setExpirationTime(iat + ACCESS_TOKEN_SECONDS)
        .setJti(ids.uuid())
        .sign(await importing)
    },
  }
}
