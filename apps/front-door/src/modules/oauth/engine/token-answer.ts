import { helpLink } from '@sealpost/http'
import {
  type ApiError,
  type ErrorKey,
  errorCatalog,
  isErrorKey,
  oauthErrorBody,
  readErrorsPage,
} from '@sealpost/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Platform } from '../../../platform/module.ts'
import { findRegion } from '../../../platform/regions.ts'
import { issuedConsent } from './account.ts'
import { noteRefusal } from './refused-client.ts'
import { factsOf } from './storage.ts'

/** Our error key for each code of RFC 6749 that the engine can answer. */
const KEY_OF_CODE = {
  invalid_client: 'oauth.bad_client',
  invalid_grant: 'oauth.invalid_grant',
  invalid_request: 'oauth.invalid_request',
  unauthorized_client: 'oauth.unauthorized_client',
  unsupported_grant_type: 'oauth.unsupported_grant_type',
} as const satisfies Record<string, ErrorKey>

const GRANTS: readonly unknown[] = ['client_credentials', 'authorization_code', 'refresh_token']
const SHAPED: readonly unknown[] = ['token', 'revocation']

type Body = Readonly<Record<string, unknown>>
type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** Our refusals that were thrown inside the engine, which reports them as server errors. */
const refusals = new WeakMap<KoaContextWithOIDC, ApiError>()

export function rememberRefusal(ctx: KoaContextWithOIDC, refusal: ApiError): void {
  refusals.set(ctx, refusal)
}

/** Adds the home region's address to a token, and our error key to a refusal. */
export function shapeAnswer(platform: Platform): Middleware {
  return async (ctx, next) => {
    await next()
    if (!SHAPED.includes(ctx.oidc?.route)) return
    ctx.set('cache-control', 'no-store')
    if (!isRecord(ctx.body)) return
    const refusal = refusals.get(ctx)
    if (refusal !== undefined) sendRefusal(ctx, refusal)
    else if (ctx.status === 200) ctx.body = { ...ctx.body, ...ownMembers(platform, ctx) }
    else sendEngineError(ctx, ctx.body)
    addHelp(platform, ctx)
  }
}

function addHelp({ settings }: Platform, ctx: KoaContextWithOIDC): void {
  const key = isRecord(ctx.body) ? ctx.body['error_key'] : undefined
  if (typeof key !== 'string' || !isErrorKey(key)) return
  ctx.set('link', helpLink(`${settings.PUBLIC_URL}${readErrorsPage.path}`, key))
}

function ownMembers(platform: Platform, ctx: KoaContextWithOIDC): Body {
  const mode = ctx.oidc.params?.['grant_type'] === 'authorization_code' ? issuedConsent(ctx)?.mode : undefined
  const region = findRegion(platform, factsOf(platform, ctx.oidc).region)
  return { api_url: region?.apiUrl, ...(mode === undefined ? {} : { mode }) }
}

function sendRefusal(ctx: KoaContextWithOIDC, refusal: ApiError): void {
  ctx.status = refusal.status
  if (refusal.retryAfterSeconds !== undefined) ctx.set('retry-after', String(refusal.retryAfterSeconds))
  ctx.body = oauthErrorBody(refusal)
  noteRefusal(ctx, refusal.key)
}

function sendEngineError(ctx: KoaContextWithOIDC, body: Body): void {
  const { status } = ctx
  const shaped = shapeError(ctx, body)
  ctx.body = shaped
  noteRefusal(ctx, shaped.error_key)
  // Koa resets a status that was not set explicitly when the body changes.
  ctx.status = status
}

function shapeError(ctx: KoaContextWithOIDC, body: Body): Body & { readonly error_key: ErrorKey } {
  if (ctx.status >= 500) return bodyOf('server_error', 'platform.internal_error')
  if (lacksGrant(ctx)) return bodyOf('unauthorized_client', 'oauth.unauthorized_client')
  return { ...body, error_key: keyOfCode(body['error']) }
}

/** A known client that requests a grant type it is not registered for; the engine answers invalid_request. */
function lacksGrant({ oidc, status }: KoaContextWithOIDC): boolean {
  const grant = oidc.params?.['grant_type']
  return (
    status === 400 &&
    typeof grant === 'string' &&
    GRANTS.includes(grant) &&
    oidc.client?.grantTypeAllowed(grant) === false
  )
}

function bodyOf(code: string, key: ErrorKey): Body & { readonly error_key: ErrorKey } {
  return { error: code, error_description: errorCatalog[key].sentence, error_key: key }
}

function keyOfCode(code: unknown): ErrorKey {
  const known = Object.entries(KEY_OF_CODE).find(([name]) => name === code)
  return known === undefined ? 'oauth.invalid_request' : known[1]
}

function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
