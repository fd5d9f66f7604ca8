import { accept, decline } from '@sealpost/kernel'
import { readOrientation } from './exif.ts'
import type { HeaderResult } from './image-header.ts'

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')

/** Thousands of empty segments cost memory and make no picture. */
const MAX_PARTS = 10_000

const SOI = Buffer.from([0xff, 0xd8])
const EOI = Buffer.from([0xff, 0xd9])
/** Restart markers, stuffed bytes and fill bytes belong to the data of a scan. */
const isInScan = (marker: number): boolean => marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)

/** The frame as SOF0, SOF1 and SOF2 declare it. Arithmetic, lossless and hierarchical JPEG do not occur in photos. */
interface Frame {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly isProgressive: boolean
}

interface Reading {
  readonly parts: Buffer[]
  frame: Frame | null
  scans: number
  orientation: number
}

/** Reads the segments up to the end marker; data after it is not part of the picture. */
export function readJpeg(data: Buffer): HeaderResult {
  const reading: Reading = { parts: [SOI], frame: null, scans: 0, orientation: 1 }
  let at = 2
  for (;;) {
    const marker = nextMarker(data, at)
    if (marker === null) return decline('truncated')
    if (marker.isMisplaced) return decline('damaged')
    if (marker.code === 0xd9) return finish(reading)
    const end = segmentEnd(data, marker.at)
    if (end === null) return decline('truncated')
    const taken = takeSegment(reading, marker.code, data.subarray(marker.at, end))
    if (!taken || reading.parts.length > MAX_PARTS) return decline('damaged')
    at = marker.code === 0xda ? takeScan(reading, data, end) : end
  }
}

interface Marker {
  /** The offset of its 0xff. */
  readonly at: number
  readonly code: number
  readonly isMisplaced: boolean
}

function nextMarker(data: Buffer, from: number): Marker | null {
  let at = from
  while (data[at] === 0xff && data[at + 1] === 0xff) at += 1
  const code = data[at + 1]
  if (code === undefined) return null
  return { at, code, isMisplaced: data[at] !== 0xff || isInScan(code) || code === 0xd8 || code === 0x01 }
}

function segmentEnd(data: Buffer, at: number): number | null {
  if (at + 4 > data.length) return null
  const length = data.readUInt16BE(at + 2)
  const end = at + 2 + length
  return length < 2 || end > data.length ? null : end
}

/** False for segments that are invalid in a photo. */
function takeSegment(reading: Reading, code: number, segment: Buffer): boolean {
  const body = segment.subarray(4)
  if (code >= 0xc0 && code <= 0xc2) {
    if (reading.frame !== null || body.length < 6) return false
    reading.frame = {
      height: body.readUInt16BE(1),
      width: body.readUInt16BE(3),
      components: body.readUInt8(5),
      isProgressive: code === 0xc2,
    }
  } else if (isOtherFrame(code)) {
    return false
  } else if (code === 0xda) {
    if (reading.frame === null) return false
    reading.scans += 1
  } else if (code === 0xe1 && body.subarray(0, EXIF.length).equals(EXIF)) {
    reading.orientation = readOrientation(body.subarray(EXIF.length))
  }
  if (makesPixels(code, body)) reading.parts.push(segment)
  return true
}

/** Unsupported kinds of frames, and the line count that may follow a frame without a height. */
function isOtherFrame(code: number): boolean {
  return (code >= 0xc3 && code <= 0xcf && code !== 0xc4) || code === 0xdc || code === 0xde || code === 0xdf
}

/** Frames, tables, scans, and the segment that distinguishes the colours of CMYK. */
function makesPixels(code: number, body: Buffer): boolean {
  if (code === 0xee) return body.length <= 32 && body.subarray(0, ADOBE.length).equals(ADOBE)
  return (code >= 0xc0 && code <= 0xc4) || code === 0xda || code === 0xdb || code === 0xdd
}

/** Copies the data of a scan and returns the offset of the next marker, or the end of the data. */
function takeScan(reading: Reading, data: Buffer, from: number): number {
  let at = data.indexOf(0xff, from)
  while (at >= 0 && isInScan(data[at + 1] ?? 0)) at = data.indexOf(0xff, at + (data[at + 1] === 0xff ? 1 : 2))
  const end = at < 0 ? data.length : at
  reading.parts.push(data.subarray(from, end))
  return end
}

function finish({ parts, frame, scans, orientation }: Reading): HeaderResult {
  if (frame === null || scans === 0 || ![1, 3, 4].includes(frame.components)) return decline('damaged')
  return accept({
    width: frame.width,
    height: frame.height,
    orientation,
    is16Bit: false,
    workBytesPerPixel: frame.isProgressive ? 9 : 6,
    passes: scans,
    skeleton: Buffer.concat([...parts, EOI]),
  })
}
