import type { PdfFont } from '../font/font.ts'
import type { PdfDict, PdfStream } from '../reader/objects.ts'
import type { GraphicsState } from './graphics-state.ts'
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
  readonly state: GraphicsState
  /** Distance on the page that one em of the font goes along the line; negative for a mirrored font size. */
  readonly unit: number
  /** The innermost marked content around it that states its text. */
  readonly mark: Mark | null
}

/** Marked content with `ActualText`, which readers believe instead of the glyphs. */
export interface Mark {
  readonly source: ContentSource
  readonly operator: Operator
  /** The members that it keeps without its text, as an operator has them; null if there are none. */
  readonly others: string | null
}

/**
 * Which content the byte ranges of operators are in: that of the page, all parts joined, or of a form. A form that is
 * drawn twice is two sources.
 */
export type ContentSource =
  | { readonly type: 'page'; readonly resources: PdfDict | null }
  | { readonly type: 'form'; readonly form: PdfStream; readonly resources: PdfDict | null }
