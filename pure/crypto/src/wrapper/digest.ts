import { encodeHex } from '../codecs/hex.ts'
import { joinBytes } from '../codecs/join-bytes.ts'
import type { CryptoPlatform } from '../platform.ts'
import { readWrapper } from './shape.ts'

/**
 * Names one sealed value: hex of a SHA-256 that is independent of the layout of the wrapper's JSON. The first two parts have
 * a fixed length. Null for a text that is no wrapper.
 */
export async function digestWrapper(platform: CryptoPlatform, wrapper: string): Promise<string | null> {
  const parts = readWrapper(platform, wrapper)
  if (parts === null) return null
  const { sealedKey, iv, sealedText } = parts
  const bytes = joinBytes([sealedKey, iv, sealedText])
  return encodeHex(new Uint8Array(await platform.crypto.subtle.digest('SHA-256', bytes)))
}
