import { PDF_LIMITS } from '../limits.ts'
import { hexValue, isWhitespace } from '../reader/characters.ts'
import { inflateWithin } from '../reader/decode.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, type PdfDict, type PdfStream } from '../reader/objects.ts'
import { PdfRefused } from '../refusal.ts'
import { decodeLzw } from './lzw.ts'
import type { ScanBudget } from './scan-budget.ts'

/** The data of a page content, a CMap or a font program; null if it has a filter that is not used for these. */
export function decodeStream(document: PdfDocument, stream: PdfStream, budget: ScanBudget): Uint8Array | null {
  const filters = document.filters(stream.dict)
  if (filters.length > PDF_LIMITS.filters) throw new PdfRefused('too_complex', 'a stream has too many filters')
  let bytes = stream.raw
  for (const [index, filter] of filters.entries()) {
    const decoded = decodeOne(filter, bytes, parametersOf(document, stream.dict, index), budget)
    if (decoded === null) return null
    bytes = decoded
  }
  return bytes
}

interface Parameters {
  readonly hasPredictor: boolean
  readonly earlyChange: boolean
}

function decodeOne(filter: string, bytes: Uint8Array, parameters: Parameters, budget: ScanBudget): Uint8Array | null {
  const limit = Math.min(PDF_LIMITS.streamBytes, budget.streams.decodedLeft)
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return parameters.hasPredictor ? null : inflateWithin(bytes, budget.streams)
    case 'LZWDecode':
    case 'LZW':
      return parameters.hasPredictor ? null : charged(decodeLzw(bytes, parameters.earlyChange, limit), budget)
    case 'ASCIIHexDecode':
    case 'AHx':
      return charged(decodeHex(bytes), budget)
    case 'ASCII85Decode':
    case 'A85':
      return charged(decodeAscii85(bytes, limit), budget)
    case 'RunLengthDecode':
    case 'RL':
      return charged(decodeRunLength(bytes, limit), budget)
    default:
      return null
  }
}

function charged(bytes: Uint8Array, budget: ScanBudget): Uint8Array {
  budget.streams.takeDecoded(bytes.length)
  return bytes
}

function parametersOf(document: PdfDocument, dict: PdfDict, index: number): Parameters {
  const stated = document.get(dict, 'DecodeParms')
  const own = isArray(stated) ? document.resolve(stated.items[index]) : index === 0 ? stated : null
  if (!isDict(own)) return { hasPredictor: false, earlyChange: true }
  const predictor = document.get(own, 'Predictor') ?? 1
  return { hasPredictor: predictor !== 1, earlyChange: document.get(own, 'EarlyChange') !== 0 }
}

function decodeHex(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array((bytes.length + 1) >> 1)
  let digits = 0
  for (const byte of bytes) {
    if (byte === 0x3e) break
    const value = hexValue(byte)
    if (value < 0) continue
    result[digits >> 1] = digits % 2 === 0 ? value << 4 : (result[digits >> 1] ?? 0) | value
    digits += 1
  }
  return result.subarray(0, (digits + 1) >> 1)
}

function decodeAscii85(bytes: Uint8Array, limit: number): Uint8Array {
  let zeros = 0
  for (const byte of bytes) if (byte === 0x7a) zeros += 1
  // Five characters are four bytes, and `z` is four zero bytes.
  const size = 4 * zeros + Math.ceil((bytes.length - zeros) / 5) * 4 + 4
  if (size > limit) throw tooLarge()
  const result = new Uint8Array(size)
  let length = 0
  let group: number[] = []
  for (const byte of bytes) {
    if (byte === 0x7e) break
    if (isWhitespace(byte)) continue
    if (byte === 0x7a && group.length === 0) length += 4
    else group.push(byte - 0x21)
    if (group.length < 5) continue
    length += writeGroup(result, length, group, 4)
    group = []
  }
  if (group.length > 1) length += writeGroup(result, length, [...group, 84, 84, 84, 84].slice(0, 5), group.length - 1)
  return result.subarray(0, length)
}

function writeGroup(result: Uint8Array, at: number, group: readonly number[], count: number): number {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0)
  for (let index = 0; index < count; index += 1) result[at + index] = Math.floor(value / 256 ** (3 - index)) & 0xff
  return count
}

function decodeRunLength(bytes: Uint8Array, limit: number): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  for (let at = 0; at < bytes.length;) {
    const head = bytes[at] ?? 128
    if (head === 128) break
    const part =
      head < 128 ? bytes.subarray(at + 1, at + 2 + head) : new Uint8Array(257 - head).fill(bytes[at + 1] ?? 0)
    at += head < 128 ? head + 2 : 2
    length += part.length
    if (length > limit) throw tooLarge()
    parts.push(part)
  }
  return join(parts, length)
}

function tooLarge(): PdfRefused {
  return new PdfRefused('too_complex', 'compressed data is too large')
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const result = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}
