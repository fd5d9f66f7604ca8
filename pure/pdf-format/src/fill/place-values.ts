import type { Glyph } from '../content/glyph.ts'
import type { FoundTag } from '../template/find-tags.ts'
import type { Room } from './room.ts'
import { along, extentOf, type TaggedSegment } from './segments.ts'

/** Values are shrunk to this share of their font size, and not further. */
export const LEAST_SCALE = 0.6

export interface PlacedValue {
  readonly tag: FoundTag
  /** From the start of the first glyph of the key to that of the value, along the line. */
  readonly offset: number
  readonly scale: number
  /** Even when shrunk, the line is longer than its room. */
  readonly isOverflowing: boolean
}

export interface PlacedSegment {
  readonly values: readonly PlacedValue[]
  /** By how much glyphs of the segment move along the line. */
  readonly shifts: ReadonlyMap<Glyph, number>
}

interface Piece {
  readonly tag: FoundTag
  readonly start: number
  readonly end: number
  /** Of the value, on the page. */
  readonly width: number
}

/** The line again, with values instead of tags: what follows a tag moves; lines are never broken anew. */
export function placeValues(segment: TaggedSegment, room: Room, widthOf: (tag: FoundTag) => number): PlacedSegment {
  const pieces = piecesOf(segment, widthOf)
  const tagged = pieces.reduce((sum, { start, end }) => sum + end - start, 0)
  const fixed = segment.end - segment.start - tagged
  const wanted = pieces.reduce((sum, { width }) => sum + width, 0)
  const fitting = wanted > 0 ? (availableWidth(segment, room) - fixed) / wanted : 1
  const scale = Number.isFinite(fitting) ? Math.min(1, Math.max(LEAST_SCALE, fitting)) : 1
  // Half a percent is not seen, and rounding takes it.
  const isOverflowing = fitting < LEAST_SCALE * 0.995
  const growth = wanted * scale - tagged
  let shift = room.alignment === 'start' ? 0 : room.alignment === 'end' ? -growth : -growth / 2
  const before: { readonly from: number; readonly shift: number }[] = [{ from: -Infinity, shift }]
  const values: PlacedValue[] = []
  for (const { tag, start, end, width } of pieces) {
    const offset = start + shift - along(segment, tag.first.startX, tag.first.startY)
    values.push({ tag, offset, scale, isOverflowing: isOverflowing && width > 0 })
    shift += width * scale - (end - start)
    before.push({ from: start, shift })
  }
  return { values, shifts: shiftsOf(segment, before) }
}

function piecesOf(segment: TaggedSegment, widthOf: (tag: FoundTag) => number): readonly Piece[] {
  return segment.tags
    .map((tag) => {
      const extents = tag.glyphs.map((glyph) => extentOf(segment, glyph))
      const start = Math.min(...extents.map(([from]) => from))
      return { tag, start, end: Math.max(...extents.map(([, to]) => to)), width: widthOf(tag) }
    })
    .toSorted((one, other) => one.start - other.start)
}

function availableWidth({ start, end }: TaggedSegment, { from, to, alignment }: Room): number {
  if (alignment === 'start') return to - start
  if (alignment === 'end') return end - from
  const middle = (start + end) / 2
  return 2 * Math.min(middle - from, to - middle)
}

function shiftsOf(
  segment: TaggedSegment,
  before: readonly { readonly from: number; readonly shift: number }[],
): ReadonlyMap<Glyph, number> {
  const shifts = new Map<Glyph, number>()
  let at = 0
  const placed = segment.glyphs.map((glyph) => ({ glyph, from: extentOf(segment, glyph)[0] }))
  for (const { glyph, from } of placed.toSorted((one, other) => one.from - other.from)) {
    while ((before[at + 1]?.from ?? Infinity) < from) at += 1
    shifts.set(glyph, before[at]?.shift ?? 0)
  }
  return shifts
}
