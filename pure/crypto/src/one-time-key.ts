import { accept, type Brand, decline, type Result, Secret } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from './platform.ts'
import type { Bytes, WebCryptoKey } from './web-crypto.ts'

/** A key under which a client sends a server content to process in memory, for one call. */
export type OneTimeKey = Brand<WebCryptoKey, 'OneTimeKey'>

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The text that is sent as `otk`. */
export function generateOneTimeKey(platform: CryptoPlatform): Secret<string> {
  return new Secret(platform.base64.encode(randomBytes(platform, KEY_BYTES)))
}

export async function importOneTimeKey(
  { base64, crypto }: CryptoPlatform,
  text: Secret<string>,
): Promise<Result<OneTimeKey, 'not_a_one_time_key'>> {
  const raw = text.reveal().length === 44 ? base64.decode(text.reveal()) : null
  if (raw?.length !== KEY_BYTES) return decline('not_a_one_time_key')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
  raw.fill(0)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this function is what makes a one-time key
  return accept(key as OneTimeKey)
}

/** base64 of IV, ciphertext and tag. */
export async function sealOnce(platform: CryptoPlatform, key: OneTimeKey, content: Bytes): Promise<string> {
  const { base64, crypto } = platform
  const iv = randomBytes(platform, IV_BYTES)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, content)
  // Twelve bytes are sixteen characters without padding, so the two texts join into the base64 of the whole.
  return base64.encode(iv) + base64.encode(new Uint8Array(sealed))
}

export async function openOnce(
  { base64, crypto }: CryptoPlatform,
  key: OneTimeKey,
  sealed: string,
): Promise<Result<Bytes, 'not_sealed' | 'damaged'>> {
  const bytes = typeof sealed === 'string' ? base64.decode(sealed) : null
  if (bytes === null || bytes.length < IV_BYTES + TAG_BYTES) return decline('not_sealed')
  const iv = bytes.subarray(0, IV_BYTES)
  try {
    return accept(new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV_BYTES))))
  } catch {
    return decline('damaged')
  }
}
