import { accept, decline } from '@sealpost/kernel'
import { readOrientation } from './exif.ts'
import type { HeaderResult } from './image-header.ts'

const SIGNATURE_BYTES = 8
/** Length, name and checksum around the data of a chunk. */
const FRAME_BYTES = 12
const IHDR_BYTES = 13
/** Far more than any encoder writes; each costs memory here. */
const MAX_PARTS = 20_000

/** The chunks that make the pixels. Profiles and texts can inflate to gigabytes and are ignored. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Bytes of a decoded pixel with 8 bits a sample, by colour type; a palette counts as one with transparency. */
const PIXEL_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 4],
  [4, 2],
  [6, 4],
])

/** Reads the chunks up to IEND; data after it is not part of the picture. */
export function readPng(data: Buffer): HeaderResult {
  const parts = [data.subarray(0, SIGNATURE_BYTES)]
  const names = new Set<string>()
  let orientation = 1
  for (let at = SIGNATURE_BYTES; !names.has('IEND');) {
    if (at + FRAME_BYTES > data.length) return decline('truncated')
    const end = at + FRAME_BYTES + data.readUInt32BE(at)
    if (end > data.length) return decline('truncated')
    const name = data.toString('latin1', at + 4, at + 8)
    if (names.size === 0 ? name !== 'IHDR' : isOutOfPlace(name, names)) return decline('damaged')
    if (parts.length > MAX_PARTS) return decline('damaged')
    if (name === 'acTL') return decline('animated')
    if (name === 'eXIf') orientation = readOrientation(data.subarray(at + 8, end - 4))
    if (KEPT.has(name)) parts.push(data.subarray(at, end))
    names.add(name)
    at = end
  }
  if (!names.has('IDAT')) return decline('truncated')
  return finish(data, parts, orientation)
}

/** A second header, or an unknown chunk that is marked as critical. */
function isOutOfPlace(name: string, seen: ReadonlySet<string>): boolean {
  const isCritical = /^[A-Z]/.test(name)
  return (name !== 'IDAT' && isCritical && seen.has(name)) || (isCritical && !KEPT.has(name))
}

function finish(data: Buffer, parts: readonly Buffer[], orientation: number): HeaderResult {
  const ihdr = SIGNATURE_BYTES + 8
  if (data.readUInt32BE(SIGNATURE_BYTES) !== IHDR_BYTES) return decline('damaged')
  const pixelBytes = PIXEL_BYTES.get(data.readUInt8(ihdr + 9))
  if (pixelBytes === undefined) return decline('damaged')
  const is16Bit = data.readUInt8(ihdr + 8) === 16
  return accept({
    width: data.readUInt32BE(ihdr),
    height: data.readUInt32BE(ihdr + 4),
    orientation,
    is16Bit,
    workBytesPerPixel: pixelBytes * (is16Bit ? 4 : 2),
    passes: 1,
    skeleton: Buffer.concat(parts),
  })
}
