import { scaled } from '@sealpost/testkit/slowness'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { CARD_BYTES, type DrawnPhoto, type Images, type ImagesOptions, openImages } from './index.ts'
import {
  gradient,
  jpegOf,
  jpegSegments,
  pixelsOf,
  plainPng,
  pngChunk,
  pngTextBomb,
  webpOf,
  withExif,
  withSegment,
  zlibBomb,
} from './testing/index.ts'

const MAX = { maxBytes: 5 * 1_048_576 }
const LIMIT_MS = 3_600_000
const images = openImages({ timeLimitMs: scaled(20_000) })

async function drawn(bytes: Uint8Array, by: Images = images): Promise<DrawnPhoto> {
  const photo = await by.redrawPhoto(bytes, MAX)
  if (!photo.ok) throw new Error(photo.refusal)
  return photo.value
}

async function refusalOf(bytes: Uint8Array, limits = MAX): Promise<unknown> {
  const photo = await images.redrawPhoto(bytes, limits)
  return photo.ok ? 'taken' : photo.refusal
}

describe('a photo is redrawn', () => {
  test.each([
    ['JPEG', jpegOf(600, 300)],
    ['PNG', plainPng(600, 300)],
    ['WebP', webpOf(600, 300)],
  ])('%s becomes two JPEGs that show the same', async (_, bytes) => {
    const { full, card } = await drawn(bytes)
    expect([full.width, full.height, card.width, card.height]).toEqual([600, 300, 512, 256])
    const [left, right] = [pixelsOf(full.bytes, 600)(2, 2), pixelsOf(full.bytes, 600)(597, 297)]
    expect(left[0]).toBeLessThan(20)
    expect(left[1]).toBeLessThan(20)
    expect(right[0]).toBeGreaterThan(235)
    expect(right[1]).toBeGreaterThan(235)
    expect(pixelsOf(card.bytes, 512)(509, 2)[0]).toBeGreaterThan(235)
  })

  test('a large one fits the page and the card', async () => {
    const { full, card } = await drawn(jpegOf(2400, 1600))
    expect([full.width, full.height, card.width, card.height]).toEqual([2048, 1365, 512, 341])
  })

  test('noise, which compresses worst, still fits the card', async () => {
    let state = 1
    const noise = Uint8Array.from({ length: 600 * 600 * 4 }, () => (state = (state * 48_271) % 0x7fffffff) & 0xff)
    const { card } = await drawn(plainPng(600, 600, noise))
    expect(card.bytes.length).toBeLessThanOrEqual(CARD_BYTES)
  })

  test('transparency becomes white', async () => {
    const { full } = await drawn(plainPng(64, 64, gradient(64, 64, 0)))
    expect(pixelsOf(full.bytes, 64)(30, 30)).toEqual([255, 255, 255])
  })

  test('it is turned upright as EXIF says, and EXIF is removed', async () => {
    const { full } = await drawn(withExif(jpegOf(600, 300), 6))
    expect([full.width, full.height]).toEqual([300, 600])
    // The lower left corner is at the upper left now: no red, much green.
    const [red, green] = pixelsOf(full.bytes, 300)(3, 3)
    expect(red).toBeLessThan(20)
    expect(green).toBeGreaterThan(235)
  })
})

describe('nothing but pixels is kept', () => {
  const secret = Buffer.from('<script>alert(1)</script> PK\x03\x04 GPS 52.37')
  let photos: readonly DrawnPhoto[]

  beforeAll(async () => {
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, secret.length + 2]), secret])
    const png = plainPng(40, 40)
    const text = pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), secret]))
    photos = await Promise.all(
      [
        Buffer.concat([withSegment(withExif(jpegOf(40, 40), 1), comment), secret]),
        Buffer.concat([png.subarray(0, 33), text, png.subarray(33), secret]),
        Buffer.concat([webpOf(40, 40), secret]),
      ].map((bytes) => drawn(bytes)),
    )
  })

  test('no polyglot survives: neither data in the file nor data after its end', () => {
    for (const { full, card } of photos) {
      for (const { bytes } of [full, card]) {
        expect(Buffer.from(bytes).includes('script')).toBe(false)
        expect(Buffer.from(bytes).includes('GPS')).toBe(false)
        expect(Buffer.from(bytes).subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
      }
    }
  })

  test('no segment remains that could hold metadata', () => {
    for (const { full, card } of photos) {
      for (const { bytes } of [full, card]) {
        const codes = jpegSegments(bytes)
        // APP0 is JFIF itself; metadata is in APP1 and above and in comments.
        expect(codes.filter((code) => (code >= 0xe1 && code <= 0xef) || code === 0xfe)).toEqual([])
      }
    }
  })
})

/** The time passes when the decoder has started, before it has all bytes: a pipe takes only a part of them at once. */
function redrawnAfter(ms: number, limit: ImagesOptions = { timeLimitMs: LIMIT_MS }): ReturnType<Images['redrawPhoto']> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const limited = openImages({
    ...limit,
    onSandbox: () => void setImmediate(() => vi.advanceTimersByTime(ms)),
  })
  return limited.redrawPhoto(Buffer.concat([jpegOf(100, 100), Buffer.alloc(2_000_000)]), MAX)
}

describe('refused input', () => {
  test('more bytes than allowed', async () => {
    expect(await refusalOf(jpegOf(100, 100), { maxBytes: 100 })).toBe('too_large')
  })

  test('a picture whose data end early or are invalid', async () => {
    const png = plainPng(100, 100)
    const broken = Buffer.from(png)
    broken.fill(0xaa, 60, 100)
    expect(await refusalOf(broken)).toBe('damaged')
    const jpeg = jpegOf(64, 64)
    const tables = Buffer.from(jpeg)
    tables.fill(0xff, jpeg.indexOf(Buffer.from([0xff, 0xc4])) + 5, jpeg.indexOf(Buffer.from([0xff, 0xc4])) + 20)
    expect(await refusalOf(tables)).toBe('damaged')
  })

  test('a bomb in a text chunk or after the pixels has no effect: the picture is accepted without it', async () => {
    const bomb = zlibBomb(200_000_000)
    expect(await refusalOf(pngTextBomb(bomb))).toBe('taken')
  })

  test('one that takes too long', async () => {
    expect(await redrawnAfter(LIMIT_MS - 1)).toMatchObject({ ok: true })
    expect(await redrawnAfter(LIMIT_MS)).toMatchObject({ ok: false, refusal: 'too_many_pixels' })
  })

  test('one that takes 20 seconds, unless told', async () => {
    expect(await redrawnAfter(19_999, {})).toMatchObject({ ok: true })
    expect(await redrawnAfter(20_000, {})).toMatchObject({ ok: false, refusal: 'too_many_pixels' })
  })

  test('one more than may wait; all that wait are drawn', async () => {
    const small = openImages({ maxWaiting: 1, timeLimitMs: scaled(20_000) })
    const outcomes = await Promise.all([1, 2, 3].map(() => small.redrawPhoto(jpegOf(50, 50), MAX)))
    expect(outcomes.map((outcome) => (outcome.ok ? 'taken' : outcome.refusal))).toEqual(['taken', 'taken', 'busy'])
    expect((await small.redrawPhoto(jpegOf(50, 50), MAX)).ok).toBe(true)
  })
})
