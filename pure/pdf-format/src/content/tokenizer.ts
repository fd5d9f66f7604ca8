import { PDF_LIMITS } from '../limits.ts'
import { hexValue, isRegular, isWhitespace, latin1 } from '../reader/characters.ts'
import { endOfString, readLiteral } from '../reader/literal-string.ts'
import type { InlineImage, Operand, Operator } from './operands.ts'
import type { ScanBudget } from './scan-budget.ts'
import { UnreadableContent } from './unreadable.ts'

const CONSTANTS = new Set<string>(['=true', '=false', '=null'])
const MAX_WORD = 128
const MAX_NAME = 1024

/**
 * Reads the operators of a content stream, or of a CMap, which has the same syntax. Tolerant where all viewers agree
 * (stray delimiters are skipped), otherwise it throws `UnreadableContent`.
 */
export class Tokenizer {
  readonly #bytes: Uint8Array
  readonly #budget: ScanBudget
  readonly #onOdd: OnOdd
  readonly #names = new Map<number, `=${string}`>()
  #at = 0
  /** Values that the current operator may still have. */
  #left = 0

  /** Each token that a viewer may read in another way is told to `onOdd`, which may throw. */
  constructor(bytes: Uint8Array, budget: ScanBudget, onOdd: OnOdd = ignore) {
    this.#bytes = bytes
    this.#budget = budget
    this.#onOdd = onOdd
  }

  /** Null at the end; operands without an operator are dropped. */
  next(): Operator | null {
    const operands: Operand[] = []
    this.#left = PDF_LIMITS.operands
    for (;;) {
      this.#skipWhitespace()
      const start = this.#at
      const byte = this.#bytes[start]
      if (byte === undefined) {
        if (operands.length > 0) this.#onOdd('operands without an operator')
        return null
      }
      this.#takeToken()
      const operand = this.#operand(byte, 0)
      if (operand === 'stray') {
        this.#onOdd('a delimiter without a meaning')
        continue
      }
      if (typeof operand === 'object') {
        operands.push(operand)
        continue
      }
      const name = operand.slice(1)
      if (name !== 'BI') return { name, operands, start: operands[0]?.start ?? start, end: this.#at }
      const image = this.#skipInlineImage()
      return { name, operands, image, start: operands[0]?.start ?? start, end: this.#at }
    }
  }

  /** An operand, `stray` for a delimiter that means nothing here, or `=` and the name of an operator. */
  #operand(byte: number, depth: number): Operand | 'stray' | `=${string}` {
    const start = this.#at
    switch (byte) {
      case 0x28:
        return this.#literalString(start)
      case 0x2f:
        return this.#name(start)
      case 0x5b:
        this.#at += 1
        return { kind: 'array', items: this.#items(0x5d, depth + 1), start, end: this.#at }
      case 0x3c:
        if (this.#bytes[start + 1] !== 0x3c) return this.#hexString(start)
        this.#at += 2
        return { kind: 'dict', items: this.#items(0x3e, depth + 1), start, end: this.#at }
      case 0x29:
      case 0x3e:
      case 0x5d:
      case 0x7b:
      case 0x7d:
        this.#at += 1
        return 'stray'
      default:
        return isNumberStart(byte) ? this.#number(start) : this.#word(start)
    }
  }

  /** Up to `]` or `>>`. Operators have no place inside; a CMap may have words there, which are dropped. */
  #items(close: number, depth: number): readonly Operand[] {
    if (depth > PDF_LIMITS.contentNesting) throw new UnreadableContent('values are nested too deeply')
    const items: Operand[] = []
    for (;;) {
      this.#skipWhitespace()
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new UnreadableContent('an array or dictionary has no end')
      this.#takeToken()
      if (byte === close) {
        this.#at += close === 0x3e && this.#bytes[this.#at + 1] === 0x3e ? 2 : 1
        return items
      }
      const item = this.#operand(byte, depth)
      if (typeof item === 'object') items.push(item)
      else this.#onOdd('a word in an array or dictionary')
    }
  }

  #takeToken(): void {
    this.#budget.takeTokens(1)
    this.#left -= 1
    if (this.#left < 0) throw new UnreadableContent('an operator has too many operands')
  }

  #number(start: number): Operand {
    const bytes = this.#bytes
    let at = start
    let sign = 1
    let digits = 0
    for (; bytes[at] === 0x2b || bytes[at] === 0x2d; at += 1) if (bytes[at] === 0x2d) sign = -1
    let value = 0
    let scale = 0
    for (; isRegular(bytes[at]); at += 1) {
      const digit = (bytes[at] ?? 0) - 0x30
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit
        scale *= 10
        digits += 1
      } else if (bytes[at] === 0x2e && scale === 0) scale = 1
      // The rest of a malformed number, such as `1.2.3` or `12-3`, is ignored, as viewers do.
      else break
    }
    const isWhole = digits > 0 && !isRegular(bytes[at]) && !(isSign(bytes[start]) && isSign(bytes[start + 1]))
    if (!isWhole) this.#onOdd('a number that is none')
    while (isRegular(bytes[at])) at += 1
    this.#at = at
    const magnitude = scale > 1 ? value / scale : value
    if (magnitude > LARGEST) this.#onOdd('a number that viewers cannot hold')
    return { kind: 'number', value: Number.isFinite(magnitude) ? sign * magnitude : 0, start, end: at }
  }

  #word(start: number): Operand | `=${string}` {
    let at = start
    while (isRegular(this.#bytes[at])) at += 1
    if (at - start > MAX_WORD) throw new UnreadableContent('an operator has too long a name')
    this.#at = at
    const name = this.#operatorName(start, at)
    return CONSTANTS.has(name) ? { kind: 'constant', start, end: at } : name
  }

  /** Names have one to three bytes, and there are millions of them: each is made once. */
  #operatorName(start: number, end: number): `=${string}` {
    if (end - start > 3) return `=${latin1(this.#bytes, start, end)}`
    let key = 0
    for (let at = start; at < end; at += 1) key = key * 256 + (this.#bytes[at] ?? 0)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const made = `=${latin1(this.#bytes, start, end)}` as const
    this.#names.set(key, made)
    return made
  }

  #name(start: number): Operand {
    let at = start + 1
    while (isRegular(this.#bytes[at])) at += 1
    if (at - start > MAX_NAME) throw new UnreadableContent('a name is too long')
    this.#at = at
    const text = latin1(this.#bytes, start + 1, at)
    if (/#(?![0-9a-f]{2})|#00/i.test(text)) this.#onOdd('a name with a broken escape')
    const name = text.includes('#')
      ? text.replaceAll(/#([0-9a-f]{2})/gi, (_, pair: string) => String.fromCharCode(parseInt(pair, 16)))
      : text
    return { kind: 'name', name, start, end: at }
  }

  #literalString(start: number): Operand {
    const last = endOfString(this.#bytes, start)
    if (last === null) throw new UnreadableContent('a string has no end')
    this.#at = last + 1
    return { kind: 'string', bytes: readLiteral(this.#bytes, start, last), start, end: this.#at }
  }

  #hexString(start: number): Operand {
    const close = this.#bytes.indexOf(0x3e, start)
    if (close < 0) throw new UnreadableContent('a hexadecimal string has no end')
    const bytes = new Uint8Array((close - start) >> 1)
    let digits = 0
    for (let at = start + 1; at < close; at += 1) {
      const value = hexValue(this.#bytes[at])
      if (value < 0) {
        if (!isWhitespace(this.#bytes[at])) this.#onOdd('a hexadecimal string with other characters')
        continue
      }
      bytes[digits >> 1] = digits % 2 === 0 ? value << 4 : (bytes[digits >> 1] ?? 0) | value
      digits += 1
    }
    this.#at = close + 1
    return { kind: 'string', bytes: bytes.subarray(0, (digits + 1) >> 1), start, end: this.#at }
  }

  /** Members up to `ID`, then data whose length is stated nowhere: it ends at an `EI` that text follows. */
  #skipInlineImage(): InlineImage {
    const members: Operand[] = []
    for (;;) {
      this.#skipWhitespace()
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new UnreadableContent('an inline image has no data')
      this.#takeToken()
      const member = this.#operand(byte, 0)
      if (member === '=ID') break
      if (typeof member === 'object') members.push(member)
      else this.#onOdd('a word in the members of a picture')
    }
    const start = this.#at
    for (let at = this.#bytes.indexOf(0x45, this.#at); at >= 0; at = this.#bytes.indexOf(0x45, at + 1)) {
      if (!isEndOfImage(this.#bytes, at)) continue
      this.#at = at + 2
      return { members, start, end: at }
    }
    throw new UnreadableContent('an inline image has no end')
  }

  #skipWhitespace(): void {
    const bytes = this.#bytes
    let at = this.#at
    for (;;) {
      const byte = bytes[at]
      if (byte === 0x25) while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
      else if (isWhitespace(byte)) at += 1
      else break
    }
    this.#at = at
  }
}

export type OnOdd = (reason: string) => void

const ignore: OnOdd = () => {}
/** Beyond, viewers overflow. */
const LARGEST = 2 ** 31

function isSign(byte: number | undefined): boolean {
  return byte === 0x2b || byte === 0x2d
}

function isNumberStart(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e
}

const TEXT_AFTER_IMAGE = 10

function isEndOfImage(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1] !== 0x49 || !isWhitespace(bytes[at - 1])) return false
  if (at + 2 < bytes.length && !isWhitespace(bytes[at + 2])) return false
  for (const byte of bytes.subarray(at + 2, at + 2 + TEXT_AFTER_IMAGE))
    if (!isWhitespace(byte) && (byte < 0x20 || byte > 0x7e)) return false
  return true
}
