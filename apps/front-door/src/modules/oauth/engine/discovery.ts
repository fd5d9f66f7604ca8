import { readUserInfo } from '@sealpost/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** The members that hold for this server; the engine advertises more. */
const SERVED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'jwks_uri',
  'scopes_supported',
  'response_types_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
]

/** Reduces a discovery document to what is served, and adds what is served without the engine. */
export async function shapeDiscovery(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.status !== 200 || ctx.oidc?.route !== 'discovery') return
  const advertised: object = ctx.body ?? {}
  ctx.body = {
    ...Object.fromEntries(Object.entries(advertised).filter(([member]) => SERVED.includes(member))),
    userinfo_endpoint: `${ctx.oidc.issuer}${readUserInfo.path}`,
    response_modes_supported: ['query', 'detached'],
  }
}
