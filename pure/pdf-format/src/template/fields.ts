import { PDF_LIMITS } from '../limits.ts'
import { latin1 } from '../reader/characters.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isDict, isName, type PdfDict, type PdfObject } from '../reader/objects.ts'

/** How the value of a field is drawn. */
export interface FieldFacts {
  readonly type: 'text' | 'button'
  /** 0 if the viewer chooses it. */
  readonly fontSize: number
  /** Operators that set the color of the text. */
  readonly color: string
  readonly alignment: 'start' | 'center' | 'end'
  readonly isMultiline: boolean
  /** Degrees against the clock: 0, 90, 180 or 270. */
  readonly turn: number
}

const MULTILINE = 1 << 12
const PUSH_BUTTON = 1 << 16
const ALIGNMENTS = ['start', 'center', 'end'] as const

/** Null for widgets without a name, signatures, and buttons to push. */
export function readField(
  document: PdfDocument,
  widget: PdfDict,
): (FieldFacts & { readonly name: string }) | null {
  const levels = levelsOf(document, widget)
  const names = levels.flatMap((level) => {
    const own = document.get(level, 'T')
    return typeof own === 'object' && own?.kind === 'string' ? [textOf(own.bytes)] : []
  })
  const inherited = (key: string): PdfObject => {
    const owner = levels.find((level) => level.entries.has(key))
    return owner === undefined ? null : document.get(owner, key)
  }
  const type = inherited('FT')
  const flags = numberIn(inherited('Ff'))
  const isButton = isName(type, 'Btn')
  if (names.length === 0 || !(isButton || isName(type, 'Tx') || isName(type, 'Ch'))) return null
  if (isButton && (flags & PUSH_BUTTON) !== 0) return null
  const look = document.get(widget, 'MK')
  return {
    name: names.toReversed().join('.'),
    type: isButton ? 'button' : 'text',
    ...readAppearance(inherited('DA') ?? generalAppearance(document)),
    alignment: ALIGNMENTS[numberIn(inherited('Q'))] ?? 'start',
    isMultiline: isName(type, 'Tx') && (flags & MULTILINE) !== 0,
    turn: isDict(look) ? ((numberIn(document.get(look, 'R')) % 360) + 360) % 360 : 0,
  }
}

/** The widget and the fields above it. */
function levelsOf(document: PdfDocument, widget: PdfDict): readonly PdfDict[] {
  const levels: PdfDict[] = []
  let field: PdfObject = widget
  while (isDict(field) && levels.length < PDF_LIMITS.contentNesting) {
    levels.push(field)
    field = document.get(field, 'Parent')
  }
  return levels
}

function generalAppearance(document: PdfDocument): PdfObject {
  const form = document.get(document.catalog(), 'AcroForm')
  return isDict(form) ? document.get(form, 'DA') : null
}

function numberIn(object: PdfObject): number {
  return typeof object === 'number' ? object : 0
}

const MAX_TEXT_BYTES = 1024

/** PDFDocEncoding, which is Latin-1 for what keys are made of, or UTF-16 with its mark. */
function textOf(bytes: Uint8Array): string {
  const short = bytes.subarray(0, MAX_TEXT_BYTES)
  if (short[0] !== 0xfe || short[1] !== 0xff) return latin1(short)
  let text = ''
  for (let at = 2; at + 1 < short.length; at += 2)
    text += String.fromCharCode(((short[at] ?? 0) << 8) | (short[at + 1] ?? 0))
  return text
}

const NUMBER = String.raw`-?\d{0,9}\.?\d{1,9}`
const COLOR = new RegExp(String.raw`(?:${NUMBER}\s+g|(?:${NUMBER}\s+){3}rg|(?:${NUMBER}\s+){4}k)(?![\w*])`)

/** `/Helv 12 Tf 0 g` */
function readAppearance(stated: PdfObject): Pick<FieldFacts, 'fontSize' | 'color'> {
  const text =
    typeof stated === 'object' && stated?.kind === 'string' ? latin1(stated.bytes.subarray(0, MAX_TEXT_BYTES)) : ''
  const size = Number(/([\d.]{1,10})\s{1,4}Tf/.exec(text)?.[1])
  return { fontSize: Number.isFinite(size) ? size : 0, color: COLOR.exec(text)?.[0] ?? '0 g' }
}
