import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { AuthVerifier, Kdf, PasswordWrap, PublicKey } from '../wire/keys.ts'
import { ShareCode, Uuid } from '../wire/scalars.ts'

const UserType = Type.Enum(['person', 'company'], { description: 'The kind of account.' })
const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })
/** Used for lookup only: any text is answered like an address without an account. */
const AnyEmail = Type.String({
  minLength: 1,
  maxLength: 320,
  description: 'The e-mail address of the account.',
  examples: ['mara@persons.example'],
})
const RegistrationToken = Type.String({ minLength: 1, maxLength: 128 })
const MailedCode = Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the mail.' })

/** A token response without `refresh_token`: that is a cookie which scripts cannot read. */
export const SessionAnswer = Type.Object(
  {
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds; 3600.' }),
    access_token: Type.String({ description: 'Keep it in memory only.' }),
    api_url: Type.String({ description: 'The base address for calls with this token.' }),
  },
  { title: 'SessionAnswer' },
)

export const readSessionParams = defineOperation({
  id: 'session.read_params',
  method: 'GET',
  path: '/api/session/params',
  document: 'front-door',
  summary: 'The parameters that derive the login verifier from a password',
  description: 'An address without an account is answered as well, the same way every time.',
  callers: [],
  rate: 'token',
  query: Type.Object({ email: AnyEmail }),
  success: { status: 200, about: 'The parameters', body: Type.Object({ kdf: Kdf }) },
  errors: [],
})

export const openSession = defineOperation({
  id: 'session.open',
  method: 'POST',
  path: '/api/session',
  document: 'front-door',
  summary: 'Log in to the portal or the person app',
  description:
    'For the web apps only: `Origin` must be one of them. The refresh token comes as a cookie per user type. With ' +
    '`trust_device` a second cookie replaces the one-time code on this browser for 30 days. `device_id` names the trusted ' +
    'device on which the session is used: removing the device ends the session. One that the account does not have is ignored.',
  callers: [],
  rate: 'login',
  ignoresPause: true,
  body: Type.Object({
    email: AnyEmail,
    auth_verifier: AuthVerifier,
    otp: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'From the authenticator, or a backup code.' }),
    ),
    trust_device: Type.Optional(Type.Boolean()),
    device_id: Type.Optional(Type.String({ maxLength: 64, description: 'A passkey or device key of the account.' })),
  }),
  success: { status: 200, about: 'A token for the home region, and the cookie', body: SessionAnswer },
  errors: ['session.invalid', 'session.otp_required', 'auth.client_endpoint_forbidden', 'platform.out_of_order'],
})

export const refreshSession = defineOperation({
  id: 'session.refresh',
  method: 'POST',
  path: '/api/session/refresh',
  document: 'front-door',
  summary: 'A new access token for the session in the cookie',
  description:
    'The cookie changes with every call. For ten seconds the previous one is answered with the same successor, so two ' +
    'tabs or a lost answer log no user out; after that a repeated cookie ends the session. With `acting_for` a delegate ' +
    'gets a token for the portal of that company.',
  callers: [],
  rate: 'token',
  ignoresPause: true,
  body: Type.Object({
    user_type: UserType,
    acting_for: Type.Optional(Type.String({ maxLength: 64, description: 'The user id of the company.' })),
  }),
  success: { status: 200, about: 'A token for the home region, and the next cookie', body: SessionAnswer },
  errors: ['session.expired', 'auth.client_endpoint_forbidden', 'platform.out_of_order'],
})

export const closeSession = defineOperation({
  id: 'session.close',
  method: 'DELETE',
  path: '/api/session',
  document: 'front-door',
  summary: 'Log out',
  description:
    'When this answers 204, no token of the session is accepted any more. Any other answer keeps the cookie.',
  callers: [],
  rate: 'token',
  ignoresPause: true,
  query: Type.Object({ user_type: UserType }),
  success: { status: 204, about: 'The session has ended' },
  errors: ['auth.client_endpoint_forbidden', 'platform.out_of_order'],
})

export const registerAccount = defineOperation({
  id: 'account.register',
  method: 'POST',
  path: '/api/account/register',
  document: 'front-door',
  summary: 'Begin to register an account',
  description:
    'A code is mailed to the address; it confirms this registration and no other. An address that already has an ' +
    'account gets the same answer; its mail says so. Five registrations of one address can be pending, each with its ' +
    'own code. A company also sends its recovery key pair.',
  callers: [],
  rate: 'login',
  body: Type.Object({
    user_type: UserType,
    email: Email,
    display_name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    language: Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 }),
    region: Type.String({ description: 'The code of the region where the account will live.' }),
    auth_verifier: AuthVerifier,
    kdf: Kdf,
    public_key: PublicKey,
    encrypted_private_key: PasswordWrap,
    recovery_public_key: Type.Optional(PublicKey),
    encrypted_recovery_key: Type.Optional(PasswordWrap),
  }),
  success: {
    status: 202,
    about: 'A mail is on its way',
    body: Type.Object({
      registration_token: Type.String({
        description: 'Needed to confirm. Keep it on this device until then; it is not mailed.',
      }),
    }),
  },
  errors: ['platform.out_of_order'],
})

export const confirmRegistration = defineOperation({
  id: 'account.confirm_registration',
  method: 'POST',
  path: '/api/account/register/confirm',
  document: 'front-door',
  summary: 'Complete the registration with the mailed code',
  description:
    'A code is valid for ten minutes and five attempts, and only together with the token of its registration. Repeating ' +
    'the right one returns the same account again.',
  callers: [],
  rate: 'login',
  body: Type.Object({ email: AnyEmail, code: MailedCode, registration_token: RegistrationToken }),
  success: {
    status: 201,
    about: 'The account',
    body: Type.Object({ id: Uuid, user_type: UserType, share_code: ShareCode, region: Type.String() }),
  },
  errors: ['platform.out_of_order'],
})
