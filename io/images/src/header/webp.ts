import { accept, decline, type Result } from '@sealpost/kernel'
import type { ImageRefusal } from '../refusal.ts'
import { readOrientation } from './exif.ts'
import type { HeaderResult } from './image-header.ts'

const RIFF_BYTES = 12
const CHUNK_BYTES = 8
const EXIF = 'Exif\0\0'
const HAS_ALPHA = 0x10
/** A picture has a handful of chunks. */
const MAX_CHUNKS = 1000
/** Decoded with transparency, and once more for us. */
const WORK_BYTES = 8

type Chunks = ReadonlyMap<string, Buffer>

/** Reads the chunks within the length that RIFF declares; data after it is not part of the picture. */
export function readWebp(data: Buffer): HeaderResult {
  const chunks = readChunks(data)
  if (!chunks.ok) return chunks
  const { value } = chunks
  if (value.has('ANIM') || value.has('ANMF')) return decline('animated')
  const lossless = value.get('VP8L')
  const lossy = value.get('VP8 ')
  const exif = value.get('EXIF')
  const orientation = exif === undefined ? 1 : readOrientation(tiffOf(exif))
  if (lossless !== undefined) return finish(losslessSize(lossless), orientation, [['VP8L', lossless]])
  if (lossy === undefined) return decline('truncated')
  const size = lossySize(lossy)
  const alpha = value.get('ALPH')
  if (size === null || alpha === undefined) return finish(size, orientation, [['VP8 ', lossy]])
  const canvas = canvasOf(size)
  return finish(size, orientation, [
    ['VP8X', canvas],
    ['ALPH', alpha],
    ['VP8 ', lossy],
  ])
}

/** The first chunk of each name. */
function readChunks(data: Buffer): Result<Chunks, ImageRefusal> {
  const end = CHUNK_BYTES + data.readUInt32LE(4)
  if (end > data.length) return decline('truncated')
  const chunks = new Map<string, Buffer>()
  for (let at = RIFF_BYTES; at + CHUNK_BYTES <= end;) {
    const name = data.toString('latin1', at, at + 4)
    const bytes = data.readUInt32LE(at + 4)
    const from = at + CHUNK_BYTES
    if (from + bytes > end) return decline('truncated')
    if (chunks.size >= MAX_CHUNKS) return decline('damaged')
    if (!chunks.has(name)) chunks.set(name, data.subarray(from, from + bytes))
    // Chunks begin at even offsets.
    at = from + bytes + (bytes % 2)
  }
  return accept(chunks)
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A key frame of VP8 begins with a tag, a start code and two sizes of 14 bits. */
function lossySize(frame: Buffer): Size | null {
  const isKeyFrame = ((frame[0] ?? 1) & 1) === 0
  if (frame.length < 10 || !isKeyFrame || frame.readUIntBE(3, 3) !== 0x9d012a) return null
  const [width, height] = [frame.readUInt16LE(6) & 0x3fff, frame.readUInt16LE(8) & 0x3fff]
  return width === 0 || height === 0 ? null : { width, height }
}

/** VP8L begins with a signature and two sizes of 14 bits, each less one. */
function losslessSize(stream: Buffer): Size | null {
  if (stream.length < 5 || stream[0] !== 0x2f) return null
  const bits = stream.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function canvasOf({ width, height }: Size): Buffer {
  const canvas = Buffer.alloc(10)
  canvas.writeUInt8(HAS_ALPHA, 0)
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  return canvas
}

function finish(size: Size | null, orientation: number, parts: readonly (readonly [string, Buffer])[]): HeaderResult {
  if (size === null) return decline('damaged')
  const skeleton = riffOf(parts)
  return accept({ ...size, orientation, is16Bit: false, workBytesPerPixel: WORK_BYTES, passes: 1, skeleton })
}

function riffOf(parts: readonly (readonly [string, Buffer])[]): Buffer {
  const chunks = parts.flatMap(([name, body]) => [named(name, body.length), body, Buffer.alloc(body.length % 2)])
  const content = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks])
  return Buffer.concat([named('RIFF', content.length), content])
}

function named(name: string, bytes: number): Buffer {
  const head = Buffer.alloc(CHUNK_BYTES)
  head.write(name, 'latin1')
  head.writeUInt32LE(bytes, 4)
  return head
}

/** Some encoders write the prefix of JPEG first. */
function tiffOf(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, EXIF.length) === EXIF ? exif.subarray(EXIF.length) : exif
}
