import { type Grid, isDark } from './grid.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The centre of something that looks like one of the three large squares. */
export interface Square extends Point {
  /** The width of a module, in pixels. */
  readonly module: number
  /** In how many lines of the picture it was seen. */
  readonly seen: number
}

/** Three squares at the corners of a code. */
export interface Corners {
  readonly topLeft: Square
  readonly topRight: Square
  readonly bottomLeft: Square
}

const MOST_SQUARES = 10
const MOST_CORNERS = 5

/** Every three squares that may belong to one code, the likeliest first. */
export function findCorners(pixels: Grid): readonly Corners[] {
  const squares = findSquares(pixels)
  const found: { readonly corners: Corners; readonly doubt: number }[] = []
  for (const [at, one] of squares.entries())
    for (const [next, other] of squares.slice(at + 1).entries())
      for (const third of squares.slice(at + next + 2)) found.push(arrange(one, other, third))
  return found
    .filter(({ doubt }) => doubt < 1.2)
    .toSorted((one, other) => one.doubt - other.doubt)
    .slice(0, MOST_CORNERS)
    .map(({ corners }) => corners)
}

/** The corner between the two others is the one across the longest side. */
function arrange(...three: readonly [Square, Square, Square]): { readonly corners: Corners; readonly doubt: number } {
  const [a, b, c] = three
  const sides = [
    { across: a, ends: [b, c] as const, length: distance(b, c) },
    { across: b, ends: [a, c] as const, length: distance(a, c) },
    { across: c, ends: [a, b] as const, length: distance(a, b) },
  ].toSorted((one, other) => other.length - one.length)
  const [longest = { across: a, ends: [b, c] as const, length: 0 }, ...legs] = sides
  const { across, ends } = longest
  const turn = (ends[0].x - across.x) * (ends[1].y - across.y) - (ends[0].y - across.y) * (ends[1].x - across.x)
  const [topRight, bottomLeft] = turn > 0 ? ends : [ends[1], ends[0]]
  const [long = 1, short = 1] = legs.map(({ length }) => length)
  const modules = three.map(({ module }) => module)
  const doubt =
    Math.abs(longest.length / Math.hypot(long, short) - 1) +
    (long - short) / long +
    (Math.max(...modules) - Math.min(...modules)) / Math.max(...modules)
  return { corners: { topLeft: across, topRight, bottomLeft }, doubt }
}

export function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

/** Looks along the lines of the picture for dark and light in the proportions 1 : 1 : 3 : 1 : 1. */
function findSquares(pixels: Grid): readonly Square[] {
  const found: Square[] = []
  for (let y = 0; y < pixels.height; y += 1)
    for (const x of likelyCentres(pixels, y)) {
      const square = checkAcross(pixels, x, y)
      if (square !== null) addTo(found, square)
    }
  return found
    .filter(({ seen }) => seen > 1)
    .toSorted((one, other) => other.seen - one.seen)
    .slice(0, MOST_SQUARES)
}

/** Lines through the same square become one. */
function addTo(found: Square[], { x, y, module }: Square): void {
  const at = found.findIndex(
    (known) =>
      Math.abs(known.x - x) <= known.module &&
      Math.abs(known.y - y) <= known.module &&
      Math.abs(known.module - module) <= Math.max(1, known.module),
  )
  const known = found[at]
  if (known === undefined) {
    found.push({ x, y, module, seen: 1 })
    return
  }
  const { seen } = known
  const mean = (before: number, now: number): number => (before * seen + now) / (seen + 1)
  found[at] = { x: mean(known.x, x), y: mean(known.y, y), module: mean(known.module, module), seen: seen + 1 }
}

/** Middles of the third of five runs. */
function* likelyCentres({ width, cells }: Grid, y: number): Generator<number> {
  const runs = [0, 0, 0, 0, 0]
  let isRunDark = false
  for (let x = 0; x <= width; x += 1) {
    const isNowDark = x < width && cells[y * width + x] === 1
    if (isNowDark === isRunDark && x < width) {
      runs[4] = (runs[4] ?? 0) + 1
      continue
    }
    if (isRunDark && isSquare(runs)) yield x - (runs[4] ?? 0) - (runs[3] ?? 0) - (runs[2] ?? 0) / 2
    runs.shift()
    runs.push(1)
    isRunDark = isNowDark
  }
}

function isSquare(runs: readonly number[]): boolean {
  const total = runs.reduce((sum, run) => sum + run, 0)
  if (total < 7 || runs.includes(0)) return false
  const module = total / 7
  return runs.every((run, at) => Math.abs(run - module * (at === 2 ? 3 : 1)) < module * (at === 2 ? 1.5 : 0.7))
}

/** Down through the middle, then along the line through that middle. */
function checkAcross(pixels: Grid, x: number, y: number): Square | null {
  const down = runsThrough((at) => isDark(pixels, Math.floor(x), at), y, pixels.height)
  if (down === null) return null
  const along = runsThrough((at) => isDark(pixels, at, Math.floor(down.centre)), Math.floor(x), pixels.width)
  if (along === null || Math.abs(along.total - down.total) > Math.max(along.total, down.total) * 0.4) return null
  return { x: along.centre, y: down.centre, module: (along.total + down.total) / 14, seen: 1 }
}

function runsThrough(isDarkAt: (at: number) => boolean, from: number, length: number) {
  const before = runsFrom(isDarkAt, from, -1, length)
  const after = runsFrom(isDarkAt, from + 1, 1, length)
  const [b0 = 0, b1 = 0, b2 = 0] = before
  const [a0 = 0, a1 = 0, a2 = 0] = after
  if (!isSquare([b2, b1, b0 + a0, a1, a2])) return null
  const total = b0 + b1 + b2 + a0 + a1 + a2
  return { centre: from + 1 + (a0 - b0) / 2, total }
}

/** Dark, light and dark again, up to the next light. */
function runsFrom(isDarkAt: (at: number) => boolean, from: number, step: 1 | -1, length: number): readonly number[] {
  let at = from
  return [true, false, true].map((isWanted) => {
    const start = at
    while (at >= 0 && at < length && isDarkAt(at) === isWanted) at += step
    return Math.abs(at - start)
  })
}
