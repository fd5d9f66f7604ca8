import type { Bytes } from '../web-crypto.ts'

/** For tests: a copy with one bit flipped; the bit number wraps around. */
export function flipBit(bytes: Uint8Array, bit: number): Bytes {
  const changed = Uint8Array.from(bytes)
  const at = Math.floor(bit / 8) % changed.length
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
  return changed
}
