import { accept, decline, type KeyRollover, PLUGIN_LIMITS, type Result, type Secret } from '@sealpost/kernel'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { derivePublicKey } from './derive-public-key.ts'
import { fingerprintPublicKey, readPublicKey } from './rsa-public-key.ts'

/** The key of a plugin decrypts by OAEP; it signs its successor, and nothing else, by PSS. */
const PSS = { name: 'RSA-PSS', hash: 'SHA-256' } as const
const SIGNING = { name: 'RSA-PSS', saltLength: 32 } as const

/** The former private key vouches for the next public key. */
export async function signKeyRollover(
  platform: CryptoPlatform,
  previous: Secret<Bytes>,
  nextPublicKey: string,
): Promise<Result<KeyRollover, 'not_a_private_key' | 'not_a_public_key'>> {
  const publicKey = derivePublicKey(platform, previous)
  if (!publicKey.ok) return publicKey
  const content = await contentOf(platform, publicKey.value, nextPublicKey)
  if (content === null) return decline('not_a_public_key')
  const { subtle } = platform.crypto
  const key = await subtle.importKey('pkcs8', previous.reveal(), PSS, false, ['sign'])
  const signature = platform.base64.encode(new Uint8Array(await subtle.sign(SIGNING, key, content.bytes)))
  return accept({ previous_sha256: content.previous, public_key: nextPublicKey, signature })
}

/**
 * Whether a chain of signatures leads from the known public key to the offered one. Entries are oldest first; those before
 * the known key are ignored, and each of the others must be signed by the key before it.
 */
export async function isVouchedKey(
  platform: CryptoPlatform,
  known: string,
  offered: string,
  rollovers: readonly KeyRollover[],
): Promise<boolean> {
  if (rollovers.length > PLUGIN_LIMITS.keyRollovers) return false
  const fingerprint = await fingerprintPublicKey(platform, known)
  const start = fingerprint.ok ? rollovers.findIndex((one) => one.previous_sha256 === fingerprint.value) : -1
  if (start === -1) return false
  let present = known
  for (const rollover of rollovers.slice(start)) {
    if (!(await isSignedBy(platform, present, rollover))) return false
    present = rollover.public_key
  }
  return present === offered
}

async function isSignedBy(platform: CryptoPlatform, previous: string, rollover: KeyRollover): Promise<boolean> {
  const spki = readPublicKey(platform, previous)
  const signature = platform.base64.decode(rollover.signature)
  const content = await contentOf(platform, previous, rollover.public_key)
  if (spki === null || signature === null || content === null) return false
  if (content.previous !== rollover.previous_sha256) return false
  try {
    const { subtle } = platform.crypto
    const key = await subtle.importKey('spki', spki, PSS, false, ['verify'])
    return await subtle.verify(SIGNING, key, signature, content.bytes)
  } catch {
    return false
  }
}

/** `sealpost-plugin-key:` and the fingerprints of the former and of the next key. */
async function contentOf(
  platform: CryptoPlatform,
  previous: string,
  next: string,
): Promise<{ readonly previous: string; readonly bytes: Bytes } | null> {
  const from = await fingerprintPublicKey(platform, previous)
  const to = await fingerprintPublicKey(platform, next)
  const bytes = from.ok && to.ok ? platform.utf8.encode(`sealpost-plugin-key:${from.value}${to.value}`) : null
  return from.ok && bytes !== null ? { previous: from.value, bytes } : null
}
