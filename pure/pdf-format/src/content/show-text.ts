import { PDF_LIMITS } from '../limits.ts'
import { PdfRefused } from '../refusal.ts'
import type { Glyph, Show } from './glyph.ts'
import type { GraphicsState, TextPosition } from './graphics-state.ts'
import { apply, type Matrix, multiply } from './matrix.ts'
import type { ScanBudget } from './scan-budget.ts'

const INVISIBLE = new Set([3, 7])

/** Adds the glyphs of a string and moves the position behind them. */
export function showText(
  show: Show,
  {
    state,
    position,
    budget,
    glyphs,
  }: { state: GraphicsState; position: TextPosition; budget: ScanBudget; glyphs: Glyph[] },
): void {
  const { bytes } = show.string
  for (let at = 0; at < bytes.length;) {
    budget.takeGlyph()
    if (glyphs.length >= PDF_LIMITS.pageGlyphs) throw new PdfRefused('too_complex', 'a page has too much text')
    const code = show.font.codeAt(bytes, at)
    const spacing = state.characterSpacing + (code.isWordSpace ? state.wordSpacing : 0)
    const width = code.width * state.size
    glyphs.push({
      text: code.text,
      ...placeOf(state, position.matrix, show, width),
      isInvisible: INVISIBLE.has(state.mode),
      show,
      codeStart: at,
      codeEnd: at + code.length,
    })
    // Vertical lines go down, and spacing goes up.
    move(position, state, show.font.isVertical, show.font.isVertical ? width - spacing : width + spacing)
    at += code.length
  }
}

/** Distance on the page that one em goes along the line. */
export function unitOf(state: GraphicsState, matrix: Matrix, isVertical: boolean): number {
  const [a, b, c, d] = multiply(matrix, state.ctm)
  return state.size * (isVertical ? Math.hypot(c, d) : Math.hypot(a, b) * Math.abs(state.scale))
}

/** A number between the strings of `TJ`, in thousandths: to the left or down. */
export function moveBack(position: TextPosition, state: GraphicsState, isVertical: boolean, thousandths: number): void {
  move(position, state, isVertical, ((isVertical ? 1 : -1) * thousandths * state.size) / 1000)
}

function move(position: TextPosition, state: GraphicsState, isVertical: boolean, by: number): void {
  const [x, y] = isVertical ? [0, -by] : [by * state.scale, 0]
  position.matrix = multiply([1, 0, 0, 1, x, y], position.matrix)
}

function placeOf(state: GraphicsState, matrix: Matrix, { font }: Show, width: number) {
  const onPage = multiply(matrix, state.ctm)
  const start = apply(onPage, 0, state.rise)
  const end = font.isVertical ? apply(onPage, 0, state.rise - width) : apply(onPage, width * state.scale, state.rise)
  const [a, b, c, d] = onPage
  const [x, y] = font.isVertical ? [-c, -d] : [a * Math.sign(state.scale || 1), b * Math.sign(state.scale || 1)]
  const length = Math.hypot(x, y) || 1
  const em = Math.abs(state.size) * font.em * Math.hypot(c, d)
  return {
    startX: start.x,
    startY: start.y,
    endX: end.x,
    endY: end.y,
    alongX: x / length,
    alongY: y / length,
    em,
  }
}
