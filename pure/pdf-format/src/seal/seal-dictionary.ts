import { lastPlaceOf, latin1 } from '../reader/characters.ts'

/**
 * [Note: a seal is found without a PDF reader] The signature dictionary of a seal ends with these members, in this
 * order and in this spelling, with numbers of a fixed width; it is the last object of the file. A verifier reads them
 * from the bytes, and the signature covers them.
 */
export interface SealPlaces {
  /** The bytes before the update that sealed the file: those that were signed. */
  readonly signedLength: number
  readonly recordStart: number
  readonly recordLength: number
  /** Of the hexadecimal digits between < and >. */
  readonly contentsStart: number
  readonly contentsEnd: number
  /** After the last byte that the signature covers. */
  readonly end: number
}

const NUMBER_WIDTH = 10

export function writeSealPlaces(places: SealPlaces): string {
  const { signedLength, recordStart, recordLength, contentsStart, contentsEnd, end } = places
  const spans = [signedLength, recordStart, recordLength].map(fixed).join(' ')
  const ranges = [0, contentsStart - 1, contentsEnd + 1, end - contentsEnd - 1].map(fixed).join(' ')
  return `/SealpostSpans[${spans}]/ByteRange[${ranges}]/Contents<`
}

/** As long as every other one. */
export const SEAL_PLACES_LENGTH = writeSealPlaces({
  signedLength: 0,
  recordStart: 0,
  recordLength: 0,
  contentsStart: 1,
  contentsEnd: 0,
  end: 1,
}).length

const PLACES =
  /^\/SealpostSpans\[(\d{10}) (\d{10}) (\d{10})\]\/ByteRange\[0{10} (\d{10}) (\d{10}) (\d{10})\]\/Contents<$/

/** Null if the file has no seal of ours. */
export function findSeal(bytes: Uint8Array): SealPlaces | null {
  const start = lastPlaceOf(bytes, '/SealpostSpans[')
  if (start < 0) return null
  const contentsStart = start + SEAL_PLACES_LENGTH
  const found = PLACES.exec(latin1(bytes, start, Math.min(contentsStart, bytes.length)))
  if (found === null) return null
  const [signedLength = 0, recordStart = 0, recordLength = 0, before = 0, after = 0, length = 0] = found
    .slice(1)
    .map(Number)
  const contentsEnd = after - 1
  const isOrdered = signedLength <= recordStart && recordStart + recordLength <= start && contentsStart <= contentsEnd
  if (before !== contentsStart - 1 || bytes[contentsEnd] !== 0x3e || !isOrdered) return null
  return { signedLength, recordStart, recordLength, contentsStart, contentsEnd, end: after + length }
}

function fixed(value: number): string {
  return String(value).padStart(NUMBER_WIDTH, '0')
}
