import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export interface PngShape {
  readonly width: number
  readonly height: number
  readonly depth?: number
  readonly colour?: number
}

/** A PNG assembled from any parts, valid or not. */
export function pngOf(shape: PngShape, chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', header(shape)), ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))])
}

/** The pixels of an image, each row with the filter that changes nothing. */
export function imageData(rows: readonly Buffer[]): Buffer {
  return pngChunk('IDAT', deflateSync(Buffer.concat(rows.flatMap((row) => [Buffer.alloc(1), row]))))
}

function header({ width, height, depth = 8, colour = 6 }: PngShape): Buffer {
  return Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, colour, 0, 0, 0])])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
