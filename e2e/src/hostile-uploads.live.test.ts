import { readFileSync, writeFileSync } from 'node:fs'
import {
  animatedPng,
  animatedWebp,
  jpegOf,
  jpegWithScans,
  plainPng,
  pngChunk,
  pngOf,
  pngTextBomb,
  pngWithHeader,
  webpOf,
  webpWithHeader,
  zlibBomb,
} from '@sealpost/images/testing'
import {
  type Installation,
  type LoggedIn,
  logIn,
  northwind,
  processMegabytes,
  startInstallation,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Limits of an upload for the API process and the decoding process. */
const MAX_GROWTH_MB = 300
const MAX_DECODER_MB = 400
const SAMPLE_EVERY_MS = 5
const PATH = '/api/photos'
const TOO_LARGE = [413, 'request.too_large'] as const
const WRONG_TYPE = [415, 'request.unsupported_media_type'] as const
const BROKEN = [400, 'request.invalid'] as const
const HTML = Buffer.from('<html><script>alert(document.domain)</script></html>')
const ZIP = Buffer.from('PK\x03\x04\x14\0evil.class', 'latin1')

let installation: Installation
let owner: LoggedIn

beforeAll(async () => {
  installation = await startInstallation({ settings: { RATE_DATA: '60000', STRICT_CONTRACT: '1' } })
  owner = await logIn(installation, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  // The first photo loads code and opens connections, which is not the cost of a hostile one.
  expect((await upload(jpegOf(50, 50))).status).toBe(201)
})
afterAll(() => installation.stop())

describe('a decompression bomb is refused by its declared size', () => {
  test.each([
    ['a PNG of 74 bytes with 50000 x 50000 pixels', () => pngWithHeader(50_000, 50_000), TOO_LARGE],
    ['a PNG with the largest possible size', () => pngWithHeader(0xffffffff, 0xffffffff), TOO_LARGE],
    ['a WebP of a few bytes with 16383 x 16383 pixels', () => webpWithHeader(16_383, 16_383), TOO_LARGE],
    ['a JPEG with 65535 x 65535 pixels', () => jpegWithScans(65_535, 65_535, 1), TOO_LARGE],
    ['a JPEG with 4000 scans', () => jpegWithScans(4000, 4000, 4000), TOO_LARGE],
  ])('%s', async (name, make, expected) => {
    expect(await measured(name, make())).toEqual(expected)
  })
})

describe('a decompression bomb with a small declared size is not unpacked', () => {
  test('a PNG of 10 x 10 pixels whose data unpack to a gigabyte', async () => {
    const png = pngOf({ width: 10, height: 10 }, [pngChunk('IDAT', zlibBomb(1_000_000_000))])
    expect(await measured('PNG zlib bomb', png)).toEqual([201, undefined])
  })

  test('a PNG whose profile and text unpack to a gigabyte', async () => {
    const png = pngTextBomb(zlibBomb(1_000_000_000))
    expect(await measured('PNG profile and text bomb', png)).toEqual([201, undefined])
  })

  test('the largest allowed picture, in a hundred kilobytes', async () => {
    const [width, height] = [4740, 4740]
    const data = zlibBomb((width * 4 + 1) * height)
    const png = pngOf({ width, height }, [pngChunk('IDAT', data)])
    expect(await measured('PNG of 22 megapixels', png)).toEqual([201, undefined])
  })

  test('five concurrent uploads are decoded one at a time, and other calls are served meanwhile', async () => {
    const [width, height] = [2000, 2000]
    const png = pngOf({ width, height }, [pngChunk('IDAT', zlibBomb((width * 4 + 1) * height))])
    const all = withinLimits('five at once', async () => {
      const uploads = Array.from({ length: 5 }, () => upload(png))
      const health = await fetch(`${owner.apiUrl}/api/health`)
      return [health.status, ...(await Promise.all(uploads)).map(({ status }) => status)]
    })
    expect(await all).toEqual([200, 201, 201, 201, 201, 201])
  })
})

describe('a polyglot keeps only its picture', () => {
  test.each([
    ['a JPEG with an HTML page after its end', () => Buffer.concat([jpegOf(60, 40), HTML])],
    ['a PNG with an archive after its end', () => Buffer.concat([plainPng(60, 40), ZIP])],
    ['a WebP with an HTML page after its end', () => Buffer.concat([webpOf(60, 40), HTML])],
    ['a PNG with an HTML page in a text chunk', () => withText(plainPng(60, 40))],
  ])('%s', async (name, make) => {
    const { status, body } = await withinLimits(name, () => upload(make()))
    expect([status, body['width'], body['height']]).toEqual([201, 60, 40])
    const file = await fetch(`${owner.apiUrl}${PATH}/${String(body['id'])}/file`, { headers: bearer() })
    expect(file.headers.get('content-type')).toBe('image/jpeg')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect([bytes.includes('script'), bytes.includes('evil'), bytes.includes('PK\x03\x04')]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('a file that is no photo is refused, whatever its name and type', () => {
  test.each([
    ['an HTML page declared as image/jpeg', () => HTML, WRONG_TYPE],
    ['an archive declared as image/jpeg', () => ZIP, WRONG_TYPE],
    ['a GIF declared as image/jpeg', () => Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), WRONG_TYPE],
    ['an SVG declared as image/jpeg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), WRONG_TYPE],
    ['a PDF declared as image/jpeg', () => Buffer.from('%PDF-1.7'), WRONG_TYPE],
    ['an animated PNG', animatedPng, WRONG_TYPE],
    ['an animated WebP', animatedWebp, WRONG_TYPE],
    ['one byte over the limit of a photo', () => Buffer.alloc(5 * 1_048_576 + 1, 0xff), TOO_LARGE],
    ['more than the limit of a body', () => Buffer.alloc(30_000_000, 0xff), TOO_LARGE],
    ['half a JPEG', () => half(jpegOf(200, 200)), BROKEN],
    ['half a PNG', () => half(plainPng(200, 200)), BROKEN],
    ['half a WebP', () => half(webpOf(200, 200)), BROKEN],
    ['a PNG with too few pixels', () => pngWithHeader(100, 100), BROKEN],
  ])('%s', async (name, make, expected) => {
    expect(await measured(name, make())).toEqual(expected)
  })

  test('a JPEG with random data becomes a picture of noise, and none of its bytes are kept', async () => {
    const jpeg = noisyJpeg()
    const { status, body } = await withinLimits('JPEG of noise', () => upload(jpeg))
    expect([status, body['width']]).toEqual([201, 200])
    const file = await fetch(`${owner.apiUrl}${PATH}/${String(body['id'])}/file`, { headers: bearer() })
    expect(Buffer.from(await file.arrayBuffer()).includes(jpeg.subarray(-200, -100))).toBe(false)
  })

  test('the region is healthy afterwards', async () => {
    expect((await upload(jpegOf(50, 50))).status).toBe(201)
  })
})

interface Uploaded {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

async function measured(name: string, bytes: Buffer): Promise<readonly [number, unknown]> {
  const { status, body } = await withinLimits(name, () => upload(bytes))
  return [status, body['error_key']]
}

async function upload(bytes: Buffer): Promise<Uploaded> {
  const answer = await fetch(`${owner.apiUrl}${PATH}`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ file: `data:image/jpeg;base64,${bytes.toString('base64')}` }),
  })
  const body: unknown = await answer.json()
  return { status: answer.status, body: { ...Object(body) } }
}

function bearer(): Record<string, string> {
  return { authorization: `Bearer ${owner.token}` }
}

/** Prints the cost of an upload and checks the limits. */
async function withinLimits<T>(name: string, send: () => Promise<T>): Promise<T> {
  const pid = installation.eu.pid()
  // Resets the peak memory of the process.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = processMegabytes(pid, 'VmRSS')
  let decoder = 0
  const sampling = setInterval(() => {
    for (const child of descendantsOf(pid)) decoder = Math.max(decoder, processMegabytes(child, 'VmHWM'))
  }, SAMPLE_EVERY_MS)
  const began = performance.now()
  const outcome = await send()
  const ms = Math.round(performance.now() - began)
  clearInterval(sampling)
  const growth = processMegabytes(pid, 'VmHWM') - before
  process.stdout.write(`${name}: ${ms} ms, region +${growth} MB, decoder ${decoder} MB\n`)
  expect(growth).toBeLessThan(MAX_GROWTH_MB)
  expect(decoder).toBeLessThan(MAX_DECODER_MB)
  return outcome
}

/** The decoder is a child of the program that makes its namespaces. */
function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    // It has ended.
    return []
  }
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}

function withText(png: Buffer): Buffer {
  const text = pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), HTML]))
  return Buffer.concat([png.subarray(0, 33), text, png.subarray(33)])
}

function noisyJpeg(): Buffer {
  const jpeg = jpegOf(200, 200)
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda])) + 16
  return Buffer.from(jpeg.map((byte, at) => (at > scan && at < jpeg.length - 4 ? (at * 31) % 251 : byte)))
}
