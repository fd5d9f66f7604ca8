import type { Bytes } from '../web-crypto.ts'

/** Crockford's letters: none of them looks like another one. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const READ_AS: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }
const LETTER_BITS = 5
const BYTE_BITS = 8

/** For lengths that are a multiple of five bytes, so that no letter is half used. */
export function encodeBase32(bytes: Bytes): string {
  let [text, pending, bits] = ['', 0, 0]
  for (const byte of bytes) {
    pending = (pending << BYTE_BITS) | byte
    bits += BYTE_BITS
    for (; bits >= LETTER_BITS; bits -= LETTER_BITS) text += LETTERS[(pending >>> (bits - LETTER_BITS)) & 31] ?? ''
    pending &= (1 << bits) - 1
  }
  return text
}

/** Ignores case, spaces and hyphens, and reads I and L as 1 and O as 0; null for any other letter. */
export function decodeBase32(text: string): Bytes | null {
  const bytes: number[] = []
  let [pending, bits] = [0, 0]
  for (const letter of text.toUpperCase().replaceAll(/[\s-]/g, '')) {
    const value = LETTERS.indexOf(READ_AS[letter] ?? letter)
    if (value < 0) return null
    pending = (pending << LETTER_BITS) | value
    bits += LETTER_BITS
    if (bits >= BYTE_BITS) {
      bits -= BYTE_BITS
      bytes.push((pending >>> bits) & 255)
      pending &= (1 << bits) - 1
    }
  }
  return bits === 0 ? Uint8Array.from(bytes) : null
}
