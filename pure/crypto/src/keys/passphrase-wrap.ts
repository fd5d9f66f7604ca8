import { accept, decline, type Result, type Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import {
  keyOfPassphrase,
  openByPassphrase,
  PASSPHRASE_ITERATIONS,
  type PassphraseRefusal,
  SALT_BYTES,
} from './passphrase.ts'

/** `encrypted_private_key` of a service or a sign-in app: PKCS#8 under AES-256-GCM, the last three in base64. */
export interface PassphraseWrap {
  readonly iter: number
  readonly salt: string
  readonly iv: string
  readonly data: string
}

export type UnwrapRefusal = 'not_a_key_wrap' | PassphraseRefusal

const IV_BYTES = 12
const TAG_BYTES = 16
/** PKCS#8 of an RSA-2048 key has about 1218 bytes. */
const DATA_LIMIT = 4096

export async function wrapByPassphrase(
  platform: CryptoPlatform,
  privateKey: Secret<Bytes>,
  passphrase: Secret<string>,
): Promise<Result<PassphraseWrap, 'not_text'>> {
  const salt = randomBytes(platform, SALT_BYTES)
  const iv = randomBytes(platform, IV_BYTES)
  const key = await keyOfPassphrase(platform, passphrase, salt)
  if (key === null) return decline('not_text')
  const { base64, crypto } = platform
  const cipher = await crypto.subtle.importKey('raw', key, { name: 'AES-GCM' }, false, ['encrypt'])
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, privateKey.reveal())
  return accept({
    iter: PASSPHRASE_ITERATIONS,
    salt: base64.encode(salt),
    iv: base64.encode(iv),
    data: base64.encode(new Uint8Array(data)),
  })
}

/** A wrong passphrase and a changed object are indistinguishable. */
export async function unwrapByPassphrase(
  platform: CryptoPlatform,
  wrap: unknown,
  passphrase: Secret<string>,
): Promise<Result<Secret<Bytes>, UnwrapRefusal>> {
  const parts = readWrap(platform, wrap)
  if (parts === null) return decline('not_a_key_wrap')
  return openByPassphrase(platform, passphrase, parts, (key) => decrypt(platform, key, parts))
}

/** The server's check of an object that it stores and can never open: exactly the agreed parameters. */
export function isPassphraseWrap(platform: CryptoPlatform, value: unknown): value is PassphraseWrap {
  return readWrap(platform, value)?.iterations === PASSPHRASE_ITERATIONS
}

interface WrapParts {
  readonly iterations: number
  readonly salt: Bytes
  readonly iv: Bytes
  readonly data: Bytes
}

function readWrap({ base64 }: CryptoPlatform, value: unknown): WrapParts | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 4) return null
  const { iter, ...texts }: Partial<Record<string, unknown>> = { ...value }
  const [salt, iv, data] = [texts['salt'], texts['iv'], texts['data']].map((text) =>
    typeof text === 'string' && text.length <= DATA_LIMIT ? base64.decode(text) : null,
  )
  if (typeof iter !== 'number' || !Number.isSafeInteger(iter) || iter < 1) return null
  if (salt?.length !== SALT_BYTES || iv?.length !== IV_BYTES || !data || data.length <= TAG_BYTES) return null
  return { iterations: iter, salt, iv, data }
}

async function decrypt({ crypto }: CryptoPlatform, key: Bytes, { iv, data }: WrapParts): Promise<Bytes | null> {
  try {
    const cipher = await crypto.subtle.importKey('raw', key, { name: 'AES-GCM' }, false, ['decrypt'])
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, cipher, data))
  } catch {
    return null
  }
}
