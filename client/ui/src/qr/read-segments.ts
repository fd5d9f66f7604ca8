const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'
const MODES = { end: 0, numeric: 1, alphanumeric: 2, bytes: 4, encoding: 7 } as const

/** Bits of the data, from the front. */
interface Bits {
  readonly left: () => number
  /** Past the end there are zeros; `left` tells. */
  readonly take: (count: number) => number
}

/** The text in the data of a code; null for what no link has (Japanese letters, codes in several parts). */
export function readSegments(data: Uint8Array, version: number): string | null {
  const bits = bitsOf(data)
  let text = ''
  while (bits.left() >= 4) {
    const mode = bits.take(4)
    if (mode === MODES.end) break
    // The text is read as UTF-8 whatever is announced: links have no other letters.
    if (mode === MODES.encoding) {
      skipEncoding(bits)
      continue
    }
    const segment = readSegment(bits, mode, version)
    if (segment === null) return null
    text += segment
  }
  return text
}

function readSegment(bits: Bits, mode: number, version: number): string | null {
  const size = version < 10 ? 0 : version < 27 ? 1 : 2
  if (mode === MODES.numeric) return readDigits(bits, bits.take([10, 12, 14][size] ?? 0))
  if (mode === MODES.alphanumeric) return readLetters(bits, bits.take([9, 11, 13][size] ?? 0))
  return mode === MODES.bytes ? readBytes(bits, bits.take(size === 0 ? 8 : 16)) : null
}

function readDigits(bits: Bits, count: number): string | null {
  let text = ''
  for (let left = count; left > 0; left -= 3) {
    const digits = Math.min(left, 3)
    if (bits.left() < digits * 3 + 1) return null
    text += String(bits.take(digits * 3 + 1)).padStart(digits, '0')
  }
  return text
}

function readLetters(bits: Bits, count: number): string | null {
  let text = ''
  for (let left = count; left > 0; left -= 2) {
    if (bits.left() < (left === 1 ? 6 : 11)) return null
    const both = bits.take(left === 1 ? 6 : 11)
    if (left > 1) text += ALPHANUMERIC.charAt(Math.floor(both / 45))
    text += ALPHANUMERIC.charAt(both % 45)
  }
  return text
}

function readBytes(bits: Bits, count: number): string | null {
  if (bits.left() < count * 8) return null
  const bytes = Uint8Array.from({ length: count }, () => bits.take(8))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('iso-8859-1').decode(bytes)
  }
}

function skipEncoding(bits: Bits): void {
  const first = bits.take(8)
  if (first >= 0b1100_0000) bits.take(16)
  else if (first >= 0b1000_0000) bits.take(8)
}

function bitsOf(data: Uint8Array): Bits {
  let at = 0
  return {
    left: () => data.length * 8 - at,
    take(count) {
      let value = 0
      for (let taken = 0; taken < count; taken += 1, at += 1)
        value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at % 8))) & 1)
      return value
    },
  }
}
