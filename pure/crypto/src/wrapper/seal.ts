import { accept, decline, type Result } from '@sealpost/kernel'
import { type CryptoPlatform, randomBytes } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { isPinned, type SealingKey } from './keys.ts'
import { IV_BYTES, writeWrapper } from './shape.ts'

/** Seals a text to a public key; returns the wrapper's text, as it is embedded in other JSON. */
export async function sealWrapper(
  platform: CryptoPlatform,
  key: SealingKey,
  text: string,
): Promise<Result<string, 'not_text' | 'not_a_public_key'>> {
  const plaintext = platform.utf8.encode(text)
  if (plaintext === null) return decline('not_text')
  if (!isPinned(key)) return decline('not_a_public_key')
  const dataKey = randomBytes(platform, 32)
  const iv = randomBytes(platform, IV_BYTES)
  const [sealedKey, sealedText] = await Promise.all([
    sealDataKey(platform, key, dataKey),
    sealText(platform, dataKey, iv, plaintext),
  ])
  dataKey.fill(0)
  if (sealedKey === null) return decline('not_a_public_key')
  return accept(writeWrapper(platform, { sealedKey, iv, sealedText }))
}

/** Null when the engine refuses the key. */
async function sealDataKey({ crypto }: CryptoPlatform, key: SealingKey, dataKey: Bytes): Promise<Bytes | null> {
  try {
    return new Uint8Array(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, dataKey))
  } catch {
    return null
  }
}

async function sealText({ crypto }: CryptoPlatform, dataKey: Bytes, iv: Bytes, plaintext: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', dataKey, { name: 'AES-GCM' }, false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plaintext))
}
