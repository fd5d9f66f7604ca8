import { PDF_LIMITS } from '../limits.ts'
import { damaged, PdfRefused } from '../refusal.ts'
import type { Budget } from './budget.ts'
import { isWhitespace, lastPlaceOf, latin1, startsWith } from './characters.ts'
import { decodeStructure } from './decode.ts'
import { readIndirectAt } from './indirect.ts'
import { Lexer } from './lexer.ts'
import { isArray, isCount, isDict, isName, isStream, type PdfDict, type PdfStream } from './objects.ts'
import { parseObject } from './parser.ts'

/** Where an object is: at an offset of the file, or in a stream of objects. */
export type Place =
  | { readonly type: 'free' }
  | { readonly type: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly type: 'stream'; readonly stream: number; readonly index: number }

/** A part of the file: `end` is the first byte behind it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An object that a later section replaced or freed. */
export interface Superseded {
  readonly number: number
  readonly offset: number
  /** The number of updates that followed. */
  readonly section: number
}

export interface CrossReferences {
  readonly places: ReadonlyMap<number, Place>
  /** The section whose place counts, of each number; without one it is the newest, which is 0. */
  readonly sectionOf: ReadonlyMap<number, number>
  readonly superseded: ReadonlyMap<number, readonly Superseded[]>
  /** The bytes of each section. */
  readonly sections: readonly ByteRange[]
  /** Of the newest section. */
  readonly trailer: PdfDict
  readonly startOffset: number
  readonly isStream: boolean
  /** Above every number of the file. */
  readonly nextNumber: number
}

/** `startxref` must be there. */
const TAIL_BYTES = 1024
const TAIL = /startxref[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]+%%EOF[\0\t\n\f\r ]*$/

/** Reads the chain of sections, the newest first. Nothing is searched for: a file without them is damaged. */
export function readCrossReferences(bytes: Uint8Array, budget: Budget): CrossReferences {
  const startOffset = readStart(bytes)
  const reading = openReading(bytes, budget)
  let trailer: PdfDict | null = null
  let isStreamFirst = false
  let size = 0
  for (let offset: number | null = startOffset; offset !== null;) {
    const section = readSection(reading, offset)
    if (trailer === null) isStreamFirst = section.isStream
    trailer ??= section.dict
    size = Math.max(size, sizeOf(section.dict))
    if (section.dict.entries.has('Encrypt')) throw new PdfRefused('encrypted', 'a trailer has Encrypt')
    offset = previousOf(section.dict)
    reading.section += 1
  }
  if (trailer === null) throw damaged('no trailer')
  const highest = [...reading.places.keys()].reduce((most, number) => Math.max(most, number), 0)
  return {
    places: reading.places,
    sectionOf: reading.sectionOf,
    superseded: reading.superseded,
    sections: reading.sections,
    trailer,
    startOffset,
    isStream: isStreamFirst,
    nextNumber: Math.max(size, highest + 1),
  }
}

interface Reading {
  readonly bytes: Uint8Array
  readonly budget: Budget
  readonly places: Map<number, Place>
  readonly sectionOf: Map<number, number>
  readonly superseded: Map<number, Superseded[]>
  supersededCount: number
  readonly sections: ByteRange[]
  readonly visited: Set<number>
  /** The number of the section that is read. */
  section: number
  isHidden: boolean
}

function openReading(bytes: Uint8Array, budget: Budget): Reading {
  const maps = { places: new Map(), sectionOf: new Map(), superseded: new Map() }
  return { bytes, budget, ...maps, sections: [], visited: new Set(), section: 0, supersededCount: 0, isHidden: false }
}

interface Section {
  readonly dict: PdfDict
  readonly isStream: boolean
}

function readStart(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - TAIL_BYTES)
  const last = lastPlaceOf(bytes, 'startxref', from)
  const found = last < 0 ? null : TAIL.exec(latin1(bytes, last))
  if (found === null) throw damaged('the file does not end with startxref and %%EOF')
  return Number(found[1])
}

function readSection(reading: Reading, offset: number): Section {
  const { bytes, visited } = reading
  if (visited.has(offset)) throw damaged('cross-reference sections form a circle')
  if (visited.size >= PDF_LIMITS.sections) throw new PdfRefused('too_complex', 'too many cross-reference sections')
  if (offset >= bytes.length) throw damaged('a cross-reference section is outside of the file')
  visited.add(offset)
  let at = offset
  while (isWhitespace(bytes[at])) at += 1
  if (!startsWith(bytes, at, 'xref')) return readStreamSection(reading, at)
  const dict = readTable(reading, at)
  // Hybrid files, as office suites write them: the stream counts before the previous section, and not before its table.
  const hidden = dict.entries.get('XRefStm')
  if (hidden !== undefined) {
    if (!isCount(hidden)) throw damaged('XRefStm is not an offset')
    readHidden(reading, hidden)
  }
  return { dict, isStream: false }
}

function readHidden(reading: Reading, offset: number): void {
  if (reading.visited.has(offset) || offset >= reading.bytes.length) throw damaged('XRefStm is not valid')
  reading.visited.add(offset)
  reading.isHidden = true
  readStreamSection(reading, offset)
  reading.isHidden = false
}

function readTable(reading: Reading, at: number): PdfDict {
  const lexer = new Lexer(reading.bytes, at + 4, reading.budget)
  for (;;) {
    const word = wordOf(lexer)
    if (word === 'trailer') break
    const first = countOf(word)
    const count = countOf(wordOf(lexer))
    for (let index = 0; index < count; index += 1) readRow(reading, lexer, first + index)
  }
  const dict = parseObject(lexer)
  if (!isDict(dict)) throw damaged('a trailer is not a dictionary')
  reading.sections.push({ start: at, end: lexer.at })
  reading.budget.takeSteps(lexer.at - at)
  return dict
}

function readRow(reading: Reading, lexer: Lexer, number: number): void {
  const offset = countOf(wordOf(lexer))
  const generation = countOf(wordOf(lexer))
  const type = wordOf(lexer)
  if (type !== 'n' && type !== 'f') throw damaged('a cross-reference is neither used nor free')
  addPlace(reading, number, type === 'f' ? { type: 'free' } : { type: 'offset', offset, generation })
}

function wordOf(lexer: Lexer): string {
  const token = lexer.next()
  if (token.type !== 'word') throw damaged('a cross-reference table is not valid')
  return token.word
}

function countOf(word: string): number {
  if (!/^\d{1,10}$/.test(word)) throw damaged('a cross-reference table is not valid')
  return Number(word)
}

/** The first place counts: sections are read from the newest to the oldest. */
function addPlace(reading: Reading, number: number, place: Place): void {
  const { places, sectionOf, section } = reading
  const known = places.get(number)
  if (known !== undefined) {
    if (isSamePlace(known, place)) return
    if ((sectionOf.get(number) ?? 0) === section) throw twoPlaces(reading)
    if (place.type === 'offset') addSuperseded(reading, number, place.offset)
    return
  }
  if (places.size >= PDF_LIMITS.objects) throw new PdfRefused('too_complex', 'too many objects')
  places.set(number, place)
  if (section > 0) sectionOf.set(number, section)
}

/** Readers disagree which of two rows of one section counts, above all between a table and the stream beside it. */
function twoPlaces({ isHidden }: Reading): PdfRefused {
  return isHidden
    ? new PdfRefused('hybrid_references', 'a table and its XRefStm have different places of an object')
    : damaged('a section has two places of an object')
}

function addSuperseded(reading: Reading, number: number, offset: number): void {
  reading.supersededCount += 1
  if (reading.supersededCount > PDF_LIMITS.objects) throw new PdfRefused('too_complex', 'too many superseded objects')
  const old = { number, offset, section: reading.section }
  const known = reading.superseded.get(number)
  if (known === undefined) reading.superseded.set(number, [old])
  else known.push(old)
}

function isSamePlace(one: Place, other: Place): boolean {
  if (one.type === 'offset')
    return other.type === 'offset' && one.offset === other.offset && one.generation === other.generation
  if (one.type === 'stream') return other.type === 'stream' && one.stream === other.stream && one.index === other.index
  return other.type === 'free'
}

function readStreamSection(reading: Reading, offset: number): Section {
  const { object, start, end } = readIndirectAt(reading, offset, null)
  if (!isStream(object) || !isName(object.dict.entries.get('Type'), 'XRef'))
    throw damaged('there is no cross-reference section at its offset')
  if (object.dict.entries.has('Encrypt')) throw new PdfRefused('encrypted', 'a trailer has Encrypt')
  reading.sections.push({ start, end })
  readRows(reading, object)
  return { dict: object.dict, isStream: true }
}

function readRows(reading: Reading, stream: PdfStream): void {
  const widths = numbersOf(stream.dict, 'W')
  const ranges = stream.dict.entries.has('Index') ? numbersOf(stream.dict, 'Index') : [0, sizeOf(stream.dict)]
  if (widths.length !== 3 || widths.some((width) => width > 6) || ranges.length % 2 !== 0)
    throw damaged('a cross-reference stream is not valid')
  const data = decodeStructure(stream, reading.budget)
  const rowBytes = widths.reduce((sum, width) => sum + width, 0)
  let at = 0
  for (let range = 0; range < ranges.length; range += 2) {
    for (let index = 0; index < (ranges[range + 1] ?? 0); index += 1, at += rowBytes) {
      if (at + rowBytes > data.length || rowBytes === 0) throw damaged('a cross-reference stream ends early')
      addPlace(reading, (ranges[range] ?? 0) + index, placeAt(data, at, widths))
    }
  }
}

function placeAt(data: Uint8Array, at: number, widths: readonly number[]): Place {
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths
  const type = typeWidth === 0 ? 1 : integerAt(data, at, typeWidth)
  const second = integerAt(data, at + typeWidth, secondWidth)
  const third = integerAt(data, at + typeWidth + secondWidth, thirdWidth)
  if (type === 1) return { type: 'offset', offset: second, generation: third }
  return type === 2 ? { type: 'stream', stream: second, index: third } : { type: 'free' }
}

function integerAt(data: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let index = 0; index < width; index += 1) value = value * 256 + (data[at + index] ?? 0)
  return value
}

function numbersOf(dict: PdfDict, key: string): readonly number[] {
  const list = dict.entries.get(key)
  const numbers = isArray(list) ? list.items.filter(isCount) : []
  if (!isArray(list) || numbers.length !== list.items.length) throw damaged(`${key} is not a list of numbers`)
  return numbers
}

function sizeOf(dict: PdfDict): number {
  const size = dict.entries.get('Size')
  if (!isCount(size)) throw damaged('a trailer has no Size')
  if (size > MAX_OBJECT_NUMBER) throw new PdfRefused('too_complex', 'a trailer has an impossible Size')
  return size
}

/** The highest object number that readers accept. */
export const MAX_OBJECT_NUMBER = 8_388_607

function previousOf(dict: PdfDict): number | null {
  const previous = dict.entries.get('Prev') ?? null
  if (previous !== null && !isCount(previous)) throw damaged('Prev is not an offset')
  return previous
}
