import { AUDIENCE } from '@sealpost/access-token'
import { EngineError, Secret } from '@sealpost/kernel'
import { ApiError, readJwks, refusalOfEngine, requestToken, revokeToken, startAuthorization } from '@sealpost/protocol'
import Provider, { type Configuration, type ResourceServer } from 'oidc-provider'
import { ACCESS_TOKEN_SECONDS } from '../../../platform/access-token-signer.ts'
import type { Platform } from '../../../platform/module.ts'
import { API_RESOURCE } from '../model.ts'
import { checkClientSecret } from '../operations/check-client-secret.ts'
import { requireEntitled } from '../rules/entitlement.ts'
import { findGrantAccount, issuedConsent } from './account.ts'
import { shapeDiscovery } from './discovery.ts'
import { carriedBy, engineStorage, factsOf } from './storage.ts'
import { rememberRefusal, shapeAnswer } from './token-answer.ts'

const CODE_SECONDS = 60
const DAY_SECONDS = 86_400

/** The certified OAuth engine with our storage, keys and claims. */
export function createOAuthProvider(platform: Platform): Provider {
  const provider = new Provider(platform.settings.PUBLIC_URL, configuration(platform))
  // The engine then takes the scheme of its links from a header that routes.ts sets.
  provider.proxy = true
  compareSecretsByKeyedHash(provider, platform)
  startIdsWithRegion(provider)
  provider.use(shapeAnswer(platform))
  provider.use(shapeDiscovery)
  provider.on('server_error', (ctx, error) => {
    const request_id = ctx.response.get('x-request-id')
    if (error instanceof ApiError) rememberRefusal(ctx, error)
    else if (error instanceof EngineError) {
      rememberRefusal(ctx, refusalOfEngine(error))
      platform.telemetry.log.warn(
        { err: error, route: ctx.oidc.route, request_id },
        `the ${error.engine} failed a call`,
      )
    } else platform.telemetry.log.error({ err: error, route: ctx.oidc.route, request_id }, 'the OAuth engine failed')
  })
  return provider
}

function configuration(platform: Platform): Configuration {
  const { settings } = platform
  return {
    adapter: engineStorage(platform),
    jwks: { keys: [...settings.SIGNING_KEYS.privateKeys.reveal()] },
    routes: {
      token: requestToken.path,
      jwks: readJwks.path,
      revocation: revokeToken.path,
      // For the discovery documents only: the authorize module serves this path.
      authorization: startAuthorization.path,
    },
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    extraClientMetadata: { properties: ['facts'] },
    // Only openid is granted; the others name claims of the consent page.
    scopes: ['openid', 'profile', 'email'],
    responseTypes: ['code'],
    claims: { openid: ['sub', 'name', 'email', 'email_verified'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // A code is bound to its redirect URI, and a token request must name it.
    allowOmittingSingleRegisteredRedirectUri: false,
    findAccount: (ctx) => findGrantAccount(platform, ctx),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    // Pages of any origin may read the discovery documents; APP_ORIGINS decides about token requests from browsers.
    clientBasedCORS: () => false,
    // Browsers get the same JSON as other callers.
    renderError: (ctx, out) => {
      ctx.body = out
    },
    ttl: {
      ClientCredentials: ACCESS_TOKEN_SECONDS,
      AccessToken: ACCESS_TOKEN_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: settings.REFRESH_TTL_DAYS * DAY_SECONDS,
      Grant: settings.REFRESH_MAX_DAYS * DAY_SECONDS,
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
    ...tokenClaims(platform),
  }
}

function apiResource(): ResourceServer {
  return {
    audience: AUDIENCE,
    scope: 'openid',
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: 'ES256' } },
  }
}

function tokenClaims(platform: Platform): Pick<Configuration, 'extraTokenClaims' | 'formats'> {
  const { clock, ids } = platform
  return {
    extraTokenClaims(ctx) {
      const facts = factsOf(platform, ctx.oidc)
      requireEntitled(facts, clock.now())
      const consent = issuedConsent(ctx)
      const sid = ctx.oidc.entities.Grant?.jti ?? ids.uuid()
      return { rgn: facts.region, ut: consent?.user_type ?? facts.userType, ep: facts.epoch, sid }
    },
    formats: {
      customizers: {
        jwt: (ctx, _token, { payload }) => {
          const { kind, userId } = factsOf(platform, ctx.oidc)
          const human = ctx.oidc.entities.Grant?.accountId
          // The engine's subject is the client; an account client's is the company that it acts for.
          if (human !== undefined) payload['sub'] = human
          else if (kind === 'acct') payload['sub'] = userId
          // Instead of the machine's clock, which the engine reads.
          payload['iat'] = Math.floor(clock.now() / 1000)
          payload['exp'] = Math.floor(clock.now() / 1000) + ACCESS_TOKEN_SECONDS
        },
      },
    },
  }
}

/** The first of two overrides of the engine's code: it compares secrets as text, and the directory holds keyed hashes. */
function compareSecretsByKeyedHash(provider: Provider, platform: Platform): void {
  const prototype: { compareClientSecret?: unknown } = provider.Client.prototype
  prototype.compareClientSecret = function compare(this: InstanceType<Provider['Client']>, presented: string) {
    return checkClientSecret(platform, carriedBy(this), new Secret(presented))
  }
}

interface Issued {
  readonly grantId?: string | undefined
  generateTokenId?: (this: Issued) => string
}

/** The second override: codes and refresh tokens begin with the region that stores them, like the id of their grant. */
function startIdsWithRegion({ AuthorizationCode, RefreshToken }: Provider): void {
  const prototypes: readonly Issued[] = [AuthorizationCode.prototype, RefreshToken.prototype]
  for (const prototype of prototypes) {
    const generate = prototype.generateTokenId
    if (generate === undefined)
      throw new Error('the OAuth engine has no generateTokenId to override: check its version')
    prototype.generateTokenId = function generateTokenId(this: Issued) {
      const grantId = this.grantId ?? ''
      return `${grantId.slice(0, grantId.indexOf('.'))}.${generate.call(this)}`
    }
  }
}
