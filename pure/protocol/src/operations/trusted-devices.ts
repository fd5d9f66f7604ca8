import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { AuthVerifier } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { NullableTimestamp, Timestamp, Uuid } from '../wire/scalars.ts'

/** Only the owner of an account reaches its devices, never a delegate or a client. */
const owner = { document: 'account', callers: ['portal', 'person'] } as const

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

const deviceName = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })

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
    name: deviceName,
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

export const renameTrustedDevice = defineOperation({
  ...owner,
  id: 'account_security.rename_device',
  method: 'PUT',
  path: '/api/account/trusted-devices/{id}',
  summary: 'Give a trusted device another name',
  description: 'The sessions that are used on the device have its name.',
  rate: 'data',
  params: deviceId,
  body: Type.Object({ name: deviceName }),
  success: { status: 200, about: 'The device', body: TrustedDevice },
  errors: [],
})
