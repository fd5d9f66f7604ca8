import type { ScanBudget } from '../content/scan-budget.ts'
import { type Box, cornersOf } from '../content/matrix.ts'
import { across, along, type Segment } from './segments.ts'

export type Alignment = 'start' | 'center' | 'end'

/** Between which places a segment may grow, and which end stays. */
export interface Room {
  readonly from: number
  readonly to: number
  readonly alignment: Alignment
}

export interface PageText {
  readonly segments: readonly Segment[]
  readonly rules: readonly Box[]
  /** What of the page is shown. */
  readonly crop: Box
  readonly budget: ScanBudget
}

/** In font sizes. */
const TO_TEXT = 0.25
const TO_RULE = 0.1
const PADDING = 1
const ALIGNED = 0.1
/** A line is beside another if their letters overlap. */
const HEIGHT = 0.7
const MIDDLE = 0.3
/** Comparisons that cost as much as an operator. */
const PER_TOKEN = 4

/** Ends at the next text of the line, at a border, and where the text of the page ends. */
export function roomOf(segment: Segment, page: PageText): Room {
  const { segments, rules, budget } = page
  budget.takeTokens(Math.ceil((segments.length + rules.length) / PER_TOKEN))
  const { em } = segment
  const parallel = segments.filter((other) => isParallel(segment, other))
  const edge = projected(segment, page.crop)
  const margin = marginsOf(parallel)
  const others = parallel.filter(({ glyphs }) => glyphs !== segment.glyphs)
  const beside = others.filter((other) => isBeside(segment, other))
  const borders = rules.flatMap((rule) => borderOf(segment, rule) ?? [])
  const before = nearest(beside.filter((other) => other.start < segment.start).map(({ end }) => end + TO_TEXT * em))
  const after = -nearest(beside.filter((other) => other.end > segment.end).map(({ start }) => TO_TEXT * em - start))
  const left = nearest(borders.filter((at) => at <= segment.start + ALIGNED * em).map((at) => at + TO_RULE * em))
  const right = -nearest(borders.filter((at) => at >= segment.end - ALIGNED * em).map((at) => TO_RULE * em - at))
  // Pages have the same margin at both sides, also if no line reaches the other one.
  const last = Math.max(margin.to, edge.to - (margin.from - edge.from))
  const first = Math.min(margin.from, edge.from + (edge.to - margin.to))
  return {
    from: Math.min(segment.start, Math.max(before, left, first, edge.from)),
    to: Math.max(segment.end, Math.min(after, right, last, edge.to)),
    alignment: alignmentOf(segment, { others, margin, edge, left, right }),
  }
}

/** The largest, or a place that is never reached. */
function nearest(places: readonly number[]): number {
  return places.reduce((one, other) => Math.max(one, other), -Infinity)
}

function isParallel(one: Segment, other: Segment): boolean {
  return one.alongX * other.alongX + one.alongY * other.alongY > 0.99
}

function isBeside(one: Segment, other: Segment): boolean {
  return Math.abs(one.across - other.across) < HEIGHT * Math.max(one.em, other.em)
}

interface Span {
  readonly from: number
  readonly to: number
}

function projected(segment: Segment, box: Box): Span {
  const places = cornersOf(box).map(({ x, y }) => along(segment, x, y))
  return { from: Math.min(...places), to: Math.max(...places) }
}

function marginsOf(segments: readonly Segment[]): Span {
  return {
    from: segments.reduce((least, { start }) => Math.min(least, start), Infinity),
    to: segments.reduce((most, { end }) => Math.max(most, end), -Infinity),
  }
}

/** Where a drawn line crosses that of the text; null if it does not. */
function borderOf(segment: Segment, rule: Box): number | null {
  const corners = cornersOf(rule)
  const heights = corners.map(({ x, y }) => across(segment, x, y))
  const middle = segment.across + MIDDLE * segment.em
  if (Math.min(...heights) > middle || Math.max(...heights) < middle) return null
  const { from, to } = projected(segment, rule)
  return to - from > segment.em ? null : (from + to) / 2
}

interface Surroundings {
  readonly others: readonly Segment[]
  readonly margin: Span
  readonly edge: Span
  /** Borders. */
  readonly left: number
  readonly right: number
}

/** Guessed from what is seen: a file does not say how its lines are aligned. */
function alignmentOf(segment: Segment, { others, margin, edge, left, right }: Surroundings): Alignment {
  const { start, end, em } = segment
  const usual = isRightToLeft(segment) ? 'end' : 'start'
  if (Number.isFinite(left) && Number.isFinite(right)) {
    const [before, after] = [start - left, right - end]
    if ((usual === 'start' ? before : after) <= PADDING * em) return usual
    if ((usual === 'start' ? after : before) <= PADDING * em) return usual === 'start' ? 'end' : 'start'
    return Math.abs(before - after) <= MIDDLE * em ? 'center' : usual
  }
  const near = ALIGNED * em
  const isShared = (place: 'start' | 'end'): boolean =>
    others.some((other) => Math.abs(other[place] - segment[place]) <= near)
  if (isShared(usual)) return usual
  if (Math.abs((start + end) / 2 - (edge.from + edge.to) / 2) <= near) return 'center'
  if (usual === 'start') return end >= margin.to - near && start > margin.from + near ? 'end' : 'start'
  return start <= margin.from + near && end < margin.to - near ? 'start' : 'end'
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** By the letters beside its tags, which are Latin in every language. */
function isRightToLeft({ glyphs }: Segment): boolean {
  return glyphs.some(({ text }) => text !== null && RIGHT_TO_LEFT.test(text))
}
