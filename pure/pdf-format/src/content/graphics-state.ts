import type { PdfFont } from '../font/font.ts'
import type { PdfDict } from '../reader/objects.ts'
import { IDENTITY, type Matrix } from './matrix.ts'

/** The part of the graphics state that places text. Values are replaced, never changed: `q` keeps a copy. */
export interface GraphicsState {
  readonly ctm: Matrix
  readonly font: PdfFont | null
  readonly fontDict: PdfDict | null
  /** In the resources of the current content; null if the font was set elsewhere. */
  readonly fontName: string | null
  readonly size: number
  readonly characterSpacing: number
  readonly wordSpacing: number
  /** 1 for 100 %. */
  readonly scale: number
  readonly leading: number
  readonly rise: number
  readonly mode: number
}

export function initialState(ctm: Matrix): GraphicsState {
  return {
    ctm,
    font: null,
    fontDict: null,
    fontName: null,
    size: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    scale: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  }
}

/** Where the next glyph goes. */
export interface TextPosition {
  matrix: Matrix
  line: Matrix
}

export function initialPosition(): TextPosition {
  return { matrix: IDENTITY, line: IDENTITY }
}
