import { AUDIENCE } from '@sealpost/access-token'
import { type Clock, type Ids, type Keyring, Secret } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { readJwks, type RegionAddress, requestToken } from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import Provider, { type Configuration } from 'oidc-provider'
import { clientAdapter, type ClientFacts, factsOf } from './client-adapter.ts'
import { checkClientSecret, type ClientSecretNeeds } from './client-secret.ts'
import { shapeDiscovery } from './discovery.ts'
import type { SigningKeys } from './signing-keys.ts'
import { shapeTokenAnswer } from './token-answer.ts'

export interface OAuthNeeds {
  readonly issuer: string
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly pepper: Keyring
  readonly regions: readonly RegionAddress[]
  readonly signingKeys: SigningKeys
  readonly telemetry: Telemetry
}

const ACCESS_TOKEN_SECONDS = 3600
const API_RESOURCE = 'urn:sealpost:api'

/** The certified OAuth engine, told where our clients rest and what our tokens say. */
export function createOAuthProvider(needs: OAuthNeeds): Provider {
  const provider = new Provider(needs.issuer, configuration(needs))
  // Makes the engine take the scheme of its links from a header, which routes/oauth.ts has set.
  provider.proxy = true
  compareSecretsByKeyedHash(provider, needs)
  provider.use(shapeTokenAnswer(needs.regions))
  provider.use(shapeDiscovery)
  provider.on('server_error', (ctx, error) => {
    const request_id = ctx.response.get('x-request-id')
    needs.telemetry.log.error({ err: error, route: ctx.oidc.route, request_id }, 'the OAuth engine failed')
  })
  return provider
}

function configuration(needs: OAuthNeeds): Configuration {
  return {
    adapter: clientAdapter(needs.database),
    jwks: { keys: [...needs.signingKeys.privateKeys.reveal()] },
    routes: { token: requestToken.path, jwks: readJwks.path },
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    extraClientMetadata: { properties: ['facts'] },
    scopes: ['openid'],
    responseTypes: [],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // Lets a page on any origin read the discovery documents; token requests from browsers are judged by APP_ORIGINS.
    clientBasedCORS: () => false,
    // A browser gets the same JSON as everybody else: there is no page of ours for it to land on.
    renderError: (ctx, out) => {
      ctx.body = out
    },
    ttl: { ClientCredentials: ACCESS_TOKEN_SECONDS },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => API_RESOURCE,
        getResourceServerInfo: () => ({
          audience: AUDIENCE,
          scope: '',
          accessTokenFormat: 'jwt',
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    extraTokenClaims: (ctx) => tokenClaims(factsOf(ctx.oidc.client), needs.ids),
    formats: {
      customizers: {
        jwt: (ctx, _token, { payload }) => {
          const facts = factsOf(ctx.oidc.client)
          // The engine names the client as subject; for an account client it is the company that the client acts for.
          if (facts.kind === 'acct') payload['sub'] = facts.userId
          // The engine reads the machine's clock; ours is an argument.
          payload['iat'] = Math.floor(needs.clock.now() / 1000)
          payload['exp'] = Math.floor(needs.clock.now() / 1000) + ACCESS_TOKEN_SECONDS
        },
      },
    },
  }
}

function tokenClaims(facts: ClientFacts, ids: Ids): Record<string, unknown> {
  return { rgn: facts.region, ut: facts.userType, ep: facts.epoch, sid: ids.uuid() }
}

/** The one override of the engine's own code: it would compare secrets as text, and we only hold keyed hashes. */
function compareSecretsByKeyedHash(provider: Provider, needs: ClientSecretNeeds): void {
  const prototype: { compareClientSecret?: unknown } = provider.Client.prototype
  prototype.compareClientSecret = function compare(this: InstanceType<Provider['Client']>, presented: string) {
    return checkClientSecret(needs, factsOf(this), new Secret(presented))
  }
}
