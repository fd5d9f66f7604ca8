import { decodeStream } from '../content/filters.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import { PDF_LIMITS } from '../limits.ts'
import { latin1 } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfArray, type PdfDict, type PdfObject } from '../reader/objects.ts'
import { type CMap, codeKey, readCMap } from './cmap.ts'
import { cleanText, type FontCode, type PdfFont } from './font.ts'

/** A Type0 font: codes of one to four bytes, widths by the number of the glyph. */
export function readCompositeFont(
  document: PdfDocument,
  dict: PdfDict,
  { name, toUnicode, budget }: { name: string; toUnicode: CMap | null; budget: ScanBudget },
): PdfFont {
  const list = document.get(dict, 'DescendantFonts')
  const first = isArray(list) ? document.resolve(list.items[0]) : list
  const descendant = isDict(first) ? first : null
  const codes = readEncoding(document, document.get(dict, 'Encoding'), budget)
  const widths = descendant === null ? null : readWidths(document, descendant, codes.isVertical, budget)
  const isOfAdobe = descendant !== null && hasAdobeOrder(document, descendant)
  const known = new Map<number, FontCode>()
  return {
    name,
    isVertical: codes.isVertical,
    em: 1,
    codeAt(bytes, at) {
      const { code, length } = codes.read(bytes, at)
      const key = codeKey(code, length)
      const found = known.get(key)
      if (found !== undefined) return found
      const cid = codes.cidOf(code, length)
      const text = toUnicode?.texts.get(key) ?? codes.textOf(code) ?? (isOfAdobe ? adobeText(cid) : undefined)
      const made: FontCode = {
        length,
        text: cleanText(text),
        width: (widths?.get(cid) ?? widths?.get(DEFAULT) ?? 1000) / 1000,
        isWordSpace: length === 1 && code === 0x20,
      }
      known.set(key, made)
      return made
    },
  }
}

interface Codes {
  readonly isVertical: boolean
  read(bytes: Uint8Array, at: number): { readonly code: number; readonly length: number }
  cidOf(code: number, length: number): number
  /** For encodings whose codes are characters. */
  textOf(code: number): string | undefined
}

function readEncoding(document: PdfDocument, encoding: PdfObject, budget: ScanBudget): Codes {
  if (isStream(encoding)) {
    const bytes = decodeStream(document, encoding, budget)
    const cmap = bytes === null || bytes.length > PDF_LIMITS.fontBytes ? null : readCMap(bytes, budget)
    if (cmap !== null) return mappedCodes(cmap)
  }
  const name = isName(encoding) ? encoding.name : 'Identity-H'
  const isUnicode = /-(UCS2|UTF16)-/.test(name)
  return {
    isVertical: name.endsWith('-V'),
    read: (bytes, at) => readCode(bytes, at, 2),
    // The glyphs of other encodings are in tables that files need not have.
    cidOf: (code) => (name.startsWith('Identity') ? code : DEFAULT),
    textOf: (code) => (isUnicode ? String.fromCharCode(code) : undefined),
  }
}

function mappedCodes(cmap: CMap): Codes {
  const lengths = [...new Set(cmap.codespaces.map(({ length }) => length))].toSorted((one, other) => one - other)
  const shortest = lengths[0] ?? 2
  return {
    isVertical: cmap.isVertical,
    read(bytes, at) {
      for (const length of lengths) {
        const read = readCode(bytes, at, length)
        const isInside = cmap.codespaces.some((one) => one.length === length && isWithin(read.code, one))
        if (isInside) return read
      }
      return readCode(bytes, at, shortest)
    },
    cidOf: (code, length) => cmap.cids.get(codeKey(code, length)) ?? (cmap.cids.size === 0 ? code : 0),
    textOf: () => undefined,
  }
}

function isWithin(code: number, { low, high }: { readonly low: number; readonly high: number }): boolean {
  return code >= low && code <= high
}

/** The last code of a string may be cut off. */
function readCode(bytes: Uint8Array, at: number, length: number): { code: number; length: number } {
  let code = 0
  for (let index = at; index < at + length; index += 1) code = code * 256 + (bytes[index] ?? 0)
  return { code, length }
}

const DEFAULT = -1
const MAX_CID = 65_535

/** By glyph; `DEFAULT` for all others. */
function readWidths(
  document: PdfDocument,
  font: PdfDict,
  isVertical: boolean,
  budget: ScanBudget,
): ReadonlyMap<number, number> {
  const widths = new Map<number, number>()
  if (isVertical) {
    const stated = document.get(font, 'DW2')
    const advance = isArray(stated) ? document.resolve(stated.items[1]) : -1000
    return widths.set(DEFAULT, typeof advance === 'number' ? Math.abs(advance) : 1000)
  }
  const general = document.get(font, 'DW')
  widths.set(DEFAULT, typeof general === 'number' ? general : 1000)
  const list = document.get(font, 'W')
  if (isArray(list)) addWidths(document, widths, list, budget)
  return widths
}

/** `first [w w …]` or `first last w`. */
function addWidths(document: PdfDocument, widths: Map<number, number>, { items }: PdfArray, budget: ScanBudget): void {
  for (let at = 0; at + 1 < items.length;) {
    const [first, second] = [document.resolve(items[at]), document.resolve(items[at + 1])]
    if (typeof first !== 'number') return
    if (isArray(second)) {
      budget.takeMappings(second.items.length)
      for (const [index, item] of second.items.entries()) {
        const width = document.resolve(item)
        if (typeof width === 'number') widths.set(first + index, width)
      }
      at += 2
    } else {
      const width = document.resolve(items[at + 2])
      if (typeof second !== 'number' || typeof width !== 'number') return
      const last = Math.min(second, MAX_CID)
      budget.takeMappings(Math.max(0, last - first + 1))
      for (let cid = first; cid <= last; cid += 1) widths.set(cid, width)
      at += 3
    }
  }
}

const ADOBE_ORDERS = new Set(['GB1', 'CNS1', 'Japan1', 'Korea1', 'KR'])

/** Character collections of Adobe: their glyphs from 1 to 95 are ASCII. */
function hasAdobeOrder(document: PdfDocument, font: PdfDict): boolean {
  const info = document.get(font, 'CIDSystemInfo')
  const order = isDict(info) ? document.get(info, 'Ordering') : null
  return typeof order === 'object' && order?.kind === 'string' && ADOBE_ORDERS.has(latin1(order.bytes))
}

function adobeText(cid: number): string | undefined {
  return cid >= 1 && cid <= 95 ? String.fromCharCode(cid + 31) : undefined
}
