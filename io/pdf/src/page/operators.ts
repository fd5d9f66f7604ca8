import type { Face } from '../fonts/face.ts'
import type { Cluster, Glyph, Run, ShapedLine } from '../fonts/shape.ts'

/** Draws a line with its left end at the given point; names of fonts are those of the page's resources. */
export function drawLine(
  line: ShapedLine,
  { x, y, size, fontName }: { x: number; y: number; size: number; fontName: (face: Face) => string },
): string {
  let left = x
  const parts: string[] = []
  for (const run of line.runs) {
    parts.push(`BT /${fontName(run.face)} ${number(size)} Tf 1 0 0 1 ${number(left)} ${number(y)} Tm`)
    for (const cluster of run.clusters) parts.push(drawCluster(run, cluster, { size }))
    parts.push('ET')
    left += (widthOf(run) * size) / 1000
  }
  return parts.join('\n')
}

export interface ClusterStyle {
  readonly size: number
  /** The text rise around it. */
  readonly rise?: number
  /** After each cluster, in thousandths of the size. */
  readonly spacing?: number
}

/** Text that several glyphs draw together, or that a glyph stands for only here, is written beside them. */
export function drawCluster({ face }: Run, { text, glyphs }: Cluster, style: ClusterStyle): string {
  const [only] = glyphs
  const shown = glyphs.map((glyph, at) => showGlyph(face, glyph, style, at === glyphs.length - 1)).join(' ')
  const isPlain = glyphs.length === 1 && only !== undefined && claim(face, only.id, text)
  if (!isPlain) for (const { id } of glyphs) if (!face.used.has(id)) face.used.set(id, null)
  return isPlain ? shown : `/Span<</ActualText<${utf16(text)}>>>BDC ${shown} EMC`
}

/** Whether the glyph stands for this text in the whole document. */
function claim({ used }: Face, glyph: number, text: string): boolean {
  const known = used.get(glyph)
  if (known === null || (known !== undefined && known !== text)) return false
  used.set(glyph, text)
  return true
}

function showGlyph(
  face: Face,
  { id, advance, offsetX, offsetY }: Glyph,
  { size, rise = 0, spacing = 0 }: ClusterStyle,
  isLast: boolean,
): string {
  const before = offsetX === 0 ? '' : number(-offsetX)
  // The viewer moves by the width of the font; kerning and marks want another place.
  const rest = face.width(id) + offsetX - advance - (isLast ? spacing : 0)
  const after = Math.abs(rest) < 0.5 ? '' : number(rest)
  const shown = `[${before}<${id.toString(16).padStart(4, '0')}>${after}]TJ`
  return offsetY === 0 ? shown : `${number(rise + (offsetY * size) / 1000)} Ts ${shown} ${number(rise)} Ts`
}

function widthOf({ clusters }: Run): number {
  return clusters.flatMap(({ glyphs }) => glyphs).reduce((sum, { advance }) => sum + advance, 0)
}

export function number(value: number): string {
  return value.toFixed(2).replace(/\.?0+$/, '')
}

/** With a byte order mark, as text strings have it. */
export function utf16(text: string): string {
  return `feff${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`
}
