/** `[a b c d e f]`: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** First `first`, then `then`. */
export function multiply(first: Matrix, then: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [ta, tb, tc, td, te, tf] = then
  return [
    a * ta + b * tc,
    a * tb + b * td,
    c * ta + d * tc,
    c * tb + d * td,
    e * ta + f * tc + te,
    e * tb + f * td + tf,
  ]
}

export interface Point {
  readonly x: number
  readonly y: number
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): Point {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}

export interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

export function boxAround(points: readonly Point[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  return box
}

export function cornersOf({ left, bottom, right, top }: Box): readonly Point[] {
  return [
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ]
}

export function transformBox(matrix: Matrix, box: Box): Box {
  return boxAround(cornersOf(box).map(({ x, y }) => apply(matrix, x, y)))
}
