import type { Bytes } from '../web-crypto.ts'
import type { Utf8Codec } from './utf8.ts'

/**
 * [Note: one text per value] Standard alphabet, padding required, no white space, unused bits zero: bytes have exactly
 * one text, and `decode` returns null for every other. Lenient decoders would accept many texts for one sealed value.
 */
export interface Base64Codec {
  encode(bytes: Uint8Array): string
  decode(text: string): Bytes | null
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))
const PADDING = 61
const NOT_A_DIGIT = 64
const DIGITS = digitTable()

/**
 * For hosts without a native base64. Texts pass through UTF-8, which hosts do far quicker than a string is built here.
 */
export function createPortableBase64(utf8: Utf8Codec): Base64Codec {
  return {
    encode: (bytes) => utf8.decode(encodeToCodes(bytes)) ?? '',
    decode(text) {
      const length = decodedLength(text)
      if (length === null || !hasZeroTail(text)) return null
      const codes = utf8.encode(text)
      return codes?.length === text.length ? decodeCodes(codes, length) : null
    },
  }
}

/** The number of bytes that a text of this length and padding encodes; null when no text has this length. */
export function decodedLength(text: string): number | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}

/** The last digit before the padding has bits that belong to no byte. */
export function hasZeroTail(text: string): boolean {
  if (text.endsWith('==')) return (digitOf(text.charCodeAt(text.length - 3)) & 0b1111) === 0
  return !text.endsWith('=') || (digitOf(text.charCodeAt(text.length - 2)) & 0b11) === 0
}

function encodeToCodes(bytes: Uint8Array): Bytes {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let out = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const triple = (byteAt(bytes, at) << 16) | (byteAt(bytes, at + 1) << 8) | byteAt(bytes, at + 2)
    codes[out] = codeOf(triple >> 18)
    codes[out + 1] = codeOf(triple >> 12)
    codes[out + 2] = codeOf(triple >> 6)
    codes[out + 3] = codeOf(triple)
    out += 4
  }
  const missing = (3 - (bytes.length % 3)) % 3
  return codes.fill(PADDING, codes.length - missing)
}

function decodeCodes(codes: Uint8Array, length: number): Bytes | null {
  const bytes = new Uint8Array(length)
  const missing = (3 - (length % 3)) % 3
  // `length` already accounts for the padding; from here on it counts as zero bits.
  codes.fill(codeOf(0), codes.length - missing)
  let foreign = 0
  let out = 0
  for (let at = 0; at < codes.length; at += 4) {
    const a = digitOf(codes[at])
    const b = digitOf(codes[at + 1])
    const c = digitOf(codes[at + 2])
    const d = digitOf(codes[at + 3])
    foreign |= a | b | c | d
    // Writes past the end of a typed array are ignored: the last triple may be short.
    bytes[out] = (a << 2) | (b >> 4)
    bytes[out + 1] = (b << 4) | (c >> 2)
    bytes[out + 2] = (c << 6) | d
    out += 3
  }
  return (foreign & NOT_A_DIGIT) === 0 ? bytes : null
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

function codeOf(bits: number): number {
  return CODES[bits & 63] ?? 0
}

function digitOf(code = -1): number {
  return DIGITS[code] ?? NOT_A_DIGIT
}

function digitTable(): Uint8Array {
  const table = new Uint8Array(256).fill(NOT_A_DIGIT)
  CODES.forEach((code, digit) => (table[code] = digit))
  return table
}
