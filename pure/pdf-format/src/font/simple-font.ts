import { decodeStream } from '../content/filters.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import { PDF_LIMITS } from '../limits.ts'
import { latin1 } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isArray, isDict, isName, isStream, type PdfArray, type PdfDict } from '../reader/objects.ts'
import { type CMap, codeKey } from './cmap.ts'
import { encodingTable, isEncodingName } from './encodings.ts'
import { cleanText, type FontCode, type PdfFont } from './font.ts'
import { textOfGlyph } from './glyph-names.ts'
import { standardWidth } from './standard-widths.ts'

type Table = ReadonlyMap<number, string>

/** Type1, TrueType, MMType1 and Type3: codes of one byte. */
export function readSimpleFont(
  document: PdfDocument,
  dict: PdfDict,
  { name, toUnicode, budget }: { name: string; toUnicode: CMap | null; budget: ScanBudget },
): PdfFont {
  const encoding = readEncoding(document, dict, name, budget)
  const widths = readWidths(document, dict)
  const { scale, em } = readScale(document, dict)
  const codes = Array.from({ length: 256 }, (_, code): FontCode => {
    const text = cleanText(toUnicode?.texts.get(codeKey(code, 1)) ?? encoding.get(code))
    const width = widths(code) ?? standardWidth(name, text ?? 'n') ?? 500
    return { length: 1, text, width: width * scale, isWordSpace: code === 0x20 }
  })
  const last: FontCode = { length: 1, text: null, width: 0, isWordSpace: false }
  const font = { name, isVertical: false, em, codeAt: (bytes: Uint8Array, at: number) => codes[bytes[at] ?? 256] ?? last }
  return isEmbedded(document, dict) ? font : { ...font, codeOf: codesByText(name, codes, widths) }
}

/** Also a font of drawings, which is in the file by its nature. */
function isEmbedded(document: PdfDocument, dict: PdfDict): boolean {
  const descriptor = document.get(dict, 'FontDescriptor')
  if (isName(document.get(dict, 'Subtype'), 'Type3')) return true
  return isDict(descriptor) && PROGRAMS.some((key) => descriptor.entries.has(key))
}

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3']

/** Only characters whose width is known: the room of the others would be a guess. */
function codesByText(
  name: string,
  codes: readonly FontCode[],
  widths: (code: number) => number | null,
): NonNullable<PdfFont['codeOf']> {
  const known = new Map<string, number>()
  for (const [code, { text }] of codes.entries()) {
    const width = text === null ? null : (widths(code) ?? standardWidth(name, text))
    if (text !== null && width !== null && width > 0 && !known.has(text)) known.set(text, code)
  }
  return (character) => {
    const code = known.get(character)
    const found = code === undefined ? undefined : codes[code]
    if (code === undefined || found === undefined) return null
    return { bytes: Uint8Array.of(code), width: found.width, isWordSpace: found.isWordSpace }
  }
}

const SYMBOLIC = 4

function readEncoding(document: PdfDocument, dict: PdfDict, name: string, budget: ScanBudget): Table {
  const stated = document.get(dict, 'Encoding')
  if (isName(stated) && isEncodingName(stated.name)) return encodingTable(stated.name)
  const base = isDict(stated) ? document.get(stated, 'BaseEncoding') : null
  const table = new Map(
    isName(base) && isEncodingName(base.name) ? encodingTable(base.name) : builtIn(document, dict, name, budget),
  )
  const differences = isDict(stated) ? document.get(stated, 'Differences') : null
  if (isArray(differences)) applyDifferences(document, table, differences)
  return table
}

function applyDifferences(document: PdfDocument, table: Map<number, string>, { items }: PdfArray): void {
  let code = 0
  for (const item of items) {
    const value = document.resolve(item)
    if (typeof value === 'number') code = value
    else if (isName(value) && code >= 0 && code < 256) {
      const text = textOfGlyph(value.name)
      if (text === null) table.delete(code)
      else table.set(code, text)
      code += 1
    }
  }
}

/** What a font shows without an encoding: its own, or that of Adobe for fonts of plain Latin text. */
function builtIn(document: PdfDocument, dict: PdfDict, name: string, budget: ScanBudget): Table {
  if (/^(Symbol|ZapfDingbats)/.test(name)) return new Map()
  const descriptor = document.get(dict, 'FontDescriptor')
  if (!isDict(descriptor)) return isName(document.get(dict, 'Subtype'), 'Type3') ? new Map() : standard()
  const program = document.get(descriptor, 'FontFile')
  if (isStream(program)) {
    const bytes = decodeStream(document, program, budget)
    return bytes === null || bytes.length > PDF_LIMITS.fontBytes ? new Map() : readType1Encoding(bytes)
  }
  const flags = document.get(descriptor, 'Flags')
  const isSymbolic = typeof flags === 'number' && (flags & SYMBOLIC) !== 0
  return isSymbolic ? new Map() : standard()
}

function standard(): Table {
  return encodingTable('StandardEncoding')
}

const CLEAR_TEXT = 65_536

/** The first part of a Type1 program is PostScript: `/Encoding StandardEncoding def` or `dup 65 /A put …`. */
function readType1Encoding(program: Uint8Array): Table {
  const text = latin1(program, 0, Math.min(program.length, CLEAR_TEXT))
  const start = text.indexOf('/Encoding')
  if (start < 0) return new Map()
  if (/^\/Encoding\s+StandardEncoding/.test(text.slice(start, start + 64))) return standard()
  const end = text.indexOf('eexec', start)
  const table = new Map<number, string>()
  const section = text.slice(start, end < 0 ? text.length : end)
  for (const [, code = '', name = ''] of section.matchAll(/dup\s{1,8}(\d{1,3})\s{0,8}\/([^\s/]{1,64})\s{1,8}put/g)) {
    const character = textOfGlyph(name)
    if (character !== null) table.set(Number(code), character)
  }
  return table
}

function readWidths(document: PdfDocument, dict: PdfDict): (code: number) => number | null {
  const list = document.get(dict, 'Widths')
  const first = document.get(dict, 'FirstChar')
  if (!isArray(list) || typeof first !== 'number') return () => null
  const descriptor = document.get(dict, 'FontDescriptor')
  const missing = isDict(descriptor) ? document.get(descriptor, 'MissingWidth') : null
  return (code) => {
    const width = document.resolve(list.items[code - first])
    if (typeof width === 'number') return width
    return typeof missing === 'number' ? missing : 0
  }
}

const SMALLEST_EM = 100

/** The glyphs of a Type3 font are drawings in units of its own. */
function readScale(document: PdfDocument, dict: PdfDict): { readonly scale: number; readonly em: number } {
  if (!isName(document.get(dict, 'Subtype'), 'Type3')) return { scale: 0.001, em: 1 }
  const matrix = numbersOf(document, dict, 'FontMatrix')
  const box = numbersOf(document, dict, 'FontBBox')
  const [across = 0.001, , , up = across] = matrix
  const scale = Math.abs(across) || 0.001
  if (1 / scale >= SMALLEST_EM) return { scale, em: 1 }
  const height = Math.abs((box[3] ?? 0) - (box[1] ?? 0)) * Math.abs(up)
  return { scale, em: height > 0 ? height : 1 }
}

function numbersOf(document: PdfDocument, dict: PdfDict, key: string): readonly number[] {
  const list = document.get(dict, key)
  if (!isArray(list)) return []
  return list.items.map((item) => document.resolve(item)).filter((item) => typeof item === 'number')
}
