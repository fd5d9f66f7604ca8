import { damaged } from '../refusal.ts'
import type { Budget } from './budget.ts'
import { isWhitespace, startsWith } from './characters.ts'
import { Lexer } from './lexer.ts'
import { isCount, isDict, isRef, type PdfDict, type PdfObject, type PdfRef } from './objects.ts'
import { parseObject } from './parser.ts'

export interface IndirectObject {
  readonly number: number
  readonly generation: number
  readonly object: PdfObject
  /** From its number to behind `endobj`. */
  readonly start: number
  readonly end: number
}

interface Source {
  readonly bytes: Uint8Array
  readonly budget: Budget
}

/** Resolves the length of a stream that is an object of its own; null where none can be looked up yet. */
type ResolveLength = ((ref: PdfRef) => PdfObject) | null

/** `12 0 obj … endobj`, which must begin at the offset. */
export function readIndirectAt(source: Source, offset: number, resolveLength: ResolveLength): IndirectObject {
  const { bytes, budget } = source
  const lexer = new Lexer(bytes, offset, budget)
  lexer.skipWhitespace()
  const start = lexer.at
  const number = integer(lexer)
  const generation = integer(lexer)
  expectWord(lexer, 'obj')
  const object = parseObject(lexer)
  const token = lexer.next()
  budget.takeSteps(lexer.at - offset)
  if (token.type !== 'word') throw damaged(`object ${number} has no end`)
  if (token.word === 'endobj') return { number, generation, object, start, end: lexer.at }
  if (token.word !== 'stream' || !isDict(object)) throw damaged(`object ${number} has no end`)
  const raw = readStream(lexer, object, resolveLength)
  expectWord(lexer, 'endobj')
  return { number, generation, object: { kind: 'stream', dict: object, raw }, start, end: lexer.at }
}

function readStream(lexer: Lexer, dict: PdfDict, resolveLength: ResolveLength): Uint8Array {
  const { bytes } = lexer
  const start = dataStart(bytes, lexer.at)
  const stated = dict.entries.get('Length')
  const length = isRef(stated) && resolveLength !== null ? resolveLength(stated) : stated
  if (!isCount(length) || start + length > bytes.length) throw damaged('a stream has an invalid length')
  let end = start + length
  // One end of line before the keyword; producers disagree whether the length counts it.
  while (end < start + length + 2 && isWhitespace(bytes[end])) end += 1
  if (!startsWith(bytes, end, 'endstream')) throw damaged('a stream does not end where its length says')
  lexer.at = end + 'endstream'.length
  return bytes.subarray(start, start + length)
}

/** After `stream`: CR LF or LF, and nothing else. */
function dataStart(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x0a) return at + 1
  if (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) return at + 2
  throw damaged('the keyword stream has no end of line')
}

function integer(lexer: Lexer): number {
  const token = lexer.next()
  if (token.type !== 'word' || !/^\d{1,10}$/.test(token.word)) throw damaged(`no object at ${lexer.at}`)
  return Number(token.word)
}

function expectWord(lexer: Lexer, word: string): void {
  const token = lexer.next()
  if (token.type !== 'word' || token.word !== word) throw damaged(`${word} is missing at ${lexer.at}`)
}
