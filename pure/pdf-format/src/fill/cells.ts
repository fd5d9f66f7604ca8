import type { Glyph } from '../content/glyph.ts'
import type { Box } from '../content/matrix.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import type { FoundTag } from '../template/find-tags.ts'
import { borderOf, PER_TOKEN } from './room.ts'
import { extentOf, type Segment, segmentOf } from './segments.ts'

interface Cells {
  readonly tags: readonly FoundTag[]
  readonly rules: readonly Box[]
  readonly budget: ScanBudget
}

/** Texts of two cells of a table may be close to each other: the border between them separates what moves. */
export function splitCells(segments: readonly Segment[], { tags, rules, budget }: Cells): readonly Segment[] {
  const tagOf = new Map(tags.flatMap((tag) => tag.glyphs.map((glyph) => [glyph, tag] as const)))
  return segments.flatMap((segment) => {
    if (!segment.glyphs.some((glyph) => tagOf.has(glyph))) return [segment]
    budget.takeTokens(Math.ceil(rules.length / PER_TOKEN))
    const borders = rules.flatMap((rule) => borderOf(segment, rule) ?? [])
    return borders.length === 0 ? [segment] : split(segment, borders, tagOf)
  })
}

function split(segment: Segment, borders: readonly number[], tagOf: ReadonlyMap<Glyph, FoundTag>): readonly Segment[] {
  const lines: Glyph[][] = [[]]
  let last: Glyph | null = null
  for (const glyph of segment.glyphs) {
    // A tag is never cut: what crosses it is no border of a cell.
    const isInTag = last !== null && tagOf.has(glyph) && tagOf.get(last) === tagOf.get(glyph)
    if (last !== null && !isInTag && isBetween(segment, last, glyph, borders)) lines.push([])
    lines.at(-1)?.push(glyph)
    last = glyph
  }
  return lines.length === 1 ? [segment] : lines.map((line) => segmentOf(segment.source, line))
}

/** Of the font size: letters reach a little beyond their room. */
const TOLERANCE = 0.05

function isBetween(segment: Segment, last: Glyph, next: Glyph, borders: readonly number[]): boolean {
  const [, from] = extentOf(segment, last)
  const [to] = extentOf(segment, next)
  const near = TOLERANCE * segment.em
  return borders.some((at) => at >= from - near && at <= to + near)
}
