import { PDF_LIMITS } from '../limits.ts'
import { damaged } from '../refusal.ts'
import { isDigit } from './characters.ts'
import type { Lexer, Token } from './lexer.ts'
import type { PdfArray, PdfDict, PdfObject } from './objects.ts'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)$/
const UNSIGNED = /^\d{1,10}$/

/** Reads one object. Streams are read by `readIndirect`, which knows where objects are. */
export function parseObject(lexer: Lexer, depth = 0): PdfObject {
  return parseToken(lexer, lexer.next(), depth)
}

function parseToken(lexer: Lexer, token: Token, depth: number): PdfObject {
  if (depth > PDF_LIMITS.nesting) throw damaged('objects are nested too deeply')
  switch (token.type) {
    case 'string':
      return { kind: 'string', bytes: token.bytes }
    case 'name':
      return { kind: 'name', name: token.name }
    case '[':
      return parseArray(lexer, depth)
    case '<<':
      return parseDict(lexer, depth)
    case 'word':
      return parseWord(lexer, token.word)
    case ']':
    case '>>':
    case 'end':
      throw damaged(`unexpected ${token.type} at ${lexer.at}`)
  }
}

function parseArray(lexer: Lexer, depth: number): PdfArray {
  const items: PdfObject[] = []
  for (;;) {
    const token = lexer.next()
    if (token.type === ']') return { kind: 'array', items }
    items.push(parseToken(lexer, token, depth + 1))
  }
}

/** A key that stands twice is read differently by different viewers, so that the file has no single meaning. */
function parseDict(lexer: Lexer, depth: number): PdfDict {
  const entries = new Map<string, PdfObject>()
  for (;;) {
    const token = lexer.next()
    if (token.type === '>>') return { kind: 'dict', entries }
    if (token.type !== 'name') throw damaged(`a dictionary has no key at ${lexer.at}`)
    if (entries.has(token.name)) throw damaged(`a dictionary has the key ${token.name} twice`)
    entries.set(token.name, parseObject(lexer, depth + 1))
  }
}

function parseWord(lexer: Lexer, word: string): PdfObject {
  if (word === 'null') return null
  if (word === 'true') return true
  if (word === 'false') return false
  if (UNSIGNED.test(word)) return parseReference(lexer, word) ?? Number(word)
  if (NUMBER.test(word)) return Number(word)
  throw damaged(`unknown word ${word} at ${lexer.at}`)
}

/** `12 0 R`: decided by looking ahead; null for a plain number. */
function parseReference(lexer: Lexer, number: string): PdfObject | undefined {
  const { bytes, at } = lexer
  lexer.skipWhitespace()
  if (isDigit(bytes[lexer.at])) {
    const generation = lexer.next()
    if (generation.type === 'word' && UNSIGNED.test(generation.word)) {
      lexer.skipWhitespace()
      if (bytes[lexer.at] === 0x52) {
        const end = lexer.next()
        if (end.type === 'word' && end.word === 'R')
          return { kind: 'ref', number: Number(number), generation: Number(generation.word) }
      }
    }
  }
  lexer.at = at
  return undefined
}
