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

/** Offset and length. */
export interface Span {
  readonly start: number
  readonly length: number
}

export interface FoundSeal extends SealPlaces {
  /** Of the revocation lists; see `writeListSpans`. */
  readonly lists: readonly Span[]
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

/** More are not read. */
export const MAX_LISTS = 8

/** Stands right before the other places, and only if there are lists. */
export function writeListSpans(lists: readonly Span[]): string {
  if (lists.length === 0) return ''
  return `/SealpostLists[${lists.map(({ start, length }) => `${fixed(start)} ${fixed(length)}`).join(' ')}]`
}

const LIST_SPANS = /\/SealpostLists\[((?:\d{10} \d{10} ?){1,8})\]$/
const LIST_SPANS_LENGTH = writeListSpans(Array.from({ length: MAX_LISTS }, () => ({ start: 0, length: 0 }))).length

function findLists(bytes: Uint8Array, signedLength: number, end: number): readonly Span[] {
  const found = LIST_SPANS.exec(latin1(bytes, Math.max(0, end - LIST_SPANS_LENGTH), end))
  const pairs = found?.[1]?.match(/\d{10} \d{10}/g) ?? []
  const spans = pairs.map((pair) => ({ start: Number(pair.slice(0, 10)), length: Number(pair.slice(11)) }))
  return spans.every(({ start, length }) => signedLength <= start && start + length <= end) ? spans : []
}

/** Null if the file has no seal of ours. */
export function findSeal(bytes: Uint8Array): FoundSeal | null {
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
  const lists = findLists(bytes, signedLength, start)
  return { signedLength, recordStart, recordLength, contentsStart, contentsEnd, end: after + length, lists }
}

function fixed(value: number): string {
  return String(value).padStart(NUMBER_WIDTH, '0')
}
