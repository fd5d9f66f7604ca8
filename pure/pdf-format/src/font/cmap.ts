import type { Operand, StringOperand } from '../content/operands.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import { Tokenizer } from '../content/tokenizer.ts'
import { UnreadableContent } from '../content/unreadable.ts'

/** What a CMap says: how long codes are, and to which text or glyph they belong. */
export interface CMap {
  readonly codespaces: readonly Codespace[]
  /** By `codeKey`. */
  readonly texts: ReadonlyMap<number, string>
  readonly cids: ReadonlyMap<number, number>
  readonly isVertical: boolean
}

export interface Codespace {
  readonly length: number
  readonly low: number
  readonly high: number
}

/** `<41>` and `<0041>` are two codes. */
export function codeKey(code: number, length: number): number {
  return code * 8 + length
}

const MAX_RANGE = 65_536

/** Reads as much as can be read: a font with half a CMap shows half of its text. */
export function readCMap(bytes: Uint8Array, budget: ScanBudget): CMap {
  const codespaces: Codespace[] = []
  const texts = new Map<number, string>()
  const cids = new Map<number, number>()
  let isVertical = false
  const tokenizer = new Tokenizer(bytes, budget)
  try {
    for (let operator = tokenizer.next(); operator !== null; operator = tokenizer.next()) {
      const { name, operands } = operator
      if (name === 'endcodespacerange') readCodespaces(codespaces, operands)
      else if (name === 'endbfchar') readPairs(texts, operands, budget)
      else if (name === 'endbfrange') readTextRanges(texts, operands, budget)
      else if (name === 'endcidchar') readCids(cids, operands, 2, budget)
      else if (name === 'endcidrange') readCids(cids, operands, 3, budget)
      else if (name === 'def') isVertical ||= isWritingMode(operands)
    }
  } catch (error) {
    if (!(error instanceof UnreadableContent)) throw error
  }
  return { codespaces, texts, cids, isVertical }
}

function isWritingMode([key, value]: readonly Operand[]): boolean {
  return key?.kind === 'name' && key.name === 'WMode' && value?.kind === 'number' && value.value === 1
}

function readCodespaces(codespaces: Codespace[], operands: readonly Operand[]): void {
  const limits = operands.filter(isString)
  for (let at = 0; at + 1 < limits.length && codespaces.length < 256; at += 2) {
    const [low, high] = [limits[at], limits[at + 1]]
    if (low === undefined || high === undefined || low.bytes.length > 4 || low.bytes.length === 0) continue
    codespaces.push({ length: low.bytes.length, low: valueOf(low.bytes), high: valueOf(high.bytes) })
  }
}

function readPairs(texts: Map<number, string>, operands: readonly Operand[], budget: ScanBudget): void {
  const strings = operands.filter(isString)
  budget.takeMappings(strings.length >> 1)
  for (let at = 0; at + 1 < strings.length; at += 2) {
    const [code, text] = [strings[at], strings[at + 1]]
    if (code !== undefined && text !== undefined) texts.set(keyOf(code), utf16(text.bytes))
  }
}

/** `<low> <high> <text>`, the last unit counted up, or `<low> <high> [<text> …]`. */
function readTextRanges(texts: Map<number, string>, operands: readonly Operand[], budget: ScanBudget): void {
  const rows = operands.filter((operand) => operand.kind === 'string' || operand.kind === 'array')
  for (let at = 0; at + 2 < rows.length; at += 3) {
    const [low, high, target] = [rows[at], rows[at + 1], rows[at + 2]]
    if (low?.kind !== 'string' || high?.kind !== 'string' || target === undefined) continue
    const [first, length] = [valueOf(low.bytes), low.bytes.length]
    const count = Math.min(valueOf(high.bytes) - first + 1, MAX_RANGE)
    if (target.kind === 'array') {
      const items = target.items.filter(isString).slice(0, Math.max(0, count))
      budget.takeMappings(items.length)
      for (const [index, item] of items.entries()) texts.set(codeKey(first + index, length), utf16(item.bytes))
    } else if (count > 0) {
      budget.takeMappings(count)
      for (let index = 0; index < count; index += 1)
        texts.set(codeKey(first + index, length), countedUp(target.bytes, index))
    }
  }
}

/** `<code> cid` or `<low> <high> cid`. */
function readCids(cids: Map<number, number>, operands: readonly Operand[], width: 2 | 3, budget: ScanBudget): void {
  for (let at = 0; at + width <= operands.length; at += width) {
    const [low, high, cid] = [operands[at], operands[at + width - 2], operands[at + width - 1]]
    if (low?.kind !== 'string' || high?.kind !== 'string' || cid?.kind !== 'number') continue
    const first = valueOf(low.bytes)
    const count = Math.min(valueOf(high.bytes) - first + 1, MAX_RANGE)
    budget.takeMappings(Math.max(0, count))
    for (let index = 0; index < count; index += 1) cids.set(codeKey(first + index, low.bytes.length), cid.value + index)
  }
}

function isString(operand: Operand): operand is StringOperand {
  return operand.kind === 'string'
}

function keyOf({ bytes }: StringOperand): number {
  return codeKey(valueOf(bytes), bytes.length)
}

function valueOf(bytes: Uint8Array): number {
  let value = 0
  for (const byte of bytes.subarray(0, 4)) value = value * 256 + byte
  return value
}

/** Longest text of one glyph; real ones have at most four characters. */
const MAX_TEXT_BYTES = 64

function utf16(bytes: Uint8Array): string {
  // One byte is written by some producers and means the same.
  if (bytes.length === 1) return String.fromCharCode(bytes[0] ?? 0)
  const units: number[] = []
  const end = Math.min(bytes.length, MAX_TEXT_BYTES)
  for (let at = 0; at + 1 < end; at += 2) units.push(((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0))
  return String.fromCharCode(...units)
}

function countedUp(bytes: Uint8Array, by: number): string {
  const text = utf16(bytes)
  if (by === 0 || text === '') return text
  const last = text.codePointAt(text.length > 1 && isLowSurrogate(text) ? text.length - 2 : text.length - 1) ?? 0
  const next = last + by
  const head = text.slice(0, text.length - (last > 0xffff ? 2 : 1))
  return next > 0x10ffff ? text : head + String.fromCodePoint(next)
}

function isLowSurrogate(text: string): boolean {
  const unit = text.charCodeAt(text.length - 1)
  return unit >= 0xdc00 && unit <= 0xdfff
}
