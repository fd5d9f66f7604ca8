import Type, { type Static } from 'typebox'
import { defineOperation } from '../operation.ts'
import { AuthVerifier, Kdf, PasswordWrap } from '../wire/keys.ts'
import { NullableTimestamp, Uuid } from '../wire/scalars.ts'

/** The credentials of an account. Only its owner reaches these routes, never a delegate or a client. */
const owner = { document: 'account', callers: ['portal', 'person'] } as const

const MailSent = Type.Object({ status: Type.Literal('mail_sent') }, { title: 'MailSent' })
const MailedCode = Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the mail.' })
const Otp = Type.String({ minLength: 6, maxLength: 32, description: 'From the authenticator, or a backup code.' })

export const readSecondFactor = defineOperation({
  ...owner,
  id: 'account_security.read_second_factor',
  method: 'GET',
  path: '/api/account/2fa',
  summary: 'Whether logins require a one-time code',
  rate: 'data',
  success: {
    status: 200,
    about: 'The state',
    body: Type.Object({
      enabled: Type.Boolean(),
      enabled_at: NullableTimestamp,
      backup_codes_left: Type.Integer(),
    }),
  },
  errors: [],
})

export const enableSecondFactor = defineOperation({
  ...owner,
  id: 'account_security.enable_second_factor',
  method: 'POST',
  path: '/api/account/2fa',
  summary: 'Require a one-time code at login',
  description:
    'In two steps. `auth_verifier` alone begins: the answer holds the secret for an authenticator app. `code` from that ' +
    'app confirms it within half an hour; the answer shows ten backup codes, once. With both members, an account that ' +
    'already requires codes gets ten new backup codes and the old ones end.',
  rate: 'login',
  body: Type.Object({ auth_verifier: Type.Optional(AuthVerifier), code: Type.Optional(Otp) }),
  success: {
    status: 200,
    about: 'The secret of the first step, or the backup codes of the second',
    body: Type.Object({
      enabled: Type.Boolean(),
      secret: Type.Optional(Type.String({ description: 'base32, for typing.' })),
      otpauth_url: Type.Optional(Type.String({ description: 'For a QR code.' })),
      backup_codes: Type.Optional(Type.Array(Type.String())),
    }),
  },
  errors: ['session.invalid'],
})

export const disableSecondFactor = defineOperation({
  ...owner,
  id: 'account_security.disable_second_factor',
  method: 'DELETE',
  path: '/api/account/2fa',
  summary: 'Stop requiring a one-time code at login',
  description: 'Requires a current code or a backup code.',
  rate: 'login',
  body: Type.Object({ auth_verifier: AuthVerifier, code: Otp }),
  success: { status: 204, about: 'Logins need the password only' },
  errors: ['session.invalid'],
})

export const changePassword = defineOperation({
  ...owner,
  id: 'account_security.change_password',
  method: 'PUT',
  path: '/api/account/password',
  summary: 'Change the password',
  description:
    'The client wraps the private keys anew under the new password. Everything is stored at once; all other sessions of ' +
    'the account end. Repeating the call after a lost answer is safe.',
  rate: 'login',
  body: Type.Object({
    current_auth_verifier: AuthVerifier,
    auth_verifier: AuthVerifier,
    kdf: Kdf,
    encrypted_private_key: PasswordWrap,
    encrypted_recovery_key: Type.Optional(PasswordWrap),
  }),
  success: {
    status: 200,
    about: 'The new password is in force',
    body: Type.Object({ status: Type.Literal('changed') }),
  },
  errors: ['session.invalid'],
})

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s<>()\\[\\],;:"\\\\@]+@[^\\s<>()\\[\\],;:"\\\\@]+$',
})

export const changeEmail = defineOperation({
  ...owner,
  id: 'account_security.change_email',
  method: 'PUT',
  path: '/api/account/email',
  summary: 'Begin to change the e-mail address',
  description:
    'A code is mailed to the new address; the current one stays until the code is confirmed. An address that another ' +
    'account has gets the same answer; its mail says so.',
  rate: 'login',
  body: Type.Object({ email: Email, auth_verifier: AuthVerifier }),
  success: { status: 200, about: 'A mail is on its way', body: MailSent },
  errors: ['session.invalid'],
})

export const confirmEmail = defineOperation({
  ...owner,
  id: 'account_security.confirm_email',
  method: 'POST',
  path: '/api/account/email/confirm',
  summary: 'Confirm the new e-mail address',
  description: 'A code is valid for ten minutes and five attempts. Repeating the call after a lost answer is safe.',
  rate: 'login',
  body: Type.Object({ code: MailedCode }),
  success: { status: 200, about: 'The address of the account', body: Type.Object({ email: Type.String() }) },
  errors: [],
})

export const requestDeletion = defineOperation({
  ...owner,
  id: 'account_security.request_deletion',
  method: 'POST',
  path: '/api/account/delete-request',
  summary: 'Request the code that deletes the account',
  rate: 'login',
  body: Type.Object({}),
  allowsEmptyBody: true,
  success: { status: 202, about: 'A mail is on its way', body: MailSent },
  errors: [],
})

export const confirmDeletion = defineOperation({
  ...owner,
  id: 'account_security.confirm_deletion',
  method: 'POST',
  path: '/api/account/confirm-delete',
  summary: 'Delete the account',
  description:
    'Permanent: keys are erased, sessions and clients have ended when this answers, and the account cannot be restored. A code ' +
    'is valid for ten minutes and five attempts.',
  rate: 'login',
  body: Type.Object({ code: MailedCode }),
  success: { status: 200, about: 'The account is deleted', body: Type.Object({ status: Type.Literal('deleted') }) },
  errors: [],
})

/** Signed by a registered passkey or device key: the proof that the person approved a change on their own device. */
const DeviceKeyAssertion = Type.Object(
  {
    device_id: Uuid,
    signature: Type.String({ maxLength: 200, description: 'base64 of the 64 bytes of an ES256 signature.' }),
  },
  { title: 'DeviceKeyAssertion' },
)
const PasskeyAssertion = Type.Object(
  {
    id: Type.String({ maxLength: 2048 }),
    rawId: Type.String({ maxLength: 2048 }),
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Type.String({ maxLength: 8192 }),
      authenticatorData: Type.String({ maxLength: 8192 }),
      signature: Type.String({ maxLength: 8192 }),
    }),
  },
  { title: 'PasskeyAssertion', description: 'AuthenticationResponseJSON of WebAuthn.' },
)
export const DeviceAssertion = Type.Union([DeviceKeyAssertion, PasskeyAssertion], { title: 'DeviceAssertion' })
export type DeviceAssertion = Static<typeof DeviceKeyAssertion> | Static<typeof PasskeyAssertion>
