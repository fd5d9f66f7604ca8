import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { readPlan } from './plan.ts'

/**
 * The OAuth engine alone: its in-memory adapter on `node:http`, client secrets in clear, no limit, log or check of ours. It
 * issues the same kind of token: a JWT with ES256, valid for an hour.
 */
const { port, clientIds, clientSecret, signingKeys } = readPlan(process.env['BARE_PLAN'])

const provider = new Provider(`http://127.0.0.1:${port}`, {
  jwks: signingKeys,
  routes: { token: '/oauth2/token' },
  clientAuthMethods: ['client_secret_post'],
  scopes: ['openid'],
  responseTypes: [],
  enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
  clients: clientIds.map((clientId) => ({
    client_id: clientId,
    client_secret: clientSecret,
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  })),
  ttl: { ClientCredentials: 3600 },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:bench:api',
      getResourceServerInfo: () => ({
        audience: 'platform-api',
        scope: '',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3600,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})

const answer = provider.callback()
createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1')
