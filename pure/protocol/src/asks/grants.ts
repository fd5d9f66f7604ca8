import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { defineAsk } from '../ask.ts'
import { DeviceAssertion } from '../operations/account-security.ts'
import { ChosenPluginRow } from '../wire/plugin.ts'
import { nullableText } from '../wire/scalars.ts'

/**
 * Asks of the front door to regions about OAuth grants. The OAuth engine runs at the front door; its state rests in the
 * home region of the user who consented. Codes and refresh tokens are named by their SHA-256: the front door hands the
 * text of one to its client only.
 */
const accountId = Type.String({ format: 'uuid' })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const record = Type.Record(Type.String(), Type.Unknown())
const texts = Type.Record(Type.String(), Type.String())
const userType = Type.Enum(['person', 'company'])
export const authorizeModes = ['signin', 'one_time', 'connect', '2fa_enroll'] as const
export type AuthorizeMode = (typeof authorizeModes)[number]
const mode = Type.Enum([...authorizeModes])

/** The consent of the user, beyond the state of the OAuth engine; stored in the grant as its authorization detail. */
const GrantConsent = Type.Object({
  type: Type.Literal('urn:sealpost:consent'),
  mode,
  user_type: userType,
  share_code: Type.String(),
  two_factor: Type.Boolean(),
  /** The client's epoch at consent: a later one ends the grant. */
  epoch: Type.Integer(),
  /** The region in which access tokens of this grant are used. */
  used_in: Type.String(),
  /** The session or password that identified the user; the home refuses a grant when it has ended since. */
  proof: Type.Union([
    Type.Object({ credential: Type.String({ description: 'The id of the password, as `prove_login` answered it.' }) }),
    Type.Object({ session_id: Type.String() }),
  ]),
  /** For the ID token. */
  name: nullableText(),
  email: nullableText(),
  email_verified: Type.Boolean(),
})
export type GrantConsent = Static<typeof GrantConsent>

export function readConsent(payload: { readonly rar?: unknown }): GrantConsent {
  const consent: unknown = Array.isArray(payload.rar) ? payload.rar[0] : undefined
  if (Value.Check(GrantConsent, consent)) return consent
  throw new Error('the grant carries no consent')
}

export const findGrantAsk = defineAsk({
  command: 'grants.find_grant',
  idempotency: 'none',
  body: Type.Object({ grant_id: Type.String() }),
  reply: Type.Object({ payload: Type.Union([record, Type.Null()]) }),
})

export const putGrantAsk = defineAsk({
  command: 'grants.put_grant',
  idempotency: 'none',
  body: Type.Object({
    grant_id: Type.String(),
    user_id: accountId,
    client_id: Type.String(),
    /** The region in which access tokens of this grant are used. */
    used_in: Type.String(),
    lives_seconds: Type.Integer({ minimum: 1 }),
    payload: record,
  }),
  reply: Type.Object({}),
})

export const findGrantTokenAsk = defineAsk({
  command: 'grants.find_token',
  idempotency: 'none',
  body: Type.Object({ kind: Type.Enum(['code', 'refresh']), sha256 }),
  reply: Type.Object({
    token: Type.Union([Type.Object({ payload: record, is_consumed: Type.Boolean() }), Type.Null()]),
  }),
})

export const putGrantTokenAsk = defineAsk({
  command: 'grants.put_token',
  idempotency: 'none',
  body: Type.Object({
    kind: Type.Enum(['code', 'refresh']),
    sha256,
    grant_id: Type.String(),
    lives_seconds: Type.Integer({ minimum: 1 }),
    payload: record,
  }),
  /** False when the grant has ended in the meantime. */
  reply: Type.Object({ is_stored: Type.Boolean() }),
})

/** Exactly one caller consumes a code or refresh token; every further attempt ends the whole grant. */
export const consumeGrantTokenAsk = defineAsk({
  command: 'grants.consume_token',
  idempotency: 'none',
  body: Type.Object({ kind: Type.Enum(['code', 'refresh']), sha256 }),
  reply: Type.Object({ is_won: Type.Boolean() }),
})

/** Answered when no token of the grant is accepted any more, in any region. */
export const endGrantAsk = defineAsk({
  command: 'grants.end_grant',
  idempotency: 'none',
  body: Type.Object({ grant_id: Type.String() }),
  reply: Type.Object({}),
})

/** The claims that the person shared with the app in this grant. */
export const shareValuesAsk = defineAsk({
  command: 'grants.share_values',
  idempotency: 'none',
  body: Type.Object({
    grant_id: Type.String(),
    /** Wrappers. */
    values: texts,
    values_attestation: texts,
    /** Texts, for an app that takes plaintext; a front door of the release before sends them as values. */
    claims: Type.Optional(texts),
  }),
  reply: Type.Object({}),
})

export const UserInfo = Type.Object(
  {
    sub: Type.String({ description: 'The `sub` of the ID token.' }),
    share_code: Type.String({ description: 'The same as `sub`.' }),
    mode,
    two_factor: Type.Boolean({ description: 'Whether the person confirmed with a second factor.' }),
    values: Type.Record(Type.String(), Type.String(), { description: 'By claim name: wrapper strings, never text.' }),
    values_attestation: Type.Record(Type.String(), Type.String(), { description: 'By claim name: wrapper strings.' }),
    claims: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'By claim name: text. Only for an app that takes plaintext at sign-in; `values` is then empty.',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'With `claims`, as in the ID token.' })),
    email: Type.Optional(Type.String({ description: 'With `claims`, as in the ID token.' })),
    email_verified: Type.Optional(Type.Boolean({ description: 'With `claims`, as in the ID token.' })),
  },
  { title: 'UserInfo' },
)
export type UserInfo = Static<typeof UserInfo>

/** Asked by the front door and by the region of the app's company. Null when the grant does not exist or has ended. */
export const readUserInfoAsk = defineAsk({
  command: 'grants.read_user_info',
  idempotency: 'none',
  body: Type.Object({ grant_id: Type.String(), client_id: Type.String() }),
  reply: Type.Object({ info: Type.Union([UserInfo, Type.Null()]) }),
})

/** Whether this user may authorize a company's data client: the company itself, or a delegate of that service. */
export const mayAuthorizeAsk = defineAsk({
  command: 'grants.may_authorize',
  idempotency: 'none',
  body: Type.Object({ company_id: accountId, service_id: Type.String(), user_id: accountId }),
  reply: Type.Object({ is_allowed: Type.Boolean() }),
})

/** A login that leads to a grant instead of a session; refused exactly as a session login is. */
export const proveLoginAsk = defineAsk({
  command: 'grants.prove_login',
  idempotency: 'none',
  body: Type.Object({ user_id: accountId, auth_verifier: Type.String(), otp: nullableText() }),
  reply: Type.Object({
    user_type: userType,
    share_code: Type.String(),
    display_name: Type.String(),
    /** Identifies the password that was proved; a changed password has another id. */
    credential: Type.String(),
  }),
})

const signinClaim = Type.Object({
  name: Type.String(),
  type: Type.String(),
  label: nullableText(),
  suggest: nullableText(),
  required: Type.Boolean(),
  verified: Type.Boolean(),
  verified_max_age_days: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** Of a claim that a plugin answers. */
  plugin: Type.Optional(ChosenPluginRow),
})
export type SigninClaim = Static<typeof signinClaim>

/** A sign-in app, or a data client shown as its service, for the consent page; asked of the region of its company. */
export const readAppAsk = defineAsk({
  command: 'grants.read_app',
  idempotency: 'none',
  body: Type.Object({
    company_id: accountId,
    client_id: Type.String(),
    /** Set for a data client. */
    service_id: nullableText(),
  }),
  reply: Type.Object({
    app: Type.Union([
      Type.Object({
        name: Type.String(),
        company_name: Type.String(),
        require_2fa: Type.Boolean(),
        public_key: nullableText(),
        claims_delivery: Type.Enum(['encrypted', 'plaintext']),
        claims: Type.Array(signinClaim),
        service: Type.Union([
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            /** Persons need a second factor; a region of the release before does not say so. */
            require_2fa: Type.Optional(Type.Boolean()),
          }),
          Type.Null(),
        ]),
      }),
      Type.Null(),
    ]),
  }),
})

/**
 * Resolves the bearer of a person's token at the person's home. Null when the session has ended or the account is gone.
 */
export const readBearerAsk = defineAsk({
  command: 'grants.read_bearer',
  idempotency: 'none',
  body: Type.Object({ user_id: accountId, session_id: Type.String(), wants_challenge: Type.Boolean() }),
  reply: Type.Object({
    bearer: Type.Union([
      Type.Object({
        user_type: userType,
        share_code: Type.String(),
        email: Type.String(),
        /** A challenge for a device of the person to sign, once. */
        challenge: nullableText(),
        /** The login was confirmed by a one-time code; a region of the release before does not say so. */
        has_second_factor: Type.Optional(Type.Boolean()),
      }),
      Type.Null(),
    ]),
  }),
})

/** Whether a device of the person signed the challenge; asking consumes the challenge. */
export const verifyAssertionAsk = defineAsk({
  command: 'grants.verify_assertion',
  idempotency: 'none',
  body: Type.Object({ user_id: accountId, challenge: Type.String(), assertion: DeviceAssertion }),
  reply: Type.Object({ is_verified: Type.Boolean() }),
})

/** The outcome of a detached request, kept in the region of the app's company until its server has fetched it. */
const detachedOutcome = Type.Union([
  Type.Object({ kind: Type.Literal('approved'), grant_id: Type.String(), payload: record }),
  Type.Object({ kind: Type.Literal('enrolled') }),
  Type.Object({ kind: Type.Literal('denied') }),
])
export type DetachedOutcome = Static<typeof detachedOutcome>

const detachedName = { company_id: accountId, client_id: Type.String(), state_sha256: sha256 }

/** False when this state already has an outcome. */
export const putResultAsk = defineAsk({
  command: 'grants.put_result',
  idempotency: 'none',
  body: Type.Object({ ...detachedName, outcome: detachedOutcome }),
  reply: Type.Object({ is_stored: Type.Boolean() }),
})

/** Pending, the outcome, or that it was delivered or has lapsed. A read; consumes nothing. */
export const readResultAsk = defineAsk({
  command: 'grants.read_result',
  idempotency: 'none',
  body: Type.Object(detachedName),
  reply: Type.Object({
    state: Type.Enum(['pending', 'ready', 'over']),
    outcome: Type.Union([detachedOutcome, Type.Null()]),
  }),
})

/** Exactly one caller receives a result. */
export const takeResultAsk = defineAsk({
  command: 'grants.take_result',
  idempotency: 'none',
  body: Type.Object(detachedName),
  reply: Type.Object({ is_taken: Type.Boolean() }),
})
