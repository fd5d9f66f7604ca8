import { PdfRefused, damaged } from '../refusal.ts'

/**
 * Inflate (RFC 1950, RFC 1951) with a limit for its output. It is written here because the one of browsers is
 * asynchronous and that of Node does not exist in browsers, and because both must refuse the same files. The checksum at
 * the end is not read here: viewers ignore it; see `hasChecksum`.
 */
export function inflate(data: Uint8Array, maxCost: number): Inflated {
  const head = data[0] ?? 0
  if ((head & 0x0f) !== 8 || ((head << 8) | (data[1] ?? 0)) % 31 !== 0 || ((data[1] ?? 0) & 0x20) !== 0)
    throw damaged('compressed data without a zlib header')
  const input = new BitReader(data, 2)
  const output = new Output(maxCost)
  let isLast = false
  while (!isLast) {
    isLast = input.bits(1) === 1
    const type = input.bits(2)
    if (type === 0) copyStored(input, output)
    else if (type === 1) copyCompressed(input, output, FIXED_LITERALS, FIXED_DISTANCES)
    else if (type === 2) {
      output.charge(TABLES_COST)
      copyCompressed(input, output, ...readTables(input))
    } else throw damaged('invalid block of compressed data')
  }
  return { ...output.result(), end: input.end() }
}

export interface Inflated {
  readonly bytes: Uint8Array
  /** Bytes, and what the tables of their blocks cost: many tiny blocks take as long as many bytes. */
  readonly cost: number
  /** Where the last block ends; the checksum follows. */
  readonly end: number
}

/** Whether the four bytes there are the checksum of the data (RFC 1950). */
export function hasChecksum(data: Uint8Array, { bytes, end }: Inflated): boolean {
  let [low, high] = [1, 0]
  for (const [at, byte] of bytes.entries()) {
    low += byte
    high += low
    if (at % ADLER_TURN !== 0) continue
    low %= ADLER
    high %= ADLER
  }
  const sums = [(high % ADLER) >> 8, (high % ADLER) & 255, (low % ADLER) >> 8, (low % ADLER) & 255]
  return sums.every((sum, at) => data[end + at] === sum)
}

const ADLER = 65_521
/** As many sums stay exact without a remainder. */
const ADLER_TURN = 4096

const TABLES_COST = 4096

class BitReader {
  readonly #data: Uint8Array
  #at: number
  #buffer = 0
  #count = 0

  constructor(data: Uint8Array, at: number) {
    this.#data = data
    this.#at = at
  }

  bits(count: number): number {
    while (this.#count < count) this.#fill()
    const value = this.#buffer & ((1 << count) - 1)
    this.#buffer >>>= count
    this.#count -= count
    return value
  }

  symbol(table: Huffman): number {
    // The last code may be shorter than the longest one: missing bits read as zero, taking them is checked.
    while (this.#count < table.maxBits && this.#at < this.#data.length) this.#fill()
    const entry = table.lookup[this.#buffer & ((1 << table.maxBits) - 1)] ?? 0
    const length = entry & 15
    if (length === 0 || length > this.#count) throw damaged('invalid code in compressed data')
    this.#buffer >>>= length
    this.#count -= length
    return entry >>> 4
  }

  /** Drops the rest of a byte and takes whole bytes. */
  take(length: number): Uint8Array {
    const kept = this.#count >> 3
    const start = this.#at - kept
    this.#buffer = 0
    this.#count = 0
    this.#at = start + length
    if (this.#at > this.#data.length) throw damaged('compressed data ends early')
    return this.#data.subarray(start, this.#at)
  }

  /** The first byte of which nothing was taken. */
  end(): number {
    return this.#at - (this.#count >> 3)
  }

  #fill(): void {
    const byte = this.#data[this.#at]
    if (byte === undefined) throw damaged('compressed data ends early')
    this.#buffer |= byte << this.#count
    this.#at += 1
    this.#count += 8
  }
}

class Output {
  readonly #limit: number
  #bytes: Uint8Array
  #length = 0
  #charged = 0

  constructor(limit: number) {
    this.#limit = limit
    this.#bytes = new Uint8Array(Math.min(limit, 65_536))
  }

  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length] = byte
    this.#length += 1
  }

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  repeat(distance: number, length: number): void {
    if (distance > this.#length) throw damaged('compressed data refers to bytes before its start')
    if (this.#length + length > this.#bytes.length) this.#grow(length)
    const bytes = this.#bytes
    for (let at = this.#length, end = at + length; at < end; at += 1) bytes[at] = bytes[at - distance] ?? 0
    this.#length += length
  }

  charge(cost: number): void {
    this.#charged += cost
    if (this.#length + this.#charged > this.#limit) throw tooLarge()
  }

  result(): Omit<Inflated, 'end'> {
    return { bytes: this.#bytes.subarray(0, this.#length), cost: this.#length + this.#charged }
  }

  #grow(by: number): void {
    const needed = this.#length + by
    if (needed + this.#charged > this.#limit) throw tooLarge()
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2)))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

function tooLarge(): PdfRefused {
  return new PdfRefused('too_complex', 'compressed data is too large')
}

interface Huffman {
  readonly maxBits: number
  /** By the next bits: symbol << 4 | length of its code; 0 for bits that are no code. */
  readonly lookup: Uint16Array
}

function tableOf(lengths: readonly number[]): Huffman {
  const maxBits = Math.max(1, ...lengths)
  const lookup = new Uint16Array(1 << maxBits)
  const next = firstCodes(lengths, maxBits)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const code = next[length] ?? 0
    next[length] = code + 1
    const entry = (symbol << 4) | length
    for (let at = reversed(code, length); at < lookup.length; at += 1 << length) lookup[at] = entry
  }
  return { maxBits, lookup }
}

/** The first code of each length. */
function firstCodes(lengths: readonly number[], maxBits: number): number[] {
  const counts = Array.from({ length: maxBits + 1 }, () => 0)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  const first = [0]
  let left = 1
  for (let length = 1; length <= maxBits; length += 1) {
    first.push(((first[length - 1] ?? 0) + (counts[length - 1] ?? 0)) * 2)
    left = left * 2 - (counts[length] ?? 0)
    if (left < 0) throw damaged('too many codes in compressed data')
  }
  return first
}

function reversed(code: number, length: number): number {
  let result = 0
  for (let bit = 0; bit < length; bit += 1) result |= ((code >> bit) & 1) << (length - 1 - bit)
  return result
}

const FIXED_LITERALS = tableOf(
  Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
)
const FIXED_DISTANCES = tableOf(Array.from({ length: 30 }, () => 5))

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12_289, 16_385, 24_577,
]
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function copyStored(input: BitReader, output: Output): void {
  const [low = 0, high = 0, lowInverse = 0, highInverse = 0] = input.take(4)
  const length = low | (high << 8)
  if (length !== ((lowInverse | (highInverse << 8)) ^ 0xffff)) throw damaged('invalid length in compressed data')
  output.append(input.take(length))
}

function copyCompressed(input: BitReader, output: Output, literals: Huffman, distances: Huffman): void {
  for (;;) {
    const symbol = input.symbol(literals)
    if (symbol < 256) {
      output.push(symbol)
      continue
    }
    if (symbol === 256) return
    const base = LENGTH_BASE[symbol - 257]
    if (base === undefined) throw damaged('invalid length in compressed data')
    const length = base + input.bits(LENGTH_EXTRA[symbol - 257] ?? 0)
    const place = input.symbol(distances)
    const start = DISTANCE_BASE[place]
    if (start === undefined) throw damaged('invalid distance in compressed data')
    output.repeat(start + input.bits(place < 2 ? 0 : (place >> 1) - 1), length)
  }
}

function readTables(input: BitReader): [Huffman, Huffman] {
  const literals = input.bits(5) + 257
  const distances = input.bits(5) + 1
  const codes = input.bits(4) + 4
  const codeLengths = Array.from({ length: 19 }, () => 0)
  for (const place of CODE_ORDER.slice(0, codes)) codeLengths[place] = input.bits(3)
  const lengths = readLengths(input, tableOf(codeLengths), literals + distances)
  return [tableOf(lengths.slice(0, literals)), tableOf(lengths.slice(literals))]
}

function readLengths(input: BitReader, table: Huffman, wanted: number): readonly number[] {
  const lengths: number[] = []
  while (lengths.length < wanted) {
    const symbol = input.symbol(table)
    if (symbol < 16) lengths.push(symbol)
    else if (symbol === 16) repeatLength(lengths, lengths.at(-1), 3 + input.bits(2))
    else repeatLength(lengths, 0, symbol === 17 ? 3 + input.bits(3) : 11 + input.bits(7))
  }
  if (lengths.length > wanted) throw damaged('too many codes in compressed data')
  return lengths
}

function repeatLength(lengths: number[], value: number | undefined, times: number): void {
  if (value === undefined) throw damaged('compressed data repeats a length before the first')
  for (let time = 0; time < times; time += 1) lengths.push(value)
}
