import { accept, decline, type Result, Secret } from '@sealpost/kernel'
import { decodeBase64Url, encodeBase64Url } from '../codecs/base64url.ts'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { isPrivateKey } from './rsa-private-key.ts'

export const PASSPHRASE_ITERATIONS = 100_000
/** Ten seconds of work on a slow phone: a hostile file must not block the reader for longer. */
const PASSPHRASE_ITERATIONS_LIMIT = 10_000_000
export const SALT_BYTES = 16
const PASSPHRASE_BYTES = 32

/** 43 characters that encode 32 random bytes; shown once, kept by the creator of the key. */
export function generatePassphrase(platform: CryptoPlatform): Secret<string> {
  return new Secret(encodeBase64Url(platform.base64, randomBytes(platform, PASSPHRASE_BYTES)))
}

/**
 * The text is the password. Older tools used the bytes that it encodes, so an opener tries these second. Empty for text
 * that cannot be a passphrase.
 */
function passwordsOf({ base64, utf8 }: CryptoPlatform, passphrase: Secret<string>): readonly Bytes[] {
  const text = passphrase.reveal()
  const decoded = text.length === 43 ? decodeBase64Url(base64, text) : null
  return [utf8.encode(text), decoded].filter((password) => password !== null)
}

/** The key that encrypts a private key when it is written; null when the engine refuses the passphrase. */
export async function keyOfPassphrase(
  platform: CryptoPlatform,
  passphrase: Secret<string>,
  salt: Bytes,
): Promise<Bytes | null> {
  const [password] = passwordsOf(platform, passphrase)
  return password === undefined
    ? null
    : stretchPassword(platform, password, { salt, iterations: PASSPHRASE_ITERATIONS })
}

export type PassphraseRefusal = 'too_weak' | 'too_costly' | 'wrong_passphrase'

export interface Stretching {
  readonly salt: Bytes
  readonly iterations: number
}

/**
 * Opens every stored form of a private key. Accepts more iterations than agreed, never fewer, and only up to a limit,
 * so that a hostile file cannot block the caller. `decrypt` returns null where the key does not fit.
 */
export async function openByPassphrase(
  platform: CryptoPlatform,
  passphrase: Secret<string>,
  stretching: Stretching,
  decrypt: (key: Bytes) => Promise<Bytes | null>,
): Promise<Result<Secret<Bytes>, PassphraseRefusal>> {
  if (stretching.iterations < PASSPHRASE_ITERATIONS) return decline('too_weak')
  if (stretching.iterations > PASSPHRASE_ITERATIONS_LIMIT) return decline('too_costly')
  for (const password of passwordsOf(platform, passphrase)) {
    const key = await stretchPassword(platform, password, stretching)
    const pkcs8 = key === null ? null : await decrypt(key)
    // See [Note: numbers that belong together].
    if (pkcs8 !== null && isPrivateKey(pkcs8)) return accept(new Secret(pkcs8))
  }
  return decline('wrong_passphrase')
}

/** 32 bytes by PBKDF2 with HMAC-SHA-256; null when the engine refuses the password, as some refuse an empty one. */
async function stretchPassword(
  { crypto: { subtle } }: CryptoPlatform,
  password: Bytes,
  { salt, iterations }: Stretching,
): Promise<Bytes | null> {
  try {
    const key = await subtle.importKey('raw', password, { name: 'PBKDF2' }, false, ['deriveBits'])
    return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
  } catch {
    return null
  }
}
