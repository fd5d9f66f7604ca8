import { deflateSync } from 'node:zlib'
import {
  appearanceMatrix,
  appearanceOf,
  formatNumber,
  type FoundField,
  LEAST_SCALE,
  type PdfRef,
  type PdfStream,
  statesOf,
  type TemplateReader,
  withoutText,
} from '@sealpost/pdf-format'
import { type FontBook, REGULAR } from '../fonts/font-book.ts'
import type { ShapedLine } from '../fonts/shape.ts'
import { drawLine } from '../page/operators.ts'
import { wrapText } from '../page/wrap.ts'
import { name, withEntries } from '../update/write-object.ts'
import type { FontNames } from './font-names.ts'
import type { Rewrite } from './rewrite.ts'
import { printable } from './value.ts'

export interface FieldNeeds {
  readonly template: TemplateReader
  readonly rewrite: Rewrite
  readonly book: FontBook
  readonly names: FontNames
}

/** A field as content of its page. */
export interface FlatField {
  readonly content: string
  /** Forms that the content draws, by their names. */
  readonly forms: ReadonlyMap<string, PdfRef>
  readonly isOverflowing: boolean
  readonly isIncomplete: boolean
}

const CHECKED = /^(true|yes|on|1|x)$/i

/** Border and background stay, the value is drawn, and the field is gone: what is signed cannot be filled in later. */
export async function flattenField(needs: FieldNeeds, field: FoundField, value: string): Promise<FlatField> {
  if (field.type === 'button') return { ...drawButton(needs, field, value), isOverflowing: false, isIncomplete: false }
  const { document, streams, budget } = needs.template.needs
  const appearance = appearanceOf(document, field.widget)
  const content = appearance === null ? null : streams.read(appearance)
  const frame =
    appearance === null || content === null
      ? NOTHING
      : drawForm(needs, field, appearance, withoutText(content, budget))
  const text = await drawText(needs, field, value)
  return { ...text, content: `${frame.content}${text.content}`, forms: frame.forms }
}

type Drawn = Pick<FlatField, 'content' | 'forms'>
const NOTHING: Drawn = { content: '', forms: new Map() }

/** A check mark, or nothing: what the field itself looks like in that state. */
function drawButton(needs: FieldNeeds, field: FoundField, value: string): Drawn {
  const { document, streams } = needs.template.needs
  const states = statesOf(document, field.widget)
  const on = states.find((state) => state !== 'Off')
  const isOn = CHECKED.test(value.trim()) || (on !== undefined && on.toLowerCase() === value.trim().toLowerCase())
  const appearance = appearanceOf(document, field.widget, isOn ? (on ?? 'Yes') : 'Off')
  const content = appearance === null ? null : streams.read(appearance)
  return appearance === null || content === null ? NOTHING : drawForm(needs, field, appearance, content)
}

function drawForm({ template, rewrite, names }: FieldNeeds, field: FoundField, form: PdfStream, content: Uint8Array) {
  const matrix = appearanceMatrix(template.needs.document, form, field.box)
  if (matrix === null) return NOTHING
  const place = rewrite.reserve()
  const entries = new Map(form.dict.entries)
  for (const key of ['Filter', 'DecodeParms', 'Length']) entries.delete(key)
  const members = { Type: name('XObject'), Subtype: name('Form'), Filter: name('FlateDecode') }
  rewrite.writeStream(place, withEntries({ kind: 'dict', entries }, members), deflateSync(content))
  const formName = names.formName()
  return {
    content: `q ${matrix.map(formatNumber).join(' ')} cm /${formName} Do Q\n`,
    forms: new Map([[formName, place]]),
  }
}

/** Points between the border and the text, as viewers have it. */
const INSET = 2
const LARGEST_AUTOMATIC = 12
const SMALLEST_AUTOMATIC = 4
const LEADING = 1.2
const CAPITAL_HEIGHT = 0.714

async function drawText(needs: FieldNeeds, field: FoundField, value: string) {
  const { width, height, matrix } = placeOf(field)
  const full = field.fontSize > 0 ? field.fontSize : automaticSize(field, height)
  const room = { width: Math.max(1, width - 2 * INSET), height: Math.max(1, height - 2 * INSET) }
  const fitted = await fit(needs.book, { field, value, size: full, ...room })
  if (fitted.lines.length === 0) return { content: '', isOverflowing: false, isIncomplete: false }
  const { lines, size } = fitted
  const fontName = (face: Parameters<Parameters<typeof drawLine>[1]['fontName']>[0]): string =>
    names.nameIn('fields', { type: 'face', face, isVertical: false })
  const { names } = needs
  const drawn = lines.map((line, at) => {
    const rest = room.width - (line.width * size) / 1000
    const alignment = field.alignment === 'start' && line.isRightToLeft ? 'end' : field.alignment
    const x = INSET + (alignment === 'start' ? 0 : alignment === 'end' ? rest : rest / 2)
    const y = field.isMultiline
      ? height - INSET - size - at * size * LEADING
      : (height - CAPITAL_HEIGHT * size) / 2
    return drawLine(line, { x, y, size, fontName })
  })
  return {
    content: `q ${matrix} cm ${field.color}\n${drawn.join('\n')}\nQ\n`,
    isOverflowing: fitted.isOverflowing,
    isIncomplete: lines.some(({ runs }) => runs.some(({ clusters }) => clusters.some(({ text }) => text === '\u{fffd}'))),
  }
}

function automaticSize({ isMultiline }: FoundField, height: number): number {
  return isMultiline
    ? LARGEST_AUTOMATIC
    : Math.min(LARGEST_AUTOMATIC, Math.max(SMALLEST_AUTOMATIC, height * LEAST_SCALE))
}

/** The box, turned as its text is. */
function placeOf({ box, turn }: FoundField): { width: number; height: number; matrix: string } {
  const [width, height] = [box.right - box.left, box.top - box.bottom]
  switch (turn) {
    case 90:
      return { width: height, height: width, matrix: matrixOf(0, 1, -1, 0, box.right, box.bottom) }
    case 180:
      return { width, height, matrix: matrixOf(-1, 0, 0, -1, box.right, box.top) }
    case 270:
      return { width: height, height: width, matrix: matrixOf(0, -1, 1, 0, box.left, box.top) }
    default:
      return { width, height, matrix: matrixOf(1, 0, 0, 1, box.left, box.bottom) }
  }
}

function matrixOf(...numbers: readonly number[]): string {
  return numbers.map(formatNumber).join(' ')
}

interface FitWish {
  readonly field: FoundField
  readonly value: string
  readonly size: number
  readonly width: number
  readonly height: number
}

/** Shrunk in steps, since a smaller size breaks lines elsewhere. */
const STEPS = [1, 0.9, 0.8, 0.7, LEAST_SCALE]

async function fit(book: FontBook, { field, value, size, width, height }: FitWish) {
  let lines: readonly ShapedLine[] = []
  let [shown, isOverflowing] = [size, false]
  for (const step of STEPS) {
    shown = size * step
    lines = field.isMultiline
      ? await wrapAll(book, value, { size: shown, width })
      : await wrapAll(book, printable(value), { size: shown, width: Infinity })
    const widest = lines.reduce((most, line) => Math.max(most, (line.width * shown) / 1000), 0)
    isOverflowing = field.isMultiline ? lines.length * shown * LEADING > height : widest > width
    if (!isOverflowing) break
  }
  return { lines, size: shown, isOverflowing }
}

async function wrapAll(book: FontBook, value: string, { size, width }: { size: number; width: number }) {
  const lines: ShapedLine[] = []
  for (const part of value.split(/\r\n|[\r\n\u{2028}\u{2029}]/u)) {
    const text = printable(part)
    if (text !== '') lines.push(...(await wrapText(book, text, { size, weight: REGULAR, width })))
  }
  return lines
}
