import type { KoaContextWithOIDC } from 'oidc-provider'

/** What the engine advertises and we serve; it always adds what belongs to sign-in. */
const SERVED = [
  'issuer',
  'token_endpoint',
  'jwks_uri',
  'grant_types_supported',
  'response_types_supported',
  'token_endpoint_auth_methods_supported',
]

/** Keeps a discovery document to what is served. */
export async function shapeDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.status !== 200 || ctx.oidc?.route !== 'discovery') return
  const advertised: object = ctx.body ?? {}
  ctx.body = Object.fromEntries(Object.entries(advertised).filter(([member]) => SERVED.includes(member)))
}
