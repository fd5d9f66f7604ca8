import type { ErrorKey, RegionAddress } from '@sealpost/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { factsOf } from './client-adapter.ts'

/** The house's key beside each code of RFC 6749 that the engine can answer. */
const KEY_OF_CODE = {
  invalid_client: 'oauth.bad_client',
  invalid_grant: 'oauth.invalid_grant',
  invalid_request: 'oauth.invalid_request',
  unauthorized_client: 'oauth.unauthorized_client',
  unsupported_grant_type: 'oauth.unsupported_grant_type',
} as const satisfies Record<string, ErrorKey>

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** Adds the home region's address to a token, and the house's key to a refusal. */
export function shapeTokenAnswer(regions: readonly RegionAddress[]): Middleware {
  const apiUrls = new Map<string, string>(regions.map((region) => [region.code, region.apiUrl]))
  return async (ctx, next) => {
    await next()
    if (!isRecord(ctx.body) || ctx.oidc?.route !== 'token') return
    ctx.set('cache-control', 'no-store')
    ctx.body =
      ctx.status === 200
        ? { ...ctx.body, api_url: apiUrls.get(factsOf(ctx.oidc.client).region) }
        : { ...ctx.body, error_key: keyOfCode(ctx.body['error']) }
  }
}

function keyOfCode(code: unknown): ErrorKey {
  const known = Object.entries(KEY_OF_CODE).find(([name]) => name === code)
  return known === undefined ? 'oauth.invalid_request' : known[1]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
