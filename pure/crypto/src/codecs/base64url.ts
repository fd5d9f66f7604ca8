import type { Bytes } from '../web-crypto.ts'
import type { Base64Codec } from './base64.ts'

/** The url alphabet without padding, for passphrases. */
export function encodeBase64Url(base64: Base64Codec, bytes: Uint8Array): string {
  return base64.encode(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Null for padding, white space, the other alphabet, and unused bits that are not zero. */
export function decodeBase64Url(base64: Base64Codec, text: string): Bytes | null {
  if (/[+/=]/.test(text)) return null
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  return base64.decode(text.replaceAll('-', '+').replaceAll('_', '/') + padding)
}
