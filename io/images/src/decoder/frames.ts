import type { Drawn, DrawnPhoto } from '../photo.ts'

/** The output of the decoder process: two pictures, each as width, height, length and bytes. */
export function packPhoto({ full, card }: DrawnPhoto): Uint8Array {
  return Buffer.concat([full, card].flatMap(({ width, height, bytes }) => [packHead(width, height, bytes), bytes]))
}

/** Null for anything else than two complete pictures. */
export function unpackPhoto(data: Buffer): DrawnPhoto | null {
  const full = unpackAt(data, 0)
  const card = full === null ? null : unpackAt(data, HEAD_BYTES + full.bytes.length)
  return full === null || card === null ? null : { full, card }
}

const HEAD_BYTES = 12

function packHead(width: number, height: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt32BE(bytes.length, 8)
  return head
}

function unpackAt(data: Buffer, at: number): Drawn | null {
  if (at + HEAD_BYTES > data.length) return null
  const from = at + HEAD_BYTES
  const end = from + data.readUInt32BE(at + 8)
  if (end > data.length || end === from) return null
  return { width: data.readUInt32BE(at), height: data.readUInt32BE(at + 4), bytes: data.subarray(from, end) }
}
