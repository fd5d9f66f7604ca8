import type { PdfFont } from '../font/font.ts'
import type { PdfStream } from '../reader/objects.ts'
import type { Operator, StringOperand } from './operands.ts'

/** One code of a shown string, where it is on the page, and the bytes that show it. */
export interface Glyph {
  /** Null if its font does not say. */
  readonly text: string | null
  /** On the baseline, in the space of the page; the end is where the glyph ends, without spacing. */
  readonly startX: number
  readonly startY: number
  readonly endX: number
  readonly endY: number
  /** The direction of the line, of length 1. */
  readonly alongX: number
  readonly alongY: number
  /** The font size on the page. */
  readonly em: number
  readonly isInvisible: boolean
  readonly show: Show
  /** Its bytes in the string. */
  readonly codeStart: number
  readonly codeEnd: number
}

/** A string of an operator that shows text. */
export interface Show {
  readonly source: ContentSource
  readonly operator: Operator
  readonly string: StringOperand
  readonly font: PdfFont
}

/** Which content the byte ranges of operators are in: that of the page, all parts joined, or of a form. */
export type ContentSource = { readonly type: 'page' } | { readonly type: 'form'; readonly form: PdfStream }
