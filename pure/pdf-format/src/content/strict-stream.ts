import { PDF_LIMITS } from '../limits.ts'
import { hexValue, isWhitespace } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { hasChecksum, inflate } from '../reader/inflate.ts'
import { isArray, isDict, type PdfStream } from '../reader/objects.ts'
import { ambiguous } from '../refusal.ts'
import { decodeStream } from './filters.ts'
import type { ScanBudget } from './scan-budget.ts'

/** After compressed data: a line end, which writers count or not. */
const MOST_BEHIND = 4

/** The data of a content, if every viewer takes the same bytes out of it. */
export function decodeStrictly(document: PdfDocument, stream: PdfStream, budget: ScanBudget): Uint8Array {
  const filters = document.filters(stream.dict)
  refuseParameters(document, stream, filters.length)
  const [first] = filters
  if (first !== undefined) refuseOddEnd(first, stream.raw)
  // What is decoded once and decoded again has no end that could be seen here.
  if (filters.length > 1 && filters.slice(1).some((filter) => filter !== 'FlateDecode'))
    throw ambiguous('several filters')
  const bytes = decodeStream(document, stream, budget)
  if (bytes === null) throw ambiguous('a content with a filter that contents do not have')
  return bytes
}

function refuseParameters(document: PdfDocument, { dict }: PdfStream, filters: number): void {
  const stated = document.get(dict, 'DecodeParms')
  const list = isArray(stated) ? stated.items.map((item) => document.resolve(item)) : [stated]
  if (isArray(stated) && list.length !== filters) throw ambiguous('parameters for other filters')
  for (const key of ['DP', 'FFilter', 'FDecodeParms'])
    if (dict.entries.has(key)) throw ambiguous(`a content with ${key}`)
  for (const item of list) {
    if (item === null) continue
    if (!isDict(item)) throw ambiguous('parameters that are none')
    if ((document.get(item, 'Predictor') ?? 1) !== 1) throw ambiguous('a content with a predictor')
    if ((document.get(item, 'EarlyChange') ?? 1) !== 1) throw ambiguous('a content with EarlyChange')
  }
}

/** Viewers differ in what they take out of data that is cut off, damaged or followed by more. */
function refuseOddEnd(filter: string, raw: Uint8Array): void {
  switch (filter) {
    case 'FlateDecode': {
      const inflated = inflate(raw, PDF_LIMITS.streamBytes)
      if (!hasChecksum(raw, inflated)) throw ambiguous('compressed data with a wrong checksum')
      refuseBehind(raw, inflated.end + 4)
      break
    }
    case 'ASCIIHexDecode':
      refuseOddHex(raw)
      break
    case 'ASCII85Decode': {
      const end = raw.indexOf(0x7e)
      if (end < 0 || raw[end + 1] !== 0x3e) throw ambiguous('data without an end')
      refuseBehind(raw, end + 2)
      break
    }
    case 'LZWDecode':
      break
    default:
      throw ambiguous('a content with a filter that contents do not have')
  }
}

function refuseBehind(raw: Uint8Array, end: number): void {
  const behind = raw.subarray(end)
  if (behind.length > MOST_BEHIND || !behind.every((byte) => isWhitespace(byte))) throw ambiguous('data behind the end')
}

function refuseOddHex(raw: Uint8Array): void {
  const end = raw.indexOf(0x3e)
  if (end < 0) throw ambiguous('data without an end')
  for (const byte of raw.subarray(0, end))
    if (hexValue(byte) < 0 && !isWhitespace(byte)) throw ambiguous('hexadecimal data with other characters')
  refuseBehind(raw, end + 1)
}
