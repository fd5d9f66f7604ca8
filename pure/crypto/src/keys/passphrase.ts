import { Secret } from '@sealpost/kernel'
import { decodeBase64Url, encodeBase64Url } from '../codecs/base64url.ts'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'

export const PASSPHRASE_ITERATIONS = 100_000
/** Ten seconds of work on a slow phone: a hostile file must not hang whoever opens it. */
export const PASSPHRASE_ITERATIONS_LIMIT = 10_000_000
export const SALT_BYTES = 16
const PASSPHRASE_BYTES = 32

/** 43 characters that stand for 32 random bytes; shown once, kept by whoever made the key. */
export function generatePassphrase(platform: CryptoPlatform): Secret<string> {
  return new Secret(encodeBase64Url(platform.base64, randomBytes(platform, PASSPHRASE_BYTES)))
}

/**
 * [Note: text first] The text is the password. Older tools took the bytes that it stands for, so an opener tries these
 * second. Empty for what cannot be a passphrase.
 */
export function passwordsOf({ base64, utf8 }: CryptoPlatform, passphrase: Secret<string>): readonly Bytes[] {
  const text = passphrase.reveal()
  const decoded = text.length === 43 ? decodeBase64Url(base64, text) : null
  return [utf8.encode(text), decoded].filter((password) => password !== null)
}

/** 32 bytes by PBKDF2 with HMAC-SHA-256; null when the engine refuses the password, as some do an empty one. */
export async function stretchPassword(
  { crypto: { subtle } }: CryptoPlatform,
  password: Bytes,
  { salt, iterations }: { readonly salt: Bytes; readonly iterations: number },
): Promise<Bytes | null> {
  try {
    const key = await subtle.importKey('raw', password, { name: 'PBKDF2' }, false, ['deriveBits'])
    return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
  } catch {
    return null
  }
}
