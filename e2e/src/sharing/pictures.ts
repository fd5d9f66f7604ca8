import { crc32, deflateSync } from 'node:zlib'

/** A small PNG of one colour with a mark in its text chunk. */
export function pngWith(mark: string, size = 8): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((size * 3 + 1) * size, 0x7f).map((byte, at) => (at % (size * 3 + 1) === 0 ? 0 : byte))
  const text = Buffer.concat([Buffer.from('Comment\0'), Buffer.from(mark)])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', text),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Starts like a PDF; only the first bytes are checked. */
export function pdfWith(mark: string): Uint8Array {
  return Buffer.from(`%PDF-1.7\n% ${mark}\n%%EOF\n`)
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
