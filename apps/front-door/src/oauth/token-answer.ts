import { type ErrorKey, errorCatalog, type RegionAddress } from '@sealpost/protocol'
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

/** Grants that exist, though no client is registered for one yet: the engine does not know them. */
const GRANTS_OF_NOBODY: readonly unknown[] = ['authorization_code', 'refresh_token']

type Body = Readonly<Record<string, unknown>>
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
        : refusalBody(ctx.status, ctx.body, ctx.oidc.params?.['grant_type'])
  }
}

function refusalBody(status: number, body: Body, grant: unknown): Body {
  if (status >= 500) return bodyOf('server_error', 'platform.internal_error')
  if (body['error'] === 'unsupported_grant_type' && GRANTS_OF_NOBODY.includes(grant))
    return bodyOf('unauthorized_client', 'oauth.unauthorized_client')
  return { ...body, error_key: keyOfCode(body['error']) }
}

function bodyOf(code: string, key: ErrorKey): Body {
  return { error: code, error_description: errorCatalog[key].sentence, error_key: key }
}

function keyOfCode(code: unknown): ErrorKey {
  const known = Object.entries(KEY_OF_CODE).find(([name]) => name === code)
  return known === undefined ? 'oauth.invalid_request' : known[1]
}

function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
