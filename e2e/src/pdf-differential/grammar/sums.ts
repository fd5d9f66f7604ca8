/** The two meanings of a hostile file, as sums of money of seven segments: what is drawn does not depend on a font. */
export const LOW = '100'
export const HIGH = '900'

const [WIDTH, HEIGHT, LINE, STEP] = [40, 80, 8, 60] as const

/** Left, bottom, width, height; a (top) to g (middle) as in a pocket calculator. */
const SEGMENTS = {
  a: [0, HEIGHT - LINE, WIDTH, LINE],
  b: [WIDTH - LINE, HEIGHT / 2, LINE, HEIGHT / 2],
  c: [WIDTH - LINE, 0, LINE, HEIGHT / 2],
  d: [0, 0, WIDTH, LINE],
  e: [0, 0, LINE, HEIGHT / 2],
  f: [0, HEIGHT / 2, LINE, HEIGHT / 2],
  g: [0, (HEIGHT - LINE) / 2, WIDTH, LINE],
} as const

const DIGITS: Readonly<Record<string, string>> = { 0: 'abcdef', 1: 'bc', 5: 'acdfg', 9: 'abcdfg' }

/** The operators that draw a sum, black, at this place. */
export function drawSum(sum: string, left = 30, bottom = 40): string {
  const boxes = Array.from(sum).flatMap((digit, index) =>
    Array.from(DIGITS[digit] ?? '').map((segment) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the letters above
      const [x, y, width, height] = SEGMENTS[segment as keyof typeof SEGMENTS]
      return `${left + index * STEP + x} ${bottom + y} ${width} ${height} re`
    }),
  )
  return `0 g ${boxes.join(' ')} f`
}

/** Covers the place of a sum. */
export const COVER = '1 g 20 30 200 100 re f'
