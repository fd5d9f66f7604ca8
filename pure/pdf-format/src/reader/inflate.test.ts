import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inflate } from './inflate.ts'

const LIMIT = 1_000_000

/** Bits as the format writes them: the lowest of each byte first. */
function bytesOfBits(bits: string): Buffer {
  const bytes = bits.replaceAll(' ', '').match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((byte) => parseInt(Array.from(byte.padEnd(8, '0')).toReversed().join(''), 2)))
}

const inflateBits = (bits: string) => Buffer.from(inflate(Buffer.concat([HEAD, bytesOfBits(bits)]), LIMIT).bytes)
const HEAD = Buffer.from([0x78, 0x9c])
const lowFirst = (value: number, width: number) =>
  Array.from(value.toString(2).padStart(width, '0')).toReversed().join('')

/** A block with fixed codes. */
const fixed = (...codes: readonly string[]) => `1 10 ${codes.join(' ')}`
/** The letter `a`. */
const A = '10010001'
const END = '0000000'
const lengthCode = (symbol: number) =>
  symbol < 280 ? (symbol - 256).toString(2).padStart(7, '0') : (symbol - 280 + 0b11000000).toString(2).padStart(8, '0')

test('every length and distance that the format has', () => {
  // RFC 1951, 3.2.5: code, extra bits, first value.
  const lengths = [
    [257, 0, 3],
    [258, 0, 4],
    [264, 0, 10],
    [265, 1, 11],
    [268, 1, 17],
    [269, 2, 19],
    [272, 2, 31],
    [273, 3, 35],
    [276, 3, 59],
    [277, 4, 67],
    [280, 4, 115],
    [281, 5, 131],
    [284, 5, 227],
    [285, 0, 258],
  ] as const
  for (const [symbol, extra, first] of lengths)
    for (const more of new Set([0, 2 ** extra - 1])) {
      const bits = fixed(A, lengthCode(symbol), lowFirst(more, extra).slice(0, extra), '00000', END)
      expect(inflateBits(bits).toString()).toBe('a'.repeat(1 + first + more))
    }
})

test('repetitions from far away, in each range of distances', () => {
  const noise = Buffer.from(Array.from({ length: 32_768 }, (_, at) => (at * at * 31 + (at >> 3)) & 0xff))
  for (let distance = 4; distance <= 32_768; distance = Math.ceil(distance * 1.3)) {
    const mark = Buffer.from(`<<${distance}-a-mark-that-is-nowhere-else>>`)
    const file = Buffer.concat([mark, noise.subarray(0, Math.max(0, distance - mark.length)), mark])
    expect(Buffer.from(inflate(deflateSync(file, { level: 9 }), LIMIT).bytes).equals(file)).toBe(true)
  }
})

test('codes of every length, up to the longest', () => {
  // Frequencies of Fibonacci make each code one bit longer than the last.
  const counts = [1, 1]
  while (counts.length < 20) counts.push((counts.at(-1) ?? 0) + (counts.at(-2) ?? 0))
  const file = Buffer.from(counts.flatMap((count, symbol) => Array.from({ length: count }, () => symbol * 7)))
  for (const symbols of [8, 12, 16, 20]) {
    const part = file.subarray(
      0,
      counts.slice(0, symbols).reduce((sum, count) => sum + count, 0),
    )
    const packed = deflateSync(part, { strategy: constants.Z_HUFFMAN_ONLY })
    expect(Buffer.from(inflate(packed, LIMIT).bytes).equals(part)).toBe(true)
  }
})

describe('damaged', () => {
  test.each<[what: string, bits: string]>([
    ['a block of the fourth type', '1 11'],
    ['a stored block whose two lengths differ', `1 00 00000 ${lowFirst(1, 16)} ${lowFirst(1, 16)} 00000000`],
    ['a stored block that is cut off', `1 00 00000 ${lowFirst(2, 16)} ${lowFirst(0xfffd, 16)} 00000000`],
    ['a repetition of what is before the start', fixed(A, lengthCode(257), '00001', END)],
    ['length 286', fixed(A, '11000110', '00000', END)],
    ['distance 30', fixed(A, lengthCode(257), '11110', END)],
    ['no end of the block', fixed(A, A)],
    ['nothing after the header', ''],
    ['three codes of one bit', `1 01 ${lowFirst(0, 5)} ${lowFirst(0, 5)} ${lowFirst(0, 4)} 100 100 100 000`],
    [
      'a repeated length before the first',
      `1 01 ${lowFirst(0, 5)} ${lowFirst(0, 5)} ${lowFirst(0, 4)} 100 100 000 000 0`,
    ],
  ])('%s', (_, bits) => {
    expect(() => inflateBits(bits)).toThrow('damaged')
  })

  test.each<[what: string, head: readonly number[]]>([
    ['no header', []],
    ['another method', [0x77, 0x9c]],
    ['a header with a wrong check', [0x78, 0x9d]],
    ['a dictionary that both sides know', [0x78, 0xbb]],
  ])('%s', (_, head) => {
    expect(() => inflate(Buffer.concat([Buffer.from(head), deflateRawSync('text')]), LIMIT)).toThrow('damaged')
  })
})

test('headers of all levels are read, and the checksum is not', () => {
  for (const second of [0x01, 0x5e, 0x9c, 0xda])
    expect(
      Buffer.from(
        inflate(Buffer.concat([Buffer.from([0x78, second]), deflateRawSync('text')]), LIMIT).bytes,
      ).toString(),
    ).toBe('text')
})

test('the last code may end with the last byte', () => {
  expect(inflateBits(fixed(A, END)).toString()).toBe('a')
  expect(inflateBits('1 00 00000 1000000000000000 0111111111111111 10000010').toString()).toBe('A')
})

test('the cost is that of the bytes, and of the tables of each block', () => {
  const text = Buffer.from('abcabcddeeffgg'.repeat(8))
  expect(inflate(deflateSync(text, { level: 0 }), LIMIT).cost).toBe(text.length)
  const dynamic = deflateSync(Buffer.from(Array.from({ length: 400 }, (_, at) => 65 + ((at * at) % 23))), {
    strategy: 2,
  })
  expect(inflate(dynamic, LIMIT).cost).toBe(400 + 4096)
  expect(() => inflate(dynamic, 400 + 4095)).not.toThrow()
  expect(() => inflate(dynamic, 4095)).toThrow('too_complex')
})
