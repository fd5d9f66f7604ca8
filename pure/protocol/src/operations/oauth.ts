import Type from 'typebox'
import { defineOperation } from '../operation.ts'

export const TokenAnswer = Type.Object(
  {
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds; 3600.' }),
    access_token: Type.String({ description: 'Opaque to its holder.' }),
    api_url: Type.Optional(
      Type.String({ description: 'The base address for data calls with this token; absent at that address itself.' }),
    ),
    refresh_token: Type.Optional(Type.String({ description: 'Absent with client_credentials. Rotates on use.' })),
    scope: Type.Optional(Type.String({ description: '`openid` where that was requested.' })),
    id_token: Type.Optional(Type.String({ description: 'With scope openid: a JWT signed with RS256.' })),
    mode: Type.Optional(Type.String({ description: 'With authorization_code: the `mode` of the authorize request.' })),
  },
  { title: 'TokenAnswer' },
)

export const requestToken = defineOperation({
  id: 'oauth.request_token',
  method: 'POST',
  path: '/oauth2/token',
  document: 'front-door',
  summary: 'Get an access token',
  description:
    'The client authenticates with `client_id` and `client_secret` in the form, or by HTTP Basic, never both. ' +
    'Keep the token for its lifetime: the limit counts requests per source address. Data calls go to `api_url`. A code or ' +
    'refresh token works once: a second use ends every token that came from it. `redirect_uri` must be the one that ' +
    'the authorize request named, or the default that replaced it. Regions answer here too, except for codes.',
  callers: [],
  rate: 'token',
  // A region passes the form on in one ask.
  maxBodyBytes: 64 * 1024,
  bodyType: 'form',
  body: Type.Object({
    grant_type: Type.Enum(['client_credentials', 'authorization_code', 'refresh_token']),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'With authorization_code.' })),
    redirect_uri: Type.Optional(Type.String({ description: 'With authorization_code.' })),
    code_verifier: Type.Optional(Type.String({ description: 'With authorization_code, when a challenge was sent.' })),
    refresh_token: Type.Optional(Type.String({ description: 'With refresh_token.' })),
  }),
  success: { status: 200, about: 'A token', body: TokenAnswer },
  errors: [
    'oauth.bad_client',
    'oauth.invalid_request',
    'oauth.invalid_grant',
    'oauth.unauthorized_client',
    'oauth.unsupported_grant_type',
    'account.level_required',
    'platform.out_of_order',
    'region.rebase_required',
  ],
})

export const revokeToken = defineOperation({
  id: 'oauth.revoke_token',
  method: 'POST',
  path: '/oauth2/revoke',
  document: 'front-door',
  summary: 'End a refresh token and everything that came from it (RFC 7009)',
  description:
    'When this answers, no access token of the same grant is accepted any more. An unknown or expired token is no ' +
    'error. Access tokens themselves cannot be revoked here; they end with their refresh token.',
  callers: [],
  rate: 'token',
  bodyType: 'form',
  body: Type.Object({
    token: Type.String(),
    token_type_hint: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
  }),
  success: { status: 200, about: 'The token is revoked' },
  errors: ['oauth.bad_client', 'oauth.invalid_request', 'platform.out_of_order'],
})

export const readJwks = defineOperation({
  id: 'oauth.read_jwks',
  method: 'GET',
  path: '/oauth2/jwks',
  document: 'front-door',
  summary: 'The keys that sign tokens',
  description: 'A JSON Web Key Set (RFC 7517). Keys rotate with overlap; choose by `kid`.',
  callers: [],
  rate: null,
  success: {
    status: 200,
    about: 'The public keys',
    body: Type.Object({
      keys: Type.Array(
        Type.Object(
          {
            kty: Type.String(),
            kid: Type.String(),
            use: Type.Optional(Type.String()),
            alg: Type.Optional(Type.String()),
            crv: Type.Optional(Type.String({ description: 'Of an elliptic curve, with `x` and `y`.' })),
            x: Type.Optional(Type.String()),
            y: Type.Optional(Type.String()),
            n: Type.Optional(Type.String({ description: 'Of RSA, with `e`.' })),
            e: Type.Optional(Type.String()),
          },
          { additionalProperties: true },
        ),
      ),
    }),
  },
  errors: [],
})

const ServerMetadata = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    jwks_uri: Type.String(),
  },
  {
    title: 'ServerMetadata',
    additionalProperties: true,
    description: 'Further members as RFC 8414 and OpenID Connect Discovery define them.',
  },
)

export const readServerMetadata = defineOperation({
  id: 'oauth.read_server_metadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  document: 'front-door',
  summary: 'OAuth server metadata (RFC 8414)',
  callers: [],
  rate: null,
  success: { status: 200, about: 'The metadata', body: ServerMetadata },
  errors: [],
})

export const readOpenIdConfiguration = defineOperation({
  id: 'oauth.read_openid_configuration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  document: 'front-door',
  summary: 'OpenID provider metadata',
  callers: [],
  rate: null,
  success: { status: 200, about: 'The metadata', body: ServerMetadata },
  errors: [],
})
