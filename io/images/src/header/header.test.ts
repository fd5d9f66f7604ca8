import { describe, expect, test } from 'vitest'
import {
  animatedPng,
  animatedWebp,
  jpegOf,
  jpegWithScans,
  plainPng,
  pngChunk,
  pngWithHeader,
  webpOf,
  webpWithHeader,
  withExif,
} from '../testing/index.ts'
import { readOrientation } from './exif.ts'
import { readHeader } from './header.ts'

const refusalOf = (bytes: Uint8Array): unknown => {
  const header = readHeader(bytes)
  return header.ok ? `${header.value.width}x${header.value.height}` : header.refusal
}

describe('the format is recognised by the bytes', () => {
  test.each([
    ['JPEG', jpegOf(30, 20)],
    ['PNG', plainPng(30, 20)],
    ['WebP', webpOf(30, 20)],
    ['WebP with transparency', webpOf(30, 20, new Uint8Array(30 * 20 * 4).fill(100))],
  ])('%s is read', (_, bytes) => {
    expect(refusalOf(bytes)).toBe('30x20')
  })

  test.each([
    ['GIF', 'GIF89a'],
    ['TIFF', 'II*\0'],
    ['BMP', 'BM'],
    ['HEIC', '\0\0\0\x18ftypheic'],
    ['AVIF', '\0\0\0\x18ftypavif'],
    ['SVG', '<svg xmlns='],
  ])('%s is another picture format', (_, start) => {
    expect(refusalOf(Buffer.from(`${start}${'x'.repeat(50)}`, 'latin1'))).toBe('wrong_type')
  })

  test.each(['', '<html>', '%PDF-1.7', 'PK\x03\x04', 'RIFF1234AVI ', '\xff\xd8'])('%j is not a picture', (start) => {
    expect(refusalOf(Buffer.from(start, 'latin1'))).toBe('not_an_image')
  })
})

describe('the cost of a picture is known before it is decoded', () => {
  test.each([
    ['a PNG of 50000 x 50000', pngWithHeader(50_000, 50_000)],
    ['a PNG with the largest numbers', pngWithHeader(0xffffffff, 0xffffffff)],
    ['a WebP of 16383 x 16383', webpWithHeader(16_383, 16_383)],
    ['a JPEG of 65535 x 65535', jpegWithScans(65_535, 65_535, 1)],
    ['a JPEG with more passes than a photo needs', jpegWithScans(4000, 4000, 4000)],
  ])('%s has too many pixels', (_, bytes) => {
    expect(bytes.length).toBeLessThan(100_000)
    expect(refusalOf(bytes)).toBe('too_many_pixels')
  })

  test('a picture without width or height is damaged', () => {
    expect(refusalOf(pngWithHeader(0, 10))).toBe('damaged')
    expect(refusalOf(jpegWithScans(10, 0, 1))).toBe('damaged')
  })

  test('thousands of empty parts are refused as damaged, whatever their sum', () => {
    const empty = Buffer.concat(Array.from({ length: 30_000 }, () => pngChunk('IDAT', Buffer.alloc(0))))
    const png = plainPng(10, 10)
    expect(refusalOf(Buffer.concat([png.subarray(0, 33), empty, png.subarray(33)]))).toBe('damaged')
    expect(refusalOf(jpegWithScans(8, 8, 20_000))).toBe('damaged')
  })
})

describe('a file that ends early is truncated, wherever that is', () => {
  test.each([
    ['JPEG', jpegOf(30, 20)],
    ['PNG', plainPng(30, 20)],
    ['WebP', webpOf(30, 20)],
  ])('%s', (_, bytes) => {
    const found = new Set<unknown>()
    for (let length = 12; length < bytes.length; length += 1) found.add(refusalOf(bytes.subarray(0, length)))
    expect([...found]).toEqual(['truncated'])
  })
})

test('animations are not photos', () => {
  expect(refusalOf(animatedPng())).toBe('animated')
  expect(refusalOf(animatedWebp())).toBe('animated')
})

describe('the decoder gets the picture only', () => {
  const secret = Buffer.from('GPS 52.37 4.89 and a name')

  test('a JPEG: no metadata and nothing after its end', () => {
    const jpeg = jpegOf(30, 20)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), secret])
    const stuffed = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), secret])
    expect(skeletonOf(withExif(stuffed, 6)).includes(secret)).toBe(false)
    expect(skeletonOf(stuffed)).toEqual(skeletonOf(jpeg))
  })

  test('a PNG: no texts, no profile and nothing after its end', () => {
    const png = plainPng(30, 20)
    const text = pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), secret]))
    const stuffed = Buffer.concat([png.subarray(0, 33), text, pngChunk('iCCP', secret), png.subarray(33), secret])
    expect(skeletonOf(stuffed)).toEqual(png)
  })

  test('a WebP: one frame and nothing after its end', () => {
    const webp = webpOf(30, 20)
    const skeleton = skeletonOf(Buffer.concat([webp, secret]))
    expect(skeleton.includes(secret)).toBe(false)
    expect(skeleton).toEqual(skeletonOf(webp))
  })
})

test('the orientation is read in both byte orders, and invalid values mean upright', () => {
  const big = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0])
  const little = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0])
  expect([readOrientation(big), readOrientation(little)]).toEqual([8, 6])
  const odd = Buffer.from(big)
  odd.writeUInt16BE(9, 18)
  const far = Buffer.from(big)
  far.writeUInt32BE(0xffffffff, 4)
  const many = Buffer.from(big)
  many.writeUInt16BE(0xffff, 8)
  many.writeUInt16BE(1, 10)
  for (const bytes of [odd, far, many, Buffer.alloc(0), Buffer.from('MM'), big.subarray(0, 15)])
    expect(readOrientation(bytes)).toBe(1)
})

test('no bytes make it throw', () => {
  for (const bytes of [jpegOf(16, 16), plainPng(16, 16), webpOf(16, 16), animatedWebp()]) {
    for (let at = 12; at < bytes.length; at += 1) {
      for (const value of [0, 0x7f, 0xd8, 0xff]) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(value, at)
        expect(() => readHeader(changed)).not.toThrow()
      }
    }
  }
})

function skeletonOf(bytes: Buffer): Buffer {
  const header = readHeader(bytes)
  if (!header.ok) throw new Error(header.refusal)
  return Buffer.from(header.value.skeleton)
}
