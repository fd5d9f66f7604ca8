import { accept, decline } from '@sealpost/kernel'
import type { HeaderResult, ImageHeader } from './image-header.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** With one decoder at a time this bounds the memory that photos cost a machine. */
const MAX_WORK_BYTES = 180_000_000
/** A grey pixel takes little memory and as much time as any other. */
const MAX_PIXELS = 30_000_000
/** A JPEG of a few kilobytes can request thousands of passes; cameras and editors make about ten. */
const MAX_PASSED_PIXELS = 600_000_000

/**
 * [Note: the decoder sees the picture only] The format is recognised by the first bytes, never by the sender's media
 * type, and the file is parsed here in time linear in its size. The decoder's input is reassembled from the parts that
 * make the pixels; so no profile, text chunk or trailing archive reaches it, and its memory is known beforehand.
 */
export function readHeader(bytes: Uint8Array): HeaderResult {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readerFor(data)
  if (read === null) return decline(isOtherPicture(data) ? 'wrong_type' : 'not_an_image')
  const header = read(data)
  return header.ok ? checkCost(header.value) : header
}

function readerFor(data: Buffer): ((data: Buffer) => HeaderResult) | null {
  if (begins(data, 0, [0xff, 0xd8, 0xff])) return readJpeg
  if (begins(data, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return readPng
  return says(data, 0, 'RIFF') && says(data, 8, 'WEBP') ? readWebp : null
}

function checkCost(header: ImageHeader): HeaderResult {
  const { width, height, workBytesPerPixel, passes } = header
  if (width === 0 || height === 0) return decline('damaged')
  const pixels = width * height
  const isBearable =
    pixels <= MAX_PIXELS && pixels * workBytesPerPixel <= MAX_WORK_BYTES && pixels * passes <= MAX_PASSED_PIXELS
  return isBearable ? accept(header) : decline('too_many_pixels')
}

/** GIF, BMP, TIFF, ICO, JPEG XL, JPEG 2000, and formats in an ISO container: HEIC, AVIF. */
function isOtherPicture(data: Buffer): boolean {
  return (
    ['GIF8', 'BM', 'II*\0', 'MM\0*', '<svg'].some((text) => says(data, 0, text)) ||
    [
      [0, 0, 1, 0],
      [0xff, 0x0a],
      [0, 0, 0, 12, 0x4a, 0x58, 0x4c, 0x20],
      [0, 0, 0, 12, 0x6a, 0x50, 0x20, 0x20],
    ].some((magic) => begins(data, 0, magic)) ||
    says(data, 4, 'ftyp')
  )
}

function begins(data: Buffer, at: number, magic: readonly number[]): boolean {
  return magic.every((byte, index) => data[at + index] === byte)
}

function says(data: Buffer, at: number, text: string): boolean {
  return data.toString('latin1', at, at + text.length) === text
}
