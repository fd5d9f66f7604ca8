const WHITESPACE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (character) => character.charCodeAt(0)))

/** The class of each byte: 1 whitespace, 2 delimiter, 0 regular. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => (WHITESPACE.has(byte) ? 1 : DELIMITERS.has(byte) ? 2 : 0))

export function isWhitespace(byte: number | undefined): boolean {
  return byte !== undefined && CLASSES[byte] === 1
}

export function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && CLASSES[byte] === 0
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** One character per byte. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = ''
  for (let at = start; at < end; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 4096)))
  return text
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}

export function startsWith(bytes: Uint8Array, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word.charCodeAt(index)) return false
  return true
}

/** The last place of a word at or after `start`; -1 if there is none. */
export function lastPlaceOf(bytes: Uint8Array, word: string, start = 0): number {
  for (let at = bytes.length - word.length; at >= start; at -= 1) if (startsWith(bytes, at, word)) return at
  return -1
}
