import Type, { type Static } from 'typebox'
import { defineOperation } from '../operation.ts'
import { AuthVerifier, Kdf, PasswordWrap } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { NullableTimestamp, Timestamp, Uuid } from '../wire/scalars.ts'

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

const DeviceKind = Type.Enum(['passkey', 'device_key', 'browser'])
const TrustedDevice = Type.Object(
  {
    id: Uuid,
    kind: DeviceKind,
    name: Type.String(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: NullableTimestamp,
  },
  { title: 'TrustedDevice' },
)

export const listTrustedDevices = defineOperation({
  ...owner,
  id: 'account_security.list_devices',
  method: 'GET',
  path: '/api/account/trusted-devices',
  summary: 'The devices that this account trusts',
  description:
    'A `passkey` or `device_key` approves changes by a signature; a `browser` was trusted at a login and may leave out the ' +
    'one-time code until `expires_at`.',
  rate: 'data',
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The devices, oldest first', body: pageOf(TrustedDevice) },
  errors: [],
})

const PasskeyOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.Optional(Type.String()),
    rp: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
    user: Type.Optional(Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() })),
    timeout: Type.Optional(Type.Integer()),
  },
  {
    title: 'PasskeyOptions',
    additionalProperties: true,
    description: 'PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON of WebAuthn.',
  },
)
const deviceId = Type.Object({ id: Type.String({ maxLength: 64, description: 'The id of the device.' }) })

export const readTrustedDevice = defineOperation({
  ...owner,
  id: 'account_security.read_device',
  method: 'GET',
  path: '/api/account/trusted-devices/{id}',
  summary: 'One device that this account trusts',
  rate: 'data',
  params: deviceId,
  success: { status: 200, about: 'The device', body: TrustedDevice },
  errors: [],
})

export const requestDeviceOptions = defineOperation({
  ...owner,
  id: 'account_security.request_device_options',
  method: 'POST',
  path: '/api/account/trusted-devices/options',
  summary: 'A challenge for adding a device, or for approving with one',
  description:
    'Good for five minutes and one use. For a `passkey`, `public_key` is what `navigator.credentials.create` takes, in ' +
    'its JSON form; a `device_key` signs the text of `challenge`. For an `approval` it is the argument of ' +
    '`navigator.credentials.get`.',
  rate: 'data',
  body: Type.Object({ kind: Type.Enum(['passkey', 'device_key', 'approval']) }),
  success: {
    status: 200,
    about: 'The challenge',
    body: Type.Object({
      challenge: Type.String(),
      public_key: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
        documented: Type.Union([PasskeyOptions, Type.Null()], {
          description: 'Creation or request options of WebAuthn in their JSON form; null for a device key.',
        }),
      }),
    }),
  },
  errors: [],
})

const PasskeyCredential = Type.Object(
  {
    id: Type.String({ maxLength: 2048 }),
    rawId: Type.String({ maxLength: 2048 }),
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Type.String({ maxLength: 8192 }),
      attestationObject: Type.String({ maxLength: 65_536 }),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  { title: 'PasskeyCredential', description: 'RegistrationResponseJSON of WebAuthn.' },
)

export const addTrustedDevice = defineOperation({
  ...owner,
  id: 'account_security.add_device',
  method: 'POST',
  path: '/api/account/trusted-devices',
  summary: 'Add a device that can approve',
  description:
    'A `passkey` sends `credential`, the JSON form of the credential that the browser made; user verification is required. A ' +
    '`device_key` sends `public_key` (base64 of a P-256 SubjectPublicKeyInfo) and `signature` (base64 of the 64 bytes of ' +
    'its ES256 signature over the UTF-8 bytes of the challenge).',
  rate: 'login',
  creates: true,
  body: Type.Object({
    auth_verifier: AuthVerifier,
    kind: Type.Enum(['passkey', 'device_key']),
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    challenge: Type.String({ maxLength: 200 }),
    credential: Type.Optional(PasskeyCredential),
    public_key: Type.Optional(Type.String({ maxLength: 400 })),
    signature: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  success: { status: 201, about: 'The device', body: TrustedDevice },
  errors: ['session.invalid'],
})

export const removeTrustedDevice = defineOperation({
  ...owner,
  id: 'account_security.remove_device',
  method: 'DELETE',
  path: '/api/account/trusted-devices/{id}',
  summary: 'Stop trusting a device',
  description:
    'When this answers 204, every session that was opened with the device has ended, and its tokens with it.',
  rate: 'data',
  params: deviceId,
  success: { status: 204, about: 'The device is no longer trusted' },
  errors: [],
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
