import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { runTool } from './tools.ts'

/** A page in shades of gray, one byte per pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Dots per inch: enough to see a line that is missing or in another place. */
const RESOLUTION = 50

/** The first page of a file, drawn by Poppler. */
export async function pictureOf(path: string, resolution = RESOLUTION): Promise<Picture> {
  const target = path.replace(/\.pdf$/, '')
  const options = ['-gray', '-singlefile', '-r', String(resolution)]
  const { code } = await runTool('pdftoppm', ...options, path, target)
  if (code !== 0) throw new Error(`pdftoppm cannot draw ${basename(path)}`)
  return readPgm(readFileSync(`${target}.pgm`))
}

/** `P5 WIDTH HEIGHT 255`, then the pixels. */
function readPgm(bytes: Buffer): Picture {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString('latin1', 0, 64))
  if (head === null) throw new Error('pdftoppm wrote another format')
  const [width, height] = [Number(head[1]), Number(head[2])]
  return { width, height, pixels: bytes.subarray(head[0].length) }
}

/** How far two pictures are apart, from 0 to 1: the mean, and the share of pixels that are clearly different. */
export function differenceOf(one: Picture, other: Picture): { readonly mean: number; readonly changed: number } {
  if (one.width !== other.width || one.height !== other.height) return { mean: 1, changed: 1 }
  let [sum, changed] = [0, 0]
  for (const [at, pixel] of one.pixels.entries()) {
    const distance = Math.abs(pixel - (other.pixels[at] ?? 0))
    sum += distance
    if (distance > CLEARLY) changed += 1
  }
  return { mean: sum / 255 / one.pixels.length, changed: changed / one.pixels.length }
}

const CLEARLY = 96

/** The stored picture of a name; one that is missing is stored, if `PICTURES=write` asks for it. */
export function storedPicture(folder: string, name: string, now: Picture): Picture {
  const path = join(folder, `${name}.png`)
  // oxlint-disable-next-line node/no-process-env -- only of a developer who looks at the result
  if (!existsSync(path) && process.env['PICTURES'] === 'write') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, writePng(now))
  }
  return readPng(readFileSync(path))
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Eight bits of gray, each row with its difference to the one above. */
function writePng({ width, height, pixels }: Picture): Buffer {
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row += 1) {
    rows[row * (width + 1)] = row === 0 ? 0 : ABOVE
    for (let column = 0; column < width; column += 1) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * width + column] ?? 0)
      rows[row * (width + 1) + 1 + column] = (pixels[row * width + column] ?? 0) - above
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', head),
    chunkOf('IDAT', deflateSync(rows, { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

const ABOVE = 2

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}

/** Only what `writePng` writes. */
function readPng(bytes: Buffer): Picture {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const start = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)))
  const pixels = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const above = row === 0 ? 0 : (pixels[(row - 1) * width + column] ?? 0)
      pixels[row * width + column] = (rows[row * (width + 1) + 1 + column] ?? 0) + above
    }
  return { width, height, pixels }
}
