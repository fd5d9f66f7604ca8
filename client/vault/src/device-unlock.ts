import {
  type Bytes,
  type CryptoPlatform,
  type PasswordWrap,
  unwrapByPassword,
  type WebCryptoKey,
  type WrapKey,
  wrapByPassword,
} from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { argon2id } from './argon2.ts'
import { hostPlatform } from './host.ts'
import { orThrow } from './vault-error.ts'

/**
 * A private key that rests on a device, under a secret that is not there: the PRF result of a passkey, or what follows
 * from a passcode and the device's own key.
 */
export type DeviceWrap = PasswordWrap

const KEY_BYTES = 32
const SALT_BYTES = 16
const INFO = 'sealpost device unlock v1'
/** Another one, so that neither wrap can take the place of the other. */
const SIGNER_INFO = 'sealpost device signer v1'
/** As for passwords; a passcode is shorter, so its key also needs the device. */
const COST = { memoryKib: 65_536, passes: 3, lanes: 1 }

export async function wrapForDevice(privateKey: Secret<Bytes>, secret: Secret<Bytes>): Promise<DeviceWrap> {
  const platform = hostPlatform()
  return wrapByPassword(platform, await deviceWrapKey(platform, secret), privateKey, 'account')
}

/** Throws a `VaultError` with `wrong_key` for another secret. */
export async function openOnDevice(wrap: unknown, secret: Secret<Bytes>): Promise<Secret<Bytes>> {
  const platform = hostPlatform()
  return orThrow(await unwrapByPassword(platform, await deviceWrapKey(platform, secret), wrap, 'account'))
}

/** The PKCS#8 of the key by which this device signs approvals. */
export async function wrapDeviceSigner(signer: Secret<Bytes>, secret: Secret<Bytes>): Promise<DeviceWrap> {
  const platform = hostPlatform()
  return wrapByPassword(platform, await deviceWrapKey(platform, secret, SIGNER_INFO), signer, 'account')
}

/** Throws a `VaultError` with `wrong_key` for another secret, and for a wrap that holds something else. */
export async function openDeviceSigner(wrap: unknown, secret: Secret<Bytes>): Promise<Secret<Bytes>> {
  const platform = hostPlatform()
  return orThrow(await unwrapByPassword(platform, await deviceWrapKey(platform, secret, SIGNER_INFO), wrap, 'account'))
}

/** Cannot be exported: a copy of what a script can read is no use for guessing passcodes elsewhere. */
export async function createDeviceKey(): Promise<WebCryptoKey> {
  const raw = randomOf(KEY_BYTES)
  const { subtle } = hostPlatform().crypto
  return subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

export function newPasscodeSalt(): Bytes {
  return randomOf(SALT_BYTES)
}

/** The secret of a passcode on the device with this key. */
export async function passcodeSecret(passcode: string, salt: Bytes, deviceKey: WebCryptoKey): Promise<Secret<Bytes>> {
  const { utf8, crypto } = hostPlatform()
  const password = utf8.encode(passcode.normalize('NFKC')) ?? new Uint8Array()
  const derived = Uint8Array.from(await argon2id({ ...COST, password, salt, outputBytes: KEY_BYTES }))
  return new Secret(new Uint8Array(await crypto.subtle.sign('HMAC', deviceKey, derived)))
}

async function deviceWrapKey(
  { crypto, utf8 }: CryptoPlatform,
  secret: Secret<Bytes>,
  purpose = INFO,
): Promise<WrapKey> {
  const { subtle } = crypto
  const source = await subtle.importKey('raw', secret.reveal(), { name: 'HKDF' }, false, ['deriveBits'])
  const info = utf8.encode(purpose) ?? new Uint8Array()
  const bits = await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }, source, 256)
  const key = await subtle.importKey('raw', new Uint8Array(bits), { name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a wrap key in all but its origin
  return key as WrapKey
}

function randomOf(length: number): Bytes {
  const bytes = new Uint8Array(length)
  hostPlatform().crypto.getRandomValues(bytes)
  return bytes
}
