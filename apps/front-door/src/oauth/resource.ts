import { AUDIENCE } from '@sealpost/access-token'
import type { ResourceServer } from 'oidc-provider'
import { ACCESS_TOKEN_SECONDS } from './access-token-signer.ts'

/** What every access token is for, in the engine's words. */
export const API_RESOURCE = 'urn:sealpost:api'

export function apiResource(): ResourceServer {
  return {
    audience: AUDIENCE,
    scope: 'openid',
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: 'ES256' } },
  }
}
