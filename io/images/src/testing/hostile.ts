import { constants, deflateRawSync } from 'node:zlib'
import { jpegOf, plainPng, segment, webpOf } from './pictures.ts'
import { pngChunk, pngOf, uint32 } from './png.ts'

const ZLIB_HEADER = Buffer.from([0x78, 0xda])
const ADLER_MODULUS = 65_521
/** Ends at a full flush, so that it can be repeated. */
const PART_BYTES = 16 * 1024 * 1024

/** That many zero bytes, deflated: a thousandth of their size. To deflate all of a gigabyte takes four seconds. */
export function zlibBomb(bytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(PART_BYTES), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const parts = Array.from({ length: Math.floor(bytes / PART_BYTES) }, () => part)
  const rest = deflateRawSync(Buffer.alloc(bytes % PART_BYTES), { level: 9 })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt16BE(bytes % ADLER_MODULUS, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([ZLIB_HEADER, ...parts, rest, checksum])
}

/** A few bytes that claim to be a huge picture. */
export function pngWithHeader(width: number, height: number): Buffer {
  return pngOf({ width, height }, [pngChunk('IDAT', Buffer.from([0x78, 0x9c, 3, 0, 0, 0, 0, 1]))])
}

/** A small picture whose profile and text inflate to the content of the bomb. */
export function pngTextBomb(bomb: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('x\0\0', 'latin1'), bomb])
  const png = plainPng(10, 10)
  const afterHeader = 8 + 12 + 13
  return Buffer.concat([
    png.subarray(0, afterHeader),
    pngChunk('iCCP', body),
    pngChunk('zTXt', body),
    png.subarray(afterHeader),
  ])
}

export function animatedPng(): Buffer {
  const png = plainPng(10, 10)
  const afterHeader = 8 + 12 + 13
  const control = pngChunk('acTL', Buffer.concat([uint32(2), uint32(0)]))
  return Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)])
}

/** An empty lossless frame of that size. */
export function webpWithHeader(width: number, height: number): Buffer {
  const frame = Buffer.alloc(12)
  frame.writeUInt8(0x2f, 0)
  frame.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1)
  return riff([['VP8L', frame]])
}

export function animatedWebp(): Buffer {
  const frame = webpOf(10, 10).subarray(12)
  const canvas = Buffer.from([0x02, 0, 0, 0, 9, 0, 0, 9, 0, 0])
  const placed = Buffer.concat([Buffer.alloc(16), frame])
  return riff([
    ['VP8X', canvas],
    ['ANIM', Buffer.alloc(6)],
    ['ANMF', placed],
    ['ANMF', placed],
  ])
}

/** A progressive JPEG of that size with a large number of passes. */
export function jpegWithScans(width: number, height: number, scans: number): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const quantisation = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]))
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), Buffer.alloc(4)])
  const start = Buffer.from([0xff, 0xd8])
  const end = Buffer.from([0xff, 0xd9])
  const tables = jpegOf(8, 8)
  const huffman = tables.subarray(tables.indexOf(Buffer.from([0xff, 0xc4])), tables.indexOf(Buffer.from([0xff, 0xda])))
  return Buffer.concat([
    start,
    quantisation,
    segment(0xc2, frame),
    huffman,
    ...Array.from({ length: scans }, () => scan),
    end,
  ])
}

function riff(chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.map(([name, body]) => Buffer.concat([named(name, body), body, Buffer.alloc(body.length % 2)]))
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...parts])
  return Buffer.concat([named('RIFF', content), content])
}

function named(name: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(name, 'latin1'), size])
}
