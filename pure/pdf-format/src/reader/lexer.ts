import { damaged } from '../refusal.ts'
import type { Budget } from './budget.ts'
import { hexValue, isRegular, isWhitespace, latin1 } from './characters.ts'
import { endOfString, readLiteral } from './literal-string.ts'

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
    const start = this.at
    const end = endOfString(this.bytes, start)
    if (end === null) throw damaged('a string has no end')
    this.at = end + 1
    return readLiteral(this.bytes, start, end)
  }
}
