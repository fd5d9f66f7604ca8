import { type Corners, distance, type Point } from './find-squares.ts'
import { emptyGrid, type Grid, isDark, setCell } from './grid.ts'
import { solve } from './solve.ts'
import { sizeOf } from './versions.ts'

/** The modules of a code of this version between three corners, by every way of finding its fourth corner. */
export function* sampleModules(pixels: Grid, corners: Corners, version: number): Generator<Grid> {
  const size = sizeOf(version)
  const small = version === 1 ? null : findSmallSquare(pixels, corners, size)
  if (small !== null) yield sample(pixels, size, corners, small, size - 6.5)
  for (const fourth of fourthsOf(corners, version)) yield sample(pixels, size, corners, fourth, size - 3.5)
}

/** Versions of codes with such corners: the distance of two corners in modules says it, nearly. */
export function versionsBetween(pixels: Grid, corners: Corners): readonly number[] {
  const { topLeft, topRight, bottomLeft } = corners
  const across = distance(topLeft, topRight) / moduleBetween(pixels, topLeft, topRight)
  const down = distance(topLeft, bottomLeft) / moduleBetween(pixels, topLeft, bottomLeft)
  const likely = Math.round(((across + down) / 2 + 7 - 17) / 4)
  return [0, -1, 1].map((by) => likely + by).filter((version) => version >= 1 && version <= 40)
}

/** Measured through both squares in the direction of the line between them: seven modules each. */
function moduleBetween(pixels: Grid, one: Corners['topLeft'], other: Corners['topLeft']): number {
  const measured = [widthTowards(pixels, one, other), widthTowards(pixels, other, one)].filter((width) => width > 0)
  if (measured.length === 0) return (one.module + other.module) / 2
  return measured.reduce((sum, width) => sum + width, 0) / measured.length / 7
}

function widthTowards(pixels: Grid, from: Point, to: Point): number {
  const length = distance(from, to)
  const step = { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
  const there = reach(pixels, from, step)
  const back = reach(pixels, from, { x: -step.x, y: -step.y })
  return there === 0 || back === 0 ? 0 : there + back
}

/** From the middle of a square to its outer edge: dark, light, dark. */
function reach(pixels: Grid, from: Point, step: Point): number {
  let [changes, isRunDark] = [0, true]
  const most = pixels.width + pixels.height
  for (let far = 0; far < most; far += 0.25) {
    const isNowDark = darkAt(pixels, { x: from.x + step.x * far, y: from.y + step.y * far })
    if (isNowDark === isRunDark) continue
    isRunDark = isNowDark
    changes += 1
    if (changes === 3) return far
  }
  return 0
}

function darkAt(pixels: Grid, { x, y }: Point): boolean {
  return isDark(pixels, Math.floor(x), Math.floor(y))
}

/** As if the code were seen straight on; the smallest version has no small square, so others are tried as well. */
function fourthsOf({ topLeft, topRight, bottomLeft }: Corners, version: number): readonly Point[] {
  const module = (topLeft.module + topRight.module + bottomLeft.module) / 3
  const offsets = version === 1 ? [0, -1, 1, -2, 2, -3, 3] : [0]
  return offsets
    .flatMap((across) => offsets.map((down) => ({ across, down })))
    .toSorted((one, other) => Math.hypot(one.across, one.down) - Math.hypot(other.across, other.down))
    .map(({ across, down }) => ({
      x: topRight.x + bottomLeft.x - topLeft.x + across * module,
      y: topRight.y + bottomLeft.y - topLeft.y + down * module,
    }))
}

const LEAST_ALIKE = 19

/** The small square near the fourth corner: five by five modules, dark, with a light ring and a dark middle. */
function findSmallSquare(pixels: Grid, corners: Corners, size: number): Point | null {
  const { topLeft, topRight, bottomLeft } = corners
  const right = { x: (topRight.x - topLeft.x) / (size - 7), y: (topRight.y - topLeft.y) / (size - 7) }
  const down = { x: (bottomLeft.x - topLeft.x) / (size - 7), y: (bottomLeft.y - topLeft.y) / (size - 7) }
  const moved = (from: Point, across: number, along: number): Point => ({
    x: from.x + right.x * across + down.x * along,
    y: from.y + right.y * across + down.y * along,
  })
  const expected = moved(topLeft, size - 10, size - 10)
  const alike = (centre: Point): number => {
    let count = 0
    for (let across = -2; across <= 2; across += 1)
      for (let along = -2; along <= 2; along += 1) {
        const isRing = Math.max(Math.abs(across), Math.abs(along)) === 1
        if (darkAt(pixels, moved(centre, across, along)) !== isRing) count += 1
      }
    return count
  }
  const [coarse] = placesAround(expected, Math.max(4, size / 8), 0.5, moved, alike)
  if (coarse === undefined || coarse.count < LEAST_ALIKE) return null
  return middleOfBest(placesAround(coarse.centre, 0.75, 0.125, moved, alike))
}

interface Place {
  readonly centre: Point
  /** How many of the 25 modules are as they should be. */
  readonly count: number
}

/** The best first; of equal ones the nearest. */
function placesAround(
  middle: Point,
  modules: number,
  step: number,
  moved: (from: Point, across: number, along: number) => Point,
  alike: (centre: Point) => number,
): readonly Place[] {
  const places: (Place & { readonly far: number })[] = []
  for (let across = -modules; across <= modules; across += step)
    for (let along = -modules; along <= modules; along += step) {
      const centre = moved(middle, across, along)
      places.push({ centre, count: alike(centre), far: Math.hypot(across, along) })
    }
  return places.toSorted((one, other) => other.count - one.count || one.far - other.far)
}

/** Several places around the centre fit as well as each other: their middle. */
function middleOfBest(places: readonly Place[]): Point {
  const best = places.filter(({ count }) => count === places[0]?.count).map(({ centre }) => centre)
  const sum = best.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 })
  return { x: sum.x / best.length, y: sum.y / best.length }
}

/** Through the plane that the four points lie in. */
function sample(pixels: Grid, size: number, corners: Corners, fourth: Point, fourthAt: number): Grid {
  const far = size - 3.5
  const place = planeThrough([
    [{ x: 3.5, y: 3.5 }, corners.topLeft],
    [{ x: far, y: 3.5 }, corners.topRight],
    [{ x: 3.5, y: far }, corners.bottomLeft],
    [{ x: fourthAt, y: fourthAt }, fourth],
  ])
  const modules = emptyGrid(size, size)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) setCell(modules, x, y, darkAt(pixels, place({ x: x + 0.5, y: y + 0.5 })))
  return modules
}

/** The projection that takes four points to four others. */
function planeThrough(pairs: readonly (readonly [Point, Point])[]): (from: Point) => Point {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solve(
    pairs.flatMap(([from, to]) => [
      [from.x, from.y, 1, 0, 0, 0, -from.x * to.x, -from.y * to.x, to.x],
      [0, 0, 0, from.x, from.y, 1, -from.x * to.y, -from.y * to.y, to.y],
    ]),
  )
  return ({ x, y }) => {
    const depth = g * x + h * y + 1
    return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth }
  }
}
