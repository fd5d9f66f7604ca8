import { type Grid, isDark } from './grid.ts'
import { readSegments } from './read-segments.ts'
import { repairBlock } from './reed-solomon.ts'
import { type Blocks, blocksOf, dataCells, formatBits, formatCells, type Level, masks, versionOf } from './versions.ts'

/** The text of a code whose modules were found; null when they are none, or too damaged. */
export function readModules(modules: Grid): string | null {
  const version = versionOf(modules.width)
  const format = version === null ? null : readFormat(modules)
  const mask = format === null ? undefined : masks[format.mask]
  if (version === null || format === null || mask === undefined) return null
  const bytes = bytesOf(modules, version, mask)
  const data = repair(bytes, blocksOf(version, format.level))
  return data === null ? null : readSegments(data, version)
}

interface Format {
  readonly level: Level
  readonly mask: number
}

const FORMATS = ([0, 1, 2, 3] as const).flatMap((level) =>
  masks.map((_, mask) => ({ level, mask, bits: formatBits(level, mask) })),
)

/** Any two formats differ in at least seven bits, so three wrong ones leave the nearest the right one. */
const MOST_WRONG_BITS = 3

function readFormat(modules: Grid): Format | null {
  const copies = formatCells(modules.width).map((cells) =>
    cells.reduce((bits, [x, y], bit) => bits | (isDark(modules, x, y) ? 1 << bit : 0), 0),
  )
  let [nearest, least]: [Format | null, number] = [null, MOST_WRONG_BITS + 1]
  for (const format of FORMATS) {
    const wrong = Math.min(...copies.map((copy) => countBits(copy ^ format.bits)))
    if (wrong < least) [nearest, least] = [format, wrong]
  }
  return nearest
}

function countBits(number: number): number {
  let count = 0
  for (let rest = number; rest > 0; rest &= rest - 1) count += 1
  return count
}

function bytesOf(modules: Grid, version: number, mask: (x: number, y: number) => boolean): Uint8Array {
  const cells = dataCells(version)
  const bytes = new Uint8Array(Math.floor(cells.length / 8))
  for (const [at, [x, y]] of cells.entries()) {
    const byte = at >> 3
    if (byte < bytes.length && isDark(modules, x, y) !== mask(x, y))
      bytes[byte] = (bytes[byte] ?? 0) | (0x80 >> (at % 8))
  }
  return bytes
}

/** Blocks are interleaved: the first byte of each, then the second of each; later blocks may have one byte more. */
function repair(bytes: Uint8Array, { count, checkBytes, totalBytes }: Blocks): Uint8Array | null {
  const dataBytes = totalBytes - count * checkBytes
  const shortest = Math.floor(dataBytes / count)
  const short = count - (dataBytes % count)
  const blocks = Array.from({ length: count }, (): number[] => [])
  let at = 0
  for (let row = 0; row <= shortest; row += 1)
    for (const [number, block] of blocks.entries())
      if (row < shortest || number >= short) block.push(bytes[(at += 1) - 1] ?? 0)
  for (let row = 0; row < checkBytes; row += 1) for (const block of blocks) block.push(bytes[(at += 1) - 1] ?? 0)
  const data = new Uint8Array(dataBytes)
  let filled = 0
  for (const block of blocks) {
    const repaired = repairBlock(Uint8Array.from(block), checkBytes)
    if (repaired === null) return null
    data.set(repaired.subarray(0, -checkBytes), filled)
    filled += repaired.length - checkBytes
  }
  return data
}
