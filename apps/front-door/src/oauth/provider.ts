import { type Clock, type Ids, type Keyring, Secret } from '@sealpost/kernel'
import {
  ApiError,
  readJwks,
  type RegionAddress,
  requestToken,
  revokeToken,
  startAuthorization,
} from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import Provider, { type Configuration } from 'oidc-provider'
import { ACCESS_TOKEN_SECONDS } from './access-token-signer.ts'
import { findGrantAccount, type GrantAccountNeeds, issuedConsent } from './account.ts'
import { factsOf } from './client-adapter.ts'
import { checkClientSecret, type ClientSecretNeeds } from './client-secret.ts'
import { shapeDiscovery } from './discovery.ts'
import { demandEntitled } from './entitlement.ts'
import type { GrantAdapterNeeds } from './grant-adapter.ts'
import { API_RESOURCE, apiResource } from './resource.ts'
import type { SigningKeys } from './signing-keys.ts'
import { engineStorage } from './storage.ts'
import { rememberRefusal, shapeAnswer } from './token-answer.ts'

export interface OAuthNeeds extends GrantAdapterNeeds, GrantAccountNeeds {
  readonly issuer: string
  readonly clock: Clock
  readonly ids: Ids
  readonly pepper: Keyring
  readonly regions: readonly RegionAddress[]
  readonly signingKeys: SigningKeys
  readonly telemetry: Telemetry
  /** How long a refresh token lives unless it is used, and how long it can be renewed at most. */
  readonly refreshTtlDays: number
  readonly refreshMaxDays: number
}

const CODE_SECONDS = 60
const DAY_SECONDS = 86_400

/** The certified OAuth engine, told where our clients rest and what our tokens say. */
export function createOAuthProvider(needs: OAuthNeeds): Provider {
  const provider = new Provider(needs.issuer, configuration(needs))
  // Makes the engine take the scheme of its links from a header, which routes/oauth.ts has set.
  provider.proxy = true
  compareSecretsByKeyedHash(provider, needs)
  startIdsWithRegion(provider)
  provider.use(shapeAnswer(needs.regions))
  provider.use(shapeDiscovery)
  provider.on('server_error', (ctx, error) => {
    if (error instanceof ApiError) {
      rememberRefusal(ctx, error)
      return
    }
    const request_id = ctx.response.get('x-request-id')
    needs.telemetry.log.error({ err: error, route: ctx.oidc.route, request_id }, 'the OAuth engine failed')
  })
  return provider
}

function configuration(needs: OAuthNeeds): Configuration {
  return {
    adapter: engineStorage(needs),
    jwks: { keys: [...needs.signingKeys.privateKeys.reveal()] },
    routes: {
      token: requestToken.path,
      jwks: readJwks.path,
      revocation: revokeToken.path,
      // For the discovery documents; what is asked there never reaches the engine.
      authorization: startAuthorization.path,
    },
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    extraClientMetadata: { properties: ['facts'] },
    scopes: ['openid'],
    responseTypes: ['code'],
    claims: { openid: ['sub', 'name', 'email', 'email_verified'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // A code is for the address it was sent to, and whoever brings it must know which.
    allowOmittingSingleRegisteredRedirectUri: false,
    findAccount: (ctx) => findGrantAccount(needs, ctx),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    // Lets a page on any origin read the discovery documents; token requests from browsers are judged by APP_ORIGINS.
    clientBasedCORS: () => false,
    // A browser gets the same JSON as everybody else: there is no page of ours for it to land on.
    renderError: (ctx, out) => {
      ctx.body = out
    },
    ttl: {
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AccessToken: ACCESS_TOKEN_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: needs.refreshTtlDays * DAY_SECONDS,
      Grant: needs.refreshMaxDays * DAY_SECONDS,
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      userinfo: { enabled: false },
      resourceIndicators: { enabled: true, defaultResource: () => API_RESOURCE, getResourceServerInfo: apiResource },
    },
    ...tokenClaims(needs),
  }
}

function tokenClaims({ clock, ids }: OAuthNeeds): Pick<Configuration, 'extraTokenClaims' | 'formats'> {
  return {
    extraTokenClaims(ctx) {
      const facts = factsOf(ctx.oidc.client)
      demandEntitled(facts, clock.now())
      const consent = issuedConsent(ctx)
      const sid = ctx.oidc.entities.Grant?.jti ?? ids.uuid()
      return { rgn: facts.region, ut: consent?.user_type ?? facts.userType, ep: facts.epoch, sid }
    },
    formats: {
      customizers: {
        jwt: (ctx, _token, { payload }) => {
          const { kind, userId } = factsOf(ctx.oidc.client)
          const human = ctx.oidc.entities.Grant?.accountId
          // The engine names the client as subject; for an account client it is the company that the client acts for.
          if (human !== undefined) payload['sub'] = human
          else if (kind === 'acct') payload['sub'] = userId
          // The engine reads the machine's clock; ours is an argument.
          payload['iat'] = Math.floor(clock.now() / 1000)
          payload['exp'] = Math.floor(clock.now() / 1000) + ACCESS_TOKEN_SECONDS
        },
      },
    },
  }
}

/** The first of two overrides of the engine's own code: it would compare secrets as text, and we only hold keyed hashes. */
function compareSecretsByKeyedHash(provider: Provider, needs: ClientSecretNeeds): void {
  const prototype: { compareClientSecret?: unknown } = provider.Client.prototype
  prototype.compareClientSecret = function compare(this: InstanceType<Provider['Client']>, presented: string) {
    return checkClientSecret(needs, factsOf(this), new Secret(presented))
  }
}

interface Issued {
  readonly grantId?: string | undefined
  generateTokenId?: (this: Issued) => string
}

/** The second: codes and refresh tokens say where they rest, as their grant does. */
function startIdsWithRegion({ AuthorizationCode, RefreshToken }: Provider): void {
  const prototypes: readonly Issued[] = [AuthorizationCode.prototype, RefreshToken.prototype]
  for (const prototype of prototypes) {
    const generate = prototype.generateTokenId
    if (generate === undefined) throw new Error('the OAuth engine makes ids in another way than this version knows')
    prototype.generateTokenId = function generateTokenId(this: Issued) {
      const grantId = this.grantId ?? ''
      return `${grantId.slice(0, grantId.indexOf('.'))}.${generate.call(this)}`
    }
  }
}
