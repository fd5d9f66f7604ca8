import { damaged } from '../refusal.ts'
import type { Budget } from './budget.ts'
import { hexValue, isRegular, isWhitespace, latin1 } from './characters.ts'

/** What the next token is: a delimiter, a string, a name, or a word (number, keyword). */
export type Token =
  | { readonly type: '[' | ']' | '<<' | '>>' | 'end' }
  | { readonly type: 'string'; readonly bytes: Uint8Array }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'word'; readonly word: string }

/** Longer words are neither numbers nor keywords. */
const MAX_WORD = 64
const MAX_NAME = 1024

/** Reads tokens one after the other; each byte is looked at once. */
export class Lexer {
  readonly bytes: Uint8Array
  at: number
  readonly #budget: Budget

  constructor(bytes: Uint8Array, at: number, budget: Budget) {
    this.bytes = bytes
    this.at = at
    this.#budget = budget
  }

  next(): Token {
    this.#budget.takeToken()
    this.skipWhitespace()
    const byte = this.bytes[this.at]
    if (byte === undefined) return { type: 'end' }
    switch (byte) {
      case 0x5b:
        return this.#delimiter('[')
      case 0x5d:
        return this.#delimiter(']')
      case 0x28:
        return { type: 'string', bytes: this.#literalString() }
      case 0x2f:
        return { type: 'name', name: this.#name() }
      case 0x3c:
        return this.bytes[this.at + 1] === 0x3c ? this.#delimiter('<<') : { type: 'string', bytes: this.#hexString() }
      case 0x3e:
        if (this.bytes[this.at + 1] === 0x3e) return this.#delimiter('>>')
        throw damaged(`unexpected > at ${this.at}`)
      default:
        return { type: 'word', word: this.#word() }
    }
  }

  /** Whitespace and comments. */
  skipWhitespace(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte === 0x25) this.#skipComment()
      else if (isWhitespace(byte)) this.at += 1
      else return
    }
  }

  #skipComment(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 0x0a && this.bytes[this.at] !== 0x0d) this.at += 1
  }

  #delimiter(type: '[' | ']' | '<<' | '>>'): Token {
    this.at += type.length
    return { type }
  }

  #word(): string {
    const start = this.at
    while (isRegular(this.bytes[this.at])) this.at += 1
    if (this.at === start || this.at - start > MAX_WORD) throw damaged(`no token at ${start}`)
    return latin1(this.bytes, start, this.at)
  }

  #name(): string {
    const start = this.at + 1
    let end = start
    let isEscaped = false
    while (isRegular(this.bytes[end])) {
      isEscaped ||= this.bytes[end] === 0x23
      end += 1
    }
    if (end - start > MAX_NAME) throw damaged(`name too long at ${start}`)
    this.at = end
    const text = latin1(this.bytes, start, end)
    return isEscaped
      ? text.replaceAll(/#([0-9a-f]{2})/gi, (_, pair: string) => String.fromCharCode(parseInt(pair, 16)))
      : text
  }

  #hexString(): Uint8Array {
    const end = this.bytes.indexOf(0x3e, this.at)
    if (end < 0) throw damaged('a hexadecimal string has no end')
    const text = new Uint8Array((end - this.at) >> 1)
    let digits = 0
    for (let at = this.at + 1; at < end; at += 1) {
      const value = hexValue(this.bytes[at])
      if (value >= 0) {
        text[digits >> 1] = digits % 2 === 0 ? value << 4 : (text[digits >> 1] ?? 0) | value
        digits += 1
      } else if (!isWhitespace(this.bytes[at])) throw damaged(`invalid hexadecimal string at ${this.at}`)
    }
    this.at = end + 1
    return text.subarray(0, (digits + 1) >> 1)
  }

  #literalString(): Uint8Array {
    const end = endOfString(this.bytes, this.at)
    const text = new Uint8Array(end - this.at)
    let length = 0
    for (let at = this.at + 1; at < end; at += 1) {
      const byte = this.bytes[at] ?? 0
      if (byte !== 0x5c) {
        text[length] = byte
        length += 1
        continue
      }
      const escape = readEscape(this.bytes, at + 1)
      at = escape.last
      if (escape.byte === null) continue
      text[length] = escape.byte
      length += 1
    }
    this.at = end + 1
    return text.subarray(0, length)
  }
}

/** The place of the parenthesis that closes the one at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) depth += 1
    else if (byte === 0x29) depth -= 1
    if (depth === 0) return at
  }
  throw damaged('a string has no end')
}

const ESCAPES = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
])

interface Escape {
  /** Null for an end of line, which continues the string. */
  readonly byte: number | null
  /** The place of its last byte. */
  readonly last: number
}

function readEscape(bytes: Uint8Array, at: number): Escape {
  const byte = bytes[at] ?? 0
  if (byte === 0x0d) return { byte: null, last: bytes[at + 1] === 0x0a ? at + 1 : at }
  if (byte === 0x0a) return { byte: null, last: at }
  if (byte < 0x30 || byte > 0x37) return { byte: ESCAPES.get(byte) ?? byte, last: at }
  let value = 0
  let end = at
  for (; end < at + 3; end += 1) {
    const digit = (bytes[end] ?? 0) - 0x30
    if (digit < 0 || digit > 7) break
    value = value * 8 + digit
  }
  return { byte: value & 0xff, last: end - 1 }
}
