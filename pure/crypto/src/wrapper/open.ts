import { accept, decline, type Result } from '@sealpost/kernel'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'
import { isPinned, type OpeningKey } from './keys.ts'
import { readWrapper, type Wrapper } from './shape.ts'

export type OpenRefusal = 'not_a_wrapper' | 'wrong_key' | 'damaged' | 'not_text'

/**
 * Opens a wrapper's text. A value sealed for another key and one whose `k` was changed are indistinguishable: both are
 * `wrong_key`. JSON inside stays text, because its meaning depends on the field's type, and because hashes are taken
 * over exactly this text.
 */
export async function openWrapper(
  platform: CryptoPlatform,
  key: OpeningKey,
  text: string,
): Promise<Result<string, OpenRefusal>> {
  const wrapper = readWrapper(platform, text)
  if (wrapper === null) return decline('not_a_wrapper')
  const dataKey = await openDataKey(platform, key.take(), wrapper)
  if (dataKey === null) return decline('wrong_key')
  const plaintext = await openText(platform, dataKey, wrapper)
  dataKey.fill(0)
  if (plaintext === null) return decline('damaged')
  const opened = platform.utf8.decode(plaintext)
  return opened === null ? decline('not_text') : accept(opened)
}

async function openDataKey({ crypto }: CryptoPlatform, key: WebCryptoKey, wrapper: Wrapper): Promise<Bytes | null> {
  if (!isPinned(key)) return null
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, key, wrapper.sealedKey))
  } catch {
    return null
  }
}

async function openText({ crypto }: CryptoPlatform, dataKey: Bytes, wrapper: Wrapper): Promise<Bytes | null> {
  // Engines would accept 16 or 24 bytes as well and silently use a weaker cipher.
  if (dataKey.length !== 32) return null
  const { iv, sealedText } = wrapper
  try {
    const key = await crypto.subtle.importKey('raw', dataKey, { name: 'AES-GCM' }, false, ['decrypt'])
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealedText))
  } catch {
    return null
  }
}
