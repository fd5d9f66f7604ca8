import type { ContentSource, Glyph } from '../content/glyph.ts'
import type { FoundTag } from '../template/find-tags.ts'
import { type Line, linesAsSeen } from '../template/lines.ts'

/** A piece of text without a gap, measured along and across its direction. */
export interface Segment {
  readonly source: ContentSource
  readonly glyphs: Line
  readonly alongX: number
  readonly alongY: number
  readonly start: number
  readonly end: number
  readonly across: number
  readonly em: number
}

export interface TaggedSegment extends Segment {
  /** From start to end. */
  readonly tags: readonly FoundTag[]
}

/** Where a point is along the direction of a segment. */
export function along({ alongX, alongY }: Pick<Segment, 'alongX' | 'alongY'>, x: number, y: number): number {
  return x * alongX + y * alongY
}

export function across({ alongX, alongY }: Pick<Segment, 'alongX' | 'alongY'>, x: number, y: number): number {
  return y * alongX - x * alongY
}

/** All visible text of a page. Texts of two contents never move together: a form may be drawn elsewhere, too. */
export function segmentsOf(glyphs: readonly Glyph[]): readonly Segment[] {
  const bySource = new Map<ContentSource, Glyph[]>()
  for (const glyph of glyphs) {
    if (glyph.isInvisible) continue
    const known = bySource.get(glyph.show.source)
    if (known === undefined) bySource.set(glyph.show.source, [glyph])
    else known.push(glyph)
  }
  return [...bySource].flatMap(([source, own]) => joinStretched(linesAsSeen(own)).map((line) => segmentOf(source, line)))
}

/** Of the font size: how far a word may be behind the space before it. */
const STRETCHED = 1
const SAME_LINE = 0.3

/** Words of a line that is stretched to both margins move together, though their gaps are wide. */
function joinStretched(lines: readonly Line[]): readonly Line[] {
  const joined: Glyph[][] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const [last, next] = [before?.at(-1), line[0]]
    if (before !== undefined && last !== undefined && next !== undefined && isStretched(last, next)) before.push(...line)
    else joined.push([...line])
  }
  return joined
}

function isStretched(last: Glyph, next: Glyph): boolean {
  if (last.text?.trim() !== '') return false
  const gap = along(last, next.startX, next.startY) - along(last, last.endX, last.endY)
  const shift = across(last, next.startX, next.startY) - across(last, last.endX, last.endY)
  const isParallel = last.alongX * next.alongX + last.alongY * next.alongY > 0.99
  return isParallel && gap >= 0 && gap <= STRETCHED * last.em && Math.abs(shift) <= SAME_LINE * last.em
}

export function segmentOf(source: ContentSource, glyphs: Line): Segment {
  const { alongX = 1, alongY = 0, startX = 0, startY = 0 } = glyphs[0] ?? {}
  const direction = { alongX, alongY }
  let [start, end, em] = [Infinity, -Infinity, 0]
  // Spaces at the ends of lines are not seen, and say nothing about how the line is aligned.
  const seen = glyphs.filter(({ text }) => text === null || text.trim() !== '')
  for (const glyph of seen.length > 0 ? seen : glyphs) {
    const [from, to] = extentOf(direction, glyph)
    start = Math.min(start, from)
    end = Math.max(end, to)
    em = Math.max(em, glyph.em)
  }
  return { source, glyphs, ...direction, start, end, em, across: across(direction, startX, startY) }
}

export function extentOf(direction: Pick<Segment, 'alongX' | 'alongY'>, glyph: Glyph): readonly [number, number] {
  const [from, to] = [along(direction, glyph.startX, glyph.startY), along(direction, glyph.endX, glyph.endY)]
  return [Math.min(from, to), Math.max(from, to)]
}

/** Segments that have tags. A tag belongs to that of its first letter. */
export function withTags(segments: readonly Segment[], tags: readonly FoundTag[]): readonly TaggedSegment[] {
  const tagOf = new Map(tags.map((tag) => [tag.first, tag]))
  return segments.flatMap((segment) => {
    const own = segment.glyphs.flatMap((glyph) => tagOf.get(glyph) ?? [])
    return own.length === 0 ? [] : [{ ...segment, tags: own }]
  })
}
