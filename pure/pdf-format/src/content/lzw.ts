import { damaged, PdfRefused } from '../refusal.ts'

const CLEAR = 256
const END = 257
const MAX_CODES = 4096

/** The LZW of TIFF and PDF, codes of 9 to 12 bits; used by old producers. */
export function decodeLzw(bytes: Uint8Array, earlyChange: boolean, limit: number): Uint8Array {
  const output = new GrowingBytes(limit)
  // Each code is a piece of the output: where it begins, and how long it is.
  const starts = new Int32Array(MAX_CODES)
  const lengths = new Int32Array(MAX_CODES)
  const early = earlyChange ? 1 : 0
  let next = END + 1
  let previous: { readonly start: number; readonly length: number } | null = null
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffffff
    bits += 8
    const width = widthOf(next + early)
    if (bits < width) continue
    bits -= width
    const code = (buffer >> bits) & ((1 << width) - 1)
    if (code === END) break
    if (code === CLEAR) {
      next = END + 1
      previous = null
      continue
    }
    const start = output.length
    if (code < CLEAR) output.push(code)
    else if (code < next) output.copy(starts[code] ?? 0, lengths[code] ?? 0)
    else if (code === next && previous !== null) {
      output.copy(previous.start, previous.length)
      output.copy(previous.start, 1)
    } else throw damaged('invalid code in LZW data')
    if (previous !== null && next < MAX_CODES) {
      // What was before and the first byte of this: they follow each other in the output.
      starts[next] = previous.start
      lengths[next] = previous.length + 1
      next += 1
    }
    previous = { start, length: output.length - start }
  }
  return output.result()
}

function widthOf(next: number): number {
  if (next >= 2048) return 12
  if (next >= 1024) return 11
  return next >= 512 ? 10 : 9
}

class GrowingBytes {
  readonly #limit: number
  #bytes = new Uint8Array(4096)
  length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.length] = byte
    this.length += 1
  }

  copy(start: number, count: number): void {
    this.#reserve(count)
    this.#bytes.copyWithin(this.length, start, start + count)
    this.length += count
  }

  result(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  #reserve(count: number): void {
    if (this.length + count > this.#limit) throw new PdfRefused('too_complex', 'compressed data is too large')
    if (this.length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.length + count, this.#bytes.length * 2))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}
