/** The place of the parenthesis that closes the one at `start`; null if none does. */
export function endOfString(bytes: Uint8Array, start: number): number | null {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) depth += 1
    else if (byte === 0x29) depth -= 1
    if (depth === 0) return at
  }
  return null
}

/** The bytes between the parentheses at `start` and `end`. */
export function readLiteral(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = new Uint8Array(end - start)
  let length = 0
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte !== 0x5c) {
      text[length] = byte
      length += 1
      continue
    }
    const escape = readEscape(bytes, at + 1)
    at = escape.last
    if (escape.byte === null) continue
    text[length] = escape.byte
    length += 1
  }
  return text.subarray(0, length)
}

const ESCAPES = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
])

interface Escape {
  /** Null for an end of line, which continues the string. */
  readonly byte: number | null
  /** The place of its last byte. */
  readonly last: number
}

function readEscape(bytes: Uint8Array, at: number): Escape {
  const byte = bytes[at] ?? 0
  if (byte === 0x0d) return { byte: null, last: bytes[at + 1] === 0x0a ? at + 1 : at }
  if (byte === 0x0a) return { byte: null, last: at }
  if (byte < 0x30 || byte > 0x37) return { byte: ESCAPES.get(byte) ?? byte, last: at }
  let value = 0
  let end = at
  for (; end < at + 3; end += 1) {
    const digit = (bytes[end] ?? 0) - 0x30
    if (digit < 0 || digit > 7) break
    value = value * 8 + digit
  }
  return { byte: value & 0xff, last: end - 1 }
}
