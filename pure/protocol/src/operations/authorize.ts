import Type, { type Static } from 'typebox'
import { UserInfo } from '../asks/grants.ts'
import { defineOperation } from '../operation.ts'
import { Decisions, ServiceOffer } from '../wire/customer-connection.ts'
import { AuthVerifier } from '../wire/keys.ts'
import { ChosenPluginRow, TurnPass } from '../wire/plugin.ts'
import { nullableText } from '../wire/scalars.ts'
import { deviceRecordMember } from '../wire/sender.ts'
import { DeviceAssertion } from './account-security.ts'

/** The members of an authorize request, in a query or in a body. */
const authorizeMembers = {
  client_id: Type.Optional(Type.String({ description: 'The client that asks.' })),
  redirect_uri: Type.Optional(
    Type.String({ description: 'One that the client registered; not needed when detached.' }),
  ),
  response_type: Type.Optional(Type.String({ description: '`code`; may be absent.' })),
  scope: Type.Optional(
    Type.String({
      description: '`openid` for an ID token; `profile` and `email` ask for the claims `name` and `email`.',
    }),
  ),
  state: Type.Optional(Type.String({ description: 'At most 512 characters; returned unchanged.' })),
  code_challenge: Type.Optional(Type.String({ description: 'base64url of the SHA-256 of the code verifier (PKCE).' })),
  code_challenge_method: Type.Optional(Type.String({ description: '`S256`.' })),
  nonce: Type.Optional(Type.String({ description: 'Returned in the ID token.' })),
  mode: Type.Optional(Type.String({ description: '`signin` (default), `one_time`, `connect` or `2fa_enroll`.' })),
  response_mode: Type.Optional(
    Type.String({
      description: '`redirect` (default; also `query`), or `detached` where the app is registered for it.',
    }),
  ),
  app_claims: Type.Optional(
    Type.String({
      description: 'A JSON array of claims: stricter forms of those of the app, and further ones, at most 15 together.',
    }),
  ),
  claims: Type.Optional(Type.String({ description: 'An older name of `app_claims`.' })),
}
const AuthorizeQuery = Type.Object(authorizeMembers)
export type AuthorizeQuery = Static<typeof AuthorizeQuery>

const ShownClaim = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    label: nullableText(),
    suggest: nullableText(),
    required: Type.Boolean(),
    verified: Type.Boolean(),
    verified_max_age_days: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    plugin: Type.Optional(ChosenPluginRow),
  },
  { title: 'ShownClaim' },
)

const AuthorizeView = Type.Object(
  {
    app: Type.Object({
      client_id: Type.String(),
      name: Type.String(),
      company_name: Type.String(),
      require_2fa: Type.Boolean({ description: 'The app or its service requires a second factor.' }),
      public_key: nullableText({ description: 'The key that values are sealed to; null where nothing is shared.' }),
      claims_delivery: Type.Enum(['encrypted', 'plaintext']),
    }),
    service: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
    mode: Type.Enum(['signin', 'one_time', 'connect', '2fa_enroll']),
    claims: Type.Array(ShownClaim),
    connected: Type.Boolean({ description: 'The person is connected to the service of the app.' }),
    enrolled: Type.Boolean({ description: 'The person approves logins of the service.' }),
    offer: Type.Union([ServiceOffer, Type.Null()], {
      description:
        'For `connect` and `2fa_enroll` while there is no connection: the service and the fields that it requests. The ' +
        'decision carries `decisions` about them.',
    }),
    assertion_challenge: nullableText({
      description: 'The text that a device signs where a second factor is required.',
    }),
  },
  { title: 'AuthorizeView' },
)
export type AuthorizeView = Static<typeof AuthorizeView>

export const startAuthorization = defineOperation({
  id: 'oauth.start_authorization',
  method: 'GET',
  path: '/oauth2/authorize',
  document: 'front-door',
  summary: 'Begin an authorization-code grant',
  description:
    'For browsers. A sign-in app, and any client with `mode=2fa_enroll`, leads to the consent page of the person app with ' +
    'the same query; other clients to a page where a user of their company signs in. PKCE with S256 is required for ' +
    'account clients and public apps, and checked whenever a challenge was sent. An error is sent to `redirect_uri`, unless ' +
    'the client or that address is invalid. The person app asks with `Accept: application/json` and the bearer ' +
    'token of a person session, and gets the data of the consent page.',
  callers: [],
  rate: 'token',
  query: AuthorizeQuery,
  success: { status: 200, about: 'The data of the consent page', body: AuthorizeView, browser: true },
  errors: [
    'oauth.invalid_request',
    'oauth.connect_no_service',
    'oauth.unauthorized_client',
    'services.not_found',
    'services.audience_b2b_only',
    'auth.token_missing',
    'auth.token_invalid',
    'auth.expired',
    'auth.client_endpoint_forbidden',
    'platform.out_of_order',
  ],
})

const SealedTexts = Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 100_000 }))

export const completeAuthorization = defineOperation({
  id: 'oauth.complete_authorization',
  method: 'POST',
  path: '/oauth2/authorize',
  document: 'front-door',
  summary: 'Finish an authorization-code grant',
  description:
    'With `email`, `auth_verifier` and, where the account requires one, `otp`: a company user signs in for a client of the ' +
    'company; answered with 303 to `redirect_uri` with `code`, `state` and `iss`. With `decision` and the bearer token ' +
    'of a person session: the person app sends the decision of the person, and leads the browser to `redirect_to`. The ' +
    'members of the authorize request are repeated in either case. `connect` and `2fa_enroll` connect first, with ' +
    '`decisions` as at `POST /api/company-connections`; a file that does not fit into this call is shared there before. ' +
    '`2fa_enroll` makes no code: it ends at `redirect_uri` with `enrolled=true`.',
  callers: [],
  rate: 'token',
  ignoresPause: true,
  // The shared values go to the person's home in one ask.
  maxBodyBytes: 192 * 1024,
  bodyType: 'form_or_json',
  body: Type.Object({
    ...authorizeMembers,
    email: Type.Optional(Type.String({ maxLength: 320 })),
    auth_verifier: Type.Optional(AuthVerifier),
    otp: Type.Optional(Type.String({ maxLength: 32 })),
    decision: Type.Optional(Type.Enum(['approve', 'deny'])),
    values: Type.Optional(SealedTexts),
    values_attestation: Type.Optional(SealedTexts),
    id_claims: Type.Optional(
      Type.Object({
        name: Type.Optional(Type.String({ maxLength: 200 })),
        email: Type.Optional(Type.String({ maxLength: 320 })),
      }),
    ),
    decisions: Type.Optional(Decisions),
    ...deviceRecordMember,
    assertion_challenge: Type.Optional(Type.String({ description: 'The signature of the device.' })),
    assertion: Type.Optional(DeviceAssertion),
  }),
  success: {
    status: 200,
    about: 'Where the browser goes next, or that the app will fetch the result',
    body: Type.Union([Type.Object({ redirect_to: Type.String() }), Type.Object({ done: Type.Literal(true) })]),
    browser: true,
  },
  errors: [
    'oauth.invalid_request',
    'oauth.connect_no_service',
    'oauth.unauthorized_client',
    'oauth.access_denied',
    'services.second_factor_required',
    'services.not_found',
    'services.audience_b2b_only',
    'company_connections.mandatory_missing',
    'company_connections.source_changed',
    'contact_data.encryption_required',
    'company_data.already_connected',
    'company_data.connection_not_found',
    'keys.not_found',
    'account.level_required',
    'db.writes_paused',
    'session.invalid',
    'session.otp_required',
    'auth.token_missing',
    'auth.token_invalid',
    'auth.expired',
    'auth.client_endpoint_forbidden',
    'rate.unavailable',
    'platform.out_of_order',
  ],
})

export const pollResult = defineOperation({
  id: 'oauth.poll_result',
  method: 'POST',
  path: '/oauth2/result',
  document: 'front-door',
  summary: 'Fetch the outcome of a detached request',
  description:
    'The client makes a `state` of at least 128 random bits, hands the authorize link with `response_mode=detached` to the ' +
    'person, and polls here every `interval` seconds. 202 while there is no outcome. A result is returned once, within ten ' +
    'minutes; the lifetime of its code starts with that answer. If the request had no `redirect_uri`, the token endpoint ' +
    'expects the first registered one.',
  callers: [],
  rate: 'result',
  bodyType: 'form',
  body: Type.Object({
    client_id: Type.Optional(Type.String()),
    client_secret: Type.Optional(Type.String()),
    state: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  success: {
    status: 200,
    about: 'The decision of the person; with status 202, that there is no outcome yet',
    body: Type.Union([
      Type.Object({ code: Type.String(), state: Type.String(), iss: Type.String() }),
      Type.Object({ enrolled: Type.Literal(true), state: Type.String() }),
      Type.Object({ status: Type.Literal('pending'), interval: Type.Integer() }),
    ]),
  },
  errors: [
    'oauth.bad_client',
    'oauth.invalid_request',
    'oauth.access_denied',
    'oauth.result_expired',
    'db.writes_paused',
    'platform.out_of_order',
  ],
})

export const readUserInfo = defineOperation({
  id: 'oauth.read_user_info',
  method: 'GET',
  path: '/api/oauth/userinfo',
  document: 'account',
  summary: 'The person who signed in, and the shared claims',
  description:
    'With an access token of a sign-in app, at the front door or at `api_url`. `values` are sealed to the key of the app. An ' +
    'app that takes plaintext at sign-in gets texts in `claims` instead.',
  callers: ['signin_app'],
  rate: 'data',
  success: { status: 200, about: 'The person and the claims', body: UserInfo },
  errors: [],
})

export const createClaimPass = defineOperation({
  id: 'oauth.create_pass',
  method: 'POST',
  path: '/api/oauth/plugin-pass',
  document: 'account',
  summary: 'A pass to the plugin of a claim',
  description:
    'For the person who answers the claim of an app, and for the app itself. The pass is for ' +
    '`POST {forwarder_url}/call`, within 10 minutes.',
  callers: ['person', 'signin_app'],
  rate: 'data',
  body: Type.Object({
    client_id: Type.String({ maxLength: 64, description: 'The app.' }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the claim.' }),
  }),
  success: { status: 200, about: 'The pass, and what the claim needs', body: TurnPass },
  errors: ['plugin.not_found'],
})
