import { Secret } from '@sealpost/kernel'
import type { SessionRecord, TrustedDeviceRecord } from '@sealpost/sdk'
import { createDeviceKey, newPasscodeSalt, passcodeSecret, wrapDeviceSigner, wrapForDevice } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import { type OpenAccount, type SessionContext, requireOpen } from '../context.ts'
import type { DeviceUnlock } from '../device-store.ts'
import { newSigner, signWith } from './device-signer.ts'
import { leaveAccount, wipeLocal } from './lock.ts'
import { rememberAccount } from './session.ts'

export interface DeviceView {
  readonly id: string
  readonly kind: TrustedDeviceRecord['kind']
  readonly name: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly isThis: boolean
}

export async function listDevices(context: SessionContext): Promise<readonly DeviceView[]> {
  const { client } = requireOpen(context)
  const own = (await context.store.read())?.unlock?.deviceId
  const devices: DeviceView[] = []
  for await (const device of client.security.listDevices()) {
    const { id, kind, name, created_at: createdAt, last_seen_at: lastSeenAt } = device
    devices.push({ id, kind, name, createdAt, lastSeenAt, isThis: id === own })
  }
  // A device that was removed is signed out at once, so this list is not the true one.
  if (own !== undefined && !devices.some(({ isThis }) => isThis)) throw refuseHere('device_not_listed')
  return devices
}

/** A login that has not ended. */
export interface SessionView {
  readonly id: string
  readonly app: SessionRecord['app']
  /** The name of the device, or what its browser says of itself. */
  readonly device: string | null
  readonly network: string | null
  readonly lastUsedAt: string
  readonly isThis: boolean
}

/** The one of this device first, then those that were used last. */
export async function listSessions(context: SessionContext): Promise<readonly SessionView[]> {
  const sessions: SessionView[] = []
  for await (const session of requireOpen(context).client.security.listSessions()) {
    const { id, app, device_name: device, address: network, last_used_at: lastUsedAt, current: isThis } = session
    sessions.push({ id, app, device, network, lastUsedAt, isThis })
  }
  return sessions.toSorted(
    (one, other) => Number(other.isThis) - Number(one.isThis) || other.lastUsedAt.localeCompare(one.lastUsedAt),
  )
}

export async function endSession(context: SessionContext, sessionId: string): Promise<void> {
  await requireOpen(context).client.security.endSession(sessionId)
  context.changed('devices')
}

export async function renameDevice(
  context: SessionContext,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await requireOpen(context).client.security.renameDevice(id, name)
  context.changed('devices')
}

/** Sessions that are used on it end at once. This device itself does not wait for the platform to forget the account. */
export async function removeDevice(context: SessionContext, deviceId: string): Promise<void> {
  const { client } = requireOpen(context)
  if ((await context.store.read())?.unlock?.deviceId === deviceId) return leaveAccount(context, { deviceId })
  await client.security.removeDevice(deviceId)
  context.changed('devices', 'session')
}

/** What `navigator.credentials.create` takes, in its JSON form; the page adds the PRF extension. */
export async function passkeyOptions(
  context: SessionContext,
): Promise<{ readonly challenge: string; readonly publicKey: Readonly<Record<string, unknown>> }> {
  const { client } = requireOpen(context)
  const { challenge, public_key: publicKey } = await client.security.requestDeviceOptions({ kind: 'passkey' })
  if (publicKey === null) throw refuseHere('no_passkey')
  return { challenge, publicKey }
}

export interface NewPasskey {
  readonly name: string
  readonly challenge: string
  readonly rpId: string
  /** Only these members: the JSON form of a credential also holds the PRF result. */
  readonly credential: {
    readonly id: string
    readonly rawId: string
    readonly type: 'public-key'
    readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
  }
  /** The PRF result; it never leaves this worker. */
  readonly secret: ArrayBuffer
}

export async function addPasskey(context: SessionContext, passkey: NewPasskey): Promise<void> {
  const open = requireOpen(context)
  const { name, challenge, credential, rpId } = passkey
  const verifier = verifierOf(open)
  const { id } = await open.client.security.addDevice({
    kind: 'passkey',
    auth_verifier: verifier,
    name,
    challenge,
    credential,
  })
  const wrap = await wrapForDevice(open.privateKey, new Secret(new Uint8Array(passkey.secret)))
  await keepUnlock(context, { kind: 'passkey', credentialId: credential.id, rpId, wrap, deviceId: id })
}

const LEAST_PASSCODE = 6

/** For devices without a passkey that can unlock. Both keys rest under the passcode: that of the account, and the own one. */
export async function addPasscode(
  context: SessionContext,
  wish: { readonly passcode: string; readonly name: string },
): Promise<void> {
  if (wish.passcode.length < LEAST_PASSCODE) throw refuseHere('passcode_short')
  const open = requireOpen(context)
  const verifier = verifierOf(open)
  const { challenge } = await open.client.security.requestDeviceOptions({ kind: 'device_key' })
  const signer = await newSigner()
  const { id } = await open.client.security.addDevice({
    kind: 'device_key',
    auth_verifier: verifier,
    name: wish.name,
    challenge,
    public_key: signer.publicKey,
    signature: await signWith(signer.privateKey, challenge),
  })
  const [salt, deviceKey] = [newPasscodeSalt(), await createDeviceKey()]
  const secret = await passcodeSecret(wish.passcode, salt, deviceKey)
  await keepUnlock(context, {
    kind: 'passcode',
    salt,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host's own key, by the narrower type of pure/crypto
    deviceKey: deviceKey as CryptoKey,
    wrap: await wrapForDevice(open.privateKey, secret),
    deviceId: id,
    signer: await wrapDeviceSigner(signer.pkcs8, secret),
    failedTries: 0,
  })
}

async function keepUnlock(context: SessionContext, unlock: DeviceUnlock): Promise<void> {
  await rememberAccount(context)
  const record = await context.store.read()
  if (record === null) throw refuseHere('storage_refused')
  await context.store.write({ ...record, unlock })
  await bindSession(context, unlock.deviceId)
  context.changed('session', 'devices')
}

/** The platform ends the session that has added a device with it; one that was opened to prove the password is another. */
async function bindSession(context: SessionContext, deviceId: string): Promise<void> {
  const { email, login, isReproven } = requireOpen(context)
  if (isReproven && login !== null) await context.access.open({ email, login, deviceId })
}

function verifierOf({ login }: OpenAccount): string {
  if (login === null) throw refuseHere('password_needed')
  return login.authVerifier.reveal()
}

export async function requestDeletion(context: SessionContext): Promise<void> {
  await requireOpen(context).client.security.requestDeletion()
}

/** For good: the account ends at the platform, then everything on this device. */
export async function confirmDeletion(context: SessionContext, code: string): Promise<void> {
  await requireOpen(context).client.security.confirmDeletion(code)
  await wipeLocal(context)
}
