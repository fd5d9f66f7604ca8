import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { Kdf, PasswordWrap } from '../wire/keys.ts'

/**
 * Asks of the front door to a region about logins. They carry credentials, codes and refresh tokens, so none of their
 * outcomes is stored: each command is safe to repeat.
 */
const userType = Type.Enum(['person', 'company'])
const accountId = Type.String({ format: 'uuid' })
const sha256Hex = Type.String({ pattern: '^[0-9a-f]{64}$' })
const optionalText = Type.Union([Type.String(), Type.Null()])
/** Where the call came from, shortened by the front door: a region never learns the whole address. */
const shortAddress = optionalText

/** A session with everything the front door needs to sign an access token and write the cookie. */
const openSession = {
  user_id: accountId,
  user_type: userType,
  session_id: Type.String(),
  refresh_token: Type.String(),
  /** The lifetime of the cookie. */
  refresh_seconds: Type.Integer(),
}

export const openSessionAsk = defineAsk({
  command: 'login.open_session',
  idempotency: 'none',
  body: Type.Object({
    /** An unused id when no account has the address: the region must do the same work before it can tell. */
    user_id: accountId,
    auth_verifier: Type.String(),
    otp: optionalText,
    /** The trusted devices that the browser remembers. */
    device_tokens: Type.Array(Type.String()),
    trust_device: Type.Boolean(),
    /** The user agent, for the list of devices. */
    device_name: Type.String(),
    /** A device with a key: the session ends with it. */
    device_id: Type.Optional(optionalText),
    address: Type.Optional(shortAddress),
  }),
  reply: Type.Object({ ...openSession, device_token: optionalText, device_seconds: Type.Integer() }),
})

export const refreshSessionAsk = defineAsk({
  command: 'login.refresh_session',
  idempotency: 'none',
  body: Type.Object({
    refresh_token: Type.String(),
    user_type: userType,
    /** The region in which a delegate's token for another company is about to be used. */
    acting_region: optionalText,
    address: Type.Optional(shortAddress),
  }),
  reply: Type.Object(openSession),
})

/** The owner of a refresh token; nothing is rotated. */
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

/** Also between regions: ends sessions whose tokens were used for a company that lives here. */
export const revokeSessionsAsk = defineAsk({
  command: 'login.revoke_sessions',
  idempotency: 'none',
  body: Type.Object({ session_ids: Type.Array(Type.String()) }),
  reply: Type.Object({}),
})

/** Whether a company admits this user to its portal. */
export const findDelegateAsk = defineAsk({
  command: 'login.find_delegate',
  idempotency: 'none',
  body: Type.Object({ company_id: accountId, user_id: accountId }),
  reply: Type.Object({ is_delegate: Type.Boolean() }),
})

/** Between regions: whether logins of this user require a second factor, as some services of a company demand. */
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
    /** Set when an account with this address exists: the mail says so, and no code is accepted. */
    is_taken: Type.Boolean(),
    /** Names the registration: the code that is mailed for it confirms no other. */
    token_hash: sha256Hex,
    user_type: userType,
    email: Type.String(),
    email_hash: sha256Hex,
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
  body: Type.Object({ token_hash: sha256Hex, email_hash: sha256Hex, code: Type.String() }),
  /** Null when the code is not the one of this registration, or has expired. */
  reply: Type.Object({
    account: Type.Union([
      Type.Object({ user_id: accountId, user_type: userType, share_code: Type.String() }),
      Type.Null(),
    ]),
  }),
})
