import { accept, type Brand, decline, type Result, Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'

/** Passed in: a browser provides it as WebAssembly, Node as a native function. */
export type Argon2id = (input: Argon2Input) => Promise<Uint8Array>

export interface Argon2Input {
  readonly password: Bytes
  readonly salt: Bytes
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
  readonly outputBytes: number
}

/** The members of `kdf` on the wire. */
export interface KdfParameters {
  readonly alg: 'argon2id'
  readonly memory_kib: number
  readonly passes: number
  readonly lanes: number
  readonly salt: string
}

/** Wraps the private keys of a user or an account. */
export type WrapKey = Brand<WebCryptoKey, 'WrapKey'>

export interface PasswordKeys {
  /** The only part that leaves the device: it proves the password and opens nothing. */
  readonly authVerifier: Secret<string>
  readonly wrapKey: WrapKey
}

export type PasswordRefusal = 'not_text' | 'kdf_invalid' | 'too_weak' | 'too_costly'

const AGREED = { alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1 } as const
const WEAKEST = { memory_kib: 32_768, passes: 2 }
/** A gigabyte, sixteen times: a hostile server must not block the user who signs in. */
const COSTLIEST = { memory_kib: 1_048_576, passes: 16, lanes: 16 }
const SALT_BYTES = 16
const KEY_BYTES = 32

export function createKdfParameters(platform: CryptoPlatform): KdfParameters {
  return { ...AGREED, salt: platform.base64.encode(randomBytes(platform, SALT_BYTES)) }
}

/** The server chooses the parameters, so the client checks them: weak ones would make the password cheap to guess. */
export async function derivePasswordKeys(
  platform: CryptoPlatform,
  argon2id: Argon2id,
  password: Secret<string>,
  kdf: unknown,
): Promise<Result<PasswordKeys, PasswordRefusal>> {
  const master = await derivePasswordMaster(platform, argon2id, password, kdf)
  if (!master.ok) return master
  const keys = await passwordKeysOf(platform, master.value)
  master.value.reveal().fill(0)
  return accept(keys)
}

/** What a password stands for: both of its keys follow from it. */
export async function derivePasswordMaster(
  platform: CryptoPlatform,
  argon2id: Argon2id,
  password: Secret<string>,
  kdf: unknown,
): Promise<Result<Secret<Bytes>, PasswordRefusal>> {
  const parameters = readKdf(platform, kdf)
  if (!parameters.ok) return parameters
  const normalized = platform.utf8.encode(password.reveal().normalize('NFKC'))
  if (normalized === null) return decline('not_text')
  const master = Uint8Array.from(await argon2id({ ...parameters.value, password: normalized, outputBytes: KEY_BYTES }))
  normalized.fill(0)
  if (master.length !== KEY_BYTES) throw new Error(`Argon2 gave ${master.length} bytes instead of ${KEY_BYTES}`)
  return accept(new Secret(master))
}

export async function passwordKeysOf(platform: CryptoPlatform, master: Secret<Bytes>): Promise<PasswordKeys> {
  return deriveBoth(platform, master.reveal())
}

async function deriveBoth(platform: CryptoPlatform, master: Bytes): Promise<PasswordKeys> {
  const { subtle } = platform.crypto
  const source = await subtle.importKey('raw', master, { name: 'HKDF' }, false, ['deriveBits'])
  const derive = async (info: 'auth' | 'wrap'): Promise<Bytes> => {
    const label = Uint8Array.from(info, (letter) => letter.charCodeAt(0))
    const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: label } as const
    return new Uint8Array(await subtle.deriveBits(parameters, source, KEY_BYTES * 8))
  }
  const verifier = new Secret(platform.base64.encode(await derive('auth')))
  return { authVerifier: verifier, wrapKey: await importWrapKey(platform, new Secret(await derive('wrap'))) }
}

async function importWrapKey({ crypto }: CryptoPlatform, raw: Secret<Bytes>): Promise<WrapKey> {
  const key = await crypto.subtle.importKey('raw', raw.reveal(), { name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes a wrap key
  return key as WrapKey
}

type Kdf = Pick<Argon2Input, 'salt' | 'memoryKib' | 'passes' | 'lanes'>

function readKdf({ base64 }: CryptoPlatform, kdf: unknown): Result<Kdf, PasswordRefusal> {
  const members: Partial<Record<string, unknown>> = typeof kdf === 'object' ? { ...kdf } : {}
  const { alg, memory_kib: memoryKib, passes, lanes, salt: saltText } = members
  const salt = typeof saltText === 'string' && saltText.length <= 24 ? base64.decode(saltText) : null
  if (alg !== AGREED.alg || salt?.length !== SALT_BYTES) return decline('kdf_invalid')
  if (!isCount(memoryKib) || !isCount(passes) || !isCount(lanes)) return decline('kdf_invalid')
  if (memoryKib < WEAKEST.memory_kib || passes < WEAKEST.passes) return decline('too_weak')
  const isTooCostly = memoryKib > COSTLIEST.memory_kib || passes > COSTLIEST.passes || lanes > COSTLIEST.lanes
  return isTooCostly ? decline('too_costly') : accept({ salt, memoryKib, passes, lanes })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}
