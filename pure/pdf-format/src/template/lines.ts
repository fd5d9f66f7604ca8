import type { Glyph } from '../content/glyph.ts'

/** Of the font size: a larger gap ends a tag. */
const MAX_GAP = 0.6
/** How far a glyph may be above or below the line. */
const MAX_SHIFT = 0.3
/** The cosine of the angle between glyphs of one line. */
const MIN_COSINE = 0.99
/** A glyph that is drawn again this close to itself makes it bold. */
export const MAX_ECHO = 0.15

/** Glyphs that follow each other on one line without a gap. */
export type Line = readonly Glyph[]

/** In the order in which they are drawn. */
export function linesAsDrawn(glyphs: readonly Glyph[]): readonly Line[] {
  const lines: Glyph[][] = []
  let line: Glyph[] = []
  for (const glyph of glyphs) {
    const last = line.at(-1)
    if (last !== undefined && isEcho(last, glyph)) continue
    if (last === undefined || !follows(last, glyph)) {
      line = []
      lines.push(line)
    }
    line.push(glyph)
  }
  return lines
}

/** In the order in which they are seen: text written from right to left is drawn in another one. */
export function linesAsSeen(glyphs: readonly Glyph[]): readonly Line[] {
  const placed = glyphs.map((glyph) => {
    const { startX, startY, alongX, alongY } = glyph
    // Angles are compared coarsely, so that noise does not separate glyphs of one line.
    const angle = Math.round(Math.atan2(alongY, alongX) * 20)
    return { glyph, angle, along: startX * alongX + startY * alongY, across: startY * alongX - startX * alongY }
  })
  placed.sort((one, other) => one.angle - other.angle || one.across - other.across)
  const rows: (typeof placed)[] = []
  for (const one of placed) {
    const row = rows.at(-1)
    const first = row?.[0]
    const isSameRow =
      first !== undefined && first.angle === one.angle && one.across - first.across <= MAX_SHIFT * first.glyph.em
    if (isSameRow) row?.push(one)
    else rows.push([one])
  }
  return rows.flatMap((row) =>
    linesAsDrawn(row.toSorted((one, other) => one.along - other.along).map(({ glyph }) => glyph)),
  )
}

function follows(last: Glyph, next: Glyph): boolean {
  const [x, y] = [next.startX - last.endX, next.startY - last.endY]
  const along = x * last.alongX + y * last.alongY
  const across = y * last.alongX - x * last.alongY
  const cosine = last.alongX * next.alongX + last.alongY * next.alongY
  return Math.abs(along) <= MAX_GAP * last.em && Math.abs(across) <= MAX_SHIFT * last.em && cosine >= MIN_COSINE
}

export function isEcho(last: Glyph, next: Glyph): boolean {
  if (last.text !== next.text) return false
  return Math.hypot(next.startX - last.startX, next.startY - last.startY) < MAX_ECHO * last.em
}
