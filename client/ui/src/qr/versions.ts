import { emptyGrid, type Grid, setCell } from './grid.ts'

/** By the two bits of the format information: M, L, H, Q. */
export type Level = 0 | 1 | 2 | 3

export interface Blocks {
  readonly count: number
  /** Of each block. */
  readonly checkBytes: number
  /** Of all blocks together, with the check bytes. */
  readonly totalBytes: number
}

/** ISO/IEC 18004, table 9, by level and version. */
const CHECK_BYTES: Readonly<Record<Level, readonly number[]>> = {
  1: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  0: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  3: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  2: [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
}

const BLOCKS: Readonly<Record<Level, readonly number[]>> = {
  1: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
    20, 21, 22, 24, 25,
  ],
  0: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35, 37, 38, 40, 43, 45, 47, 49,
  ],
  3: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45,
    48, 51, 53, 56, 59, 62, 65, 68,
  ],
  2: [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51,
    54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
}

export function sizeOf(version: number): number {
  return 17 + 4 * version
}

/** Null for a size that no version has. */
export function versionOf(size: number): number | null {
  const version = (size - 17) / 4
  return Number.isInteger(version) && version >= 1 && version <= 40 ? version : null
}

export function blocksOf(version: number, level: Level): Blocks {
  const free = reservedCells(version).cells.reduce((sum, cell) => sum + (cell === 1 ? 0 : 1), 0)
  return {
    count: BLOCKS[level][version - 1] ?? 0,
    checkBytes: CHECK_BYTES[level][version - 1] ?? 0,
    totalBytes: Math.floor(free / 8),
  }
}

/** Centres of the small squares, on both axes. */
export function alignmentCentres(version: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = sizeOf(version) - 7
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))]
}

/** Cells that hold no data: the squares, the dotted lines, format and version. */
export function reservedCells(version: number): Grid {
  const size = sizeOf(version)
  const grid = emptyGrid(size, size)
  const fill = (left: number, top: number, width: number, height: number): void => {
    for (let y = top; y < top + height; y += 1) for (let x = left; x < left + width; x += 1) setCell(grid, x, y, true)
  }
  fill(0, 0, 9, 9)
  fill(size - 8, 0, 8, 9)
  fill(0, size - 8, 9, 8)
  fill(6, 0, 1, size)
  fill(0, 6, size, 1)
  for (const [x, y] of alignments(version)) fill(x - 2, y - 2, 5, 5)
  if (version >= 7) {
    fill(size - 11, 0, 3, 6)
    fill(0, size - 11, 6, 3)
  }
  return grid
}

/** Where a small square would touch one of the three large ones, there is none. */
export function alignments(version: number): readonly (readonly [number, number])[] {
  const centres = alignmentCentres(version)
  const last = centres.at(-1)
  return centres.flatMap((x) =>
    centres.flatMap((y) => {
      const isTaken = (x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)
      return isTaken ? [] : [[x, y] as const]
    }),
  )
}

/** Cells of the data in their order: two columns at a time, from the right, up and down in turns. */
export function dataCells(version: number): readonly (readonly [number, number])[] {
  const reserved = reservedCells(version)
  const size = reserved.width
  const cells: (readonly [number, number])[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) if (reserved.cells[y * size + x] === 0) cells.push([x, y])
    }
    isUp = !isUp
  }
  return cells
}

/** The eight patterns that are laid over the data. */
export const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Level and mask with ten check bits. */
export function formatBits(level: Level, mask: number): number {
  const data = (level << 3) | mask
  return ((data << 10) | remainder(data << 10, 0b10100110111)) ^ 0b101010000010010
}

/** Of the larger versions: six bits with twelve check bits. */
export function versionBits(version: number): number {
  return (version << 12) | remainder(version << 12, 0b1111100100101)
}

function remainder(value: number, divisor: number): number {
  let rest = value
  while (bitsOf(rest) >= bitsOf(divisor)) rest ^= divisor << (bitsOf(rest) - bitsOf(divisor))
  return rest
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(value)
}

/** The cells of both copies of the format, the lowest bit first. */
export function formatCells(size: number): readonly (readonly (readonly [number, number])[])[] {
  const bits = Array.from({ length: 15 }, (_, bit) => bit)
  const around = bits.map((bit): readonly [number, number] => {
    if (bit < 6) return [8, bit]
    if (bit < 8) return [8, bit + 1]
    return bit === 8 ? [7, 8] : [14 - bit, 8]
  })
  const apart = bits.map((bit): readonly [number, number] => (bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit]))
  return [around, apart]
}
