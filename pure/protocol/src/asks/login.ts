import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { Kdf, PasswordWrap } from '../wire/keys.ts'

/**
 * What the front door asks of a region about logins. Credentials, codes and refresh tokens travel here and in no stored
 * message, so none of these outcomes is kept: each command can be asked again by itself.
 */
const userType = Type.Enum(['person', 'company'])
const accountId = Type.String({ format: 'uuid' })
const emailHash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const optionalText = Type.Union([Type.String(), Type.Null()])

/** A session as the front door needs it to sign an access token and to write the cookie. */
const openSession = {
  user_id: accountId,
  user_type: userType,
  session_id: Type.String(),
  refresh_token: Type.String(),
  /** How long the cookie is worth keeping. */
  refresh_seconds: Type.Integer(),
}

export const openSessionAsk = defineAsk({
  command: 'login.open_session',
  idempotency: 'none',
  body: Type.Object({
    /** Of an address that nobody has, an id that nobody has: the region cannot tell before it has done the work. */
    user_id: accountId,
    auth_verifier: Type.String(),
    otp: optionalText,
    /** Of whatever trusted devices the browser remembers. */
    device_tokens: Type.Array(Type.String()),
    trust_device: Type.Boolean(),
    /** What the browser says of itself, for the list of devices. */
    device_name: Type.String(),
  }),
  reply: Type.Object({ ...openSession, device_token: optionalText, device_seconds: Type.Integer() }),
})

export const refreshSessionAsk = defineAsk({
  command: 'login.refresh_session',
  idempotency: 'none',
  body: Type.Object({
    refresh_token: Type.String(),
    user_type: userType,
    /** The region in which a token for somebody else's company is about to be used. */
    acting_region: optionalText,
  }),
  reply: Type.Object(openSession),
})

/** Who a refresh token belongs to; nothing is rotated. */
export const findSessionAsk = defineAsk({
  command: 'login.find_session',
  idempotency: 'none',
  body: Type.Object({ refresh_token: Type.String(), user_type: userType }),
  reply: Type.Object({ user_id: accountId, session_id: Type.String() }),
})

export const closeSessionAsk = defineAsk({
  command: 'login.close_session',
  idempotency: 'none',
  body: Type.Object({ refresh_token: Type.String(), user_type: userType }),
  reply: Type.Object({}),
})

/** Between regions, too: sessions whose tokens were used for a company that lives here. */
export const revokeSessionsAsk = defineAsk({
  command: 'login.revoke_sessions',
  idempotency: 'none',
  body: Type.Object({ session_ids: Type.Array(Type.String()) }),
  reply: Type.Object({}),
})

/** Whether a company lets this user into its portal. */
export const findDelegateAsk = defineAsk({
  command: 'login.find_delegate',
  idempotency: 'none',
  body: Type.Object({ company_id: accountId, user_id: accountId }),
  reply: Type.Object({ is_delegate: Type.Boolean() }),
})

/** Between regions: whether logins of this user ask for a second factor, as some services of a company want it. */
export const hasSecondFactorAsk = defineAsk({
  command: 'login.has_second_factor',
  idempotency: 'none',
  body: Type.Object({ user_id: accountId }),
  reply: Type.Object({ is_enabled: Type.Boolean() }),
})

export const beginRegistrationAsk = defineAsk({
  command: 'login.begin_registration',
  idempotency: 'none',
  body: Type.Object({
    /** An account with this address exists somewhere: the mail says so, and no code will ever be right. */
    is_taken: Type.Boolean(),
    user_type: userType,
    email: Type.String(),
    email_hash: emailHash,
    display_name: Type.String(),
    language: Type.String(),
    auth_verifier: Type.String(),
    kdf: Kdf,
    public_key: Type.String(),
    encrypted_private_key: PasswordWrap,
    recovery_public_key: optionalText,
    encrypted_recovery_key: Type.Union([PasswordWrap, Type.Null()]),
  }),
  reply: Type.Object({}),
})

export const confirmRegistrationAsk = defineAsk({
  command: 'login.confirm_registration',
  idempotency: 'none',
  body: Type.Object({ email_hash: emailHash, code: Type.String() }),
  /** Null when the code is not the one that was mailed, or is no longer good. */
  reply: Type.Object({
    account: Type.Union([
      Type.Object({ user_id: accountId, user_type: userType, share_code: Type.String() }),
      Type.Null(),
    ]),
  }),
})
