import { multiply, powerOf } from '../field-256.ts'
import { emptyGrid, type Grid, setCell } from '../grid.ts'
import {
  alignments,
  type Blocks,
  blocksOf,
  dataCells,
  formatBits,
  formatCells,
  masks,
  sizeOf,
  versionBits,
} from '../versions.ts'

/** Level M, as most programs choose it. */
const LEVEL = 0
const MASK = 3

/** The modules of the smallest code that holds the text as bytes. */
export function makeQr(text: string): Grid {
  const bytes = new TextEncoder().encode(text)
  const version = Array.from({ length: 40 }, (_, at) => at + 1).find((one) => capacityOf(one) >= bytes.length)
  if (version === undefined) throw new Error(`${bytes.length} bytes do not fit into one code`)
  const grid = emptyGrid(sizeOf(version), sizeOf(version))
  drawSquares(grid, version)
  drawFormat(grid, version)
  const all = interleave(dataOf(bytes, version), blocksOf(version, LEVEL))
  for (const [at, [x, y]] of dataCells(version).entries()) {
    const bit = ((all[at >> 3] ?? 0) >> (7 - (at % 8))) & 1
    setCell(grid, x, y, (bit === 1) !== (masks[MASK]?.(x, y) ?? false))
  }
  return grid
}

function capacityOf(version: number): number {
  const { totalBytes, count, checkBytes } = blocksOf(version, LEVEL)
  return totalBytes - count * checkBytes - (version < 10 ? 2 : 3)
}

function dataOf(bytes: Uint8Array, version: number): Uint8Array {
  const { totalBytes, count, checkBytes } = blocksOf(version, LEVEL)
  const data = new Uint8Array(totalBytes - count * checkBytes)
  const digits = [4, ...(version < 10 ? [] : [bytes.length >> 12, (bytes.length >> 8) & 15])]
  const nibbles = [...digits, (bytes.length >> 4) & 15, bytes.length & 15]
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const used = Math.ceil(nibbles.length / 2)
  for (const at of data.keys())
    data[at] =
      at < used ? ((nibbles[at * 2] ?? 0) << 4) | (nibbles[at * 2 + 1] ?? 0) : (at - used) % 2 === 0 ? 0xec : 0x11
  return data
}

function interleave(data: Uint8Array, { count, checkBytes }: Blocks): readonly number[] {
  const short = count - (data.length % count)
  const length = Math.floor(data.length / count)
  let from = 0
  const blocks = Array.from({ length: count }, (_, number) => {
    const block = data.subarray(from, from + length + (number < short ? 0 : 1))
    from += block.length
    return { block, check: checkOf(block, checkBytes) }
  })
  const columns = Array.from({ length: length + 1 }, (_, at) =>
    blocks.flatMap(({ block }) => (at < block.length ? [block[at] ?? 0] : [])),
  )
  const checks = Array.from({ length: checkBytes }, (_, at) => blocks.map(({ check }) => check[at] ?? 0))
  return [...columns.flat(), ...checks.flat()]
}

function checkOf(block: Uint8Array, checkBytes: number): readonly number[] {
  let divisor = [1]
  for (let power = 0; power < checkBytes; power += 1) {
    const next = [...divisor, 0]
    for (const [at, factor] of divisor.entries()) next[at + 1] = (next[at + 1] ?? 0) ^ multiply(factor, powerOf(power))
    divisor = next
  }
  const rest = [...block, ...Array.from({ length: checkBytes }, () => 0)]
  for (const at of block.keys()) {
    const lead = rest[at] ?? 0
    for (const [by, factor] of divisor.entries()) rest[at + by] = (rest[at + by] ?? 0) ^ multiply(factor, lead)
  }
  return rest.slice(block.length)
}

function drawSquares(grid: Grid, version: number): void {
  const size = grid.width
  for (let at = 0; at < size; at += 1) {
    setCell(grid, at, 6, at % 2 === 0)
    setCell(grid, 6, at, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4)
  for (const [x, y] of alignments(version)) drawRings(grid, x, y, 2, (ring) => ring !== 1)
}

function drawRings(grid: Grid, x: number, y: number, most: number, isOn: (ring: number) => boolean): void {
  for (let down = -most; down <= most; down += 1)
    for (let across = -most; across <= most; across += 1) {
      const [column, row] = [x + across, y + down]
      const isInside = column >= 0 && row >= 0 && column < grid.width && row < grid.height
      if (isInside) setCell(grid, column, row, isOn(Math.max(Math.abs(across), Math.abs(down))))
    }
}

function drawFormat(grid: Grid, version: number): void {
  const size = grid.width
  const format = formatBits(LEVEL, MASK)
  for (const copy of formatCells(size))
    for (const [bit, [x, y]] of copy.entries()) setCell(grid, x, y, ((format >> bit) & 1) === 1)
  setCell(grid, 8, size - 8, true)
  if (version < 7) return
  const bits = versionBits(version)
  for (let bit = 0; bit < 18; bit += 1) {
    const isOn = ((bits >> bit) & 1) === 1
    setCell(grid, size - 11 + (bit % 3), Math.floor(bit / 3), isOn)
    setCell(grid, Math.floor(bit / 3), size - 11 + (bit % 3), isOn)
  }
}
