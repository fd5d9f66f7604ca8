import type { Bytes } from '../web-crypto.ts'

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function encodeHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => PAIRS[byte]).join('')
}

/** Lower case only: the wire has one spelling of a digest, so two of them may be compared as text. */
export function decodeHex(text: string): Bytes | null {
  if (text.length % 2 !== 0 || /[^0-9a-f]/.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16))
}
