import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Each test file that ends appends a line. */
export const COSTS_FILE = join(root, '.vitest/costs.tsv')
/** The costs by which files are ordered and packed into shards: the same on every machine. */
export const COMMITTED_COSTS_FILE = join(import.meta.dirname, 'costs.tsv')
/** Cheaper files are not committed. */
const COMMITTED_FROM_MS = 1000

/** The CPU time of a test file. */
export interface Cost {
  /** Relative to the root. */
  readonly file: string
  readonly ms: number
}

export function writeCost({ file, ms }: Cost): string {
  return `${relative(root, file)}\t${ms}\n`
}

/** The last cost of each file; a file may have run several times. */
export function readCosts(text: string): readonly Cost[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return [...new Map(lines.map(readLine))].map(([file, ms]) => ({ file, ms }))
}

/** Files in the order of their names, so that a new measurement changes few lines. */
export function writeCommitted(costs: readonly Cost[]): string {
  const kept = costs.filter(({ ms }) => ms >= COMMITTED_FROM_MS)
  const sorted = kept.toSorted((one, other) => (one.file < other.file ? -1 : 1))
  return sorted.map(({ file, ms }) => `${file}\t${Math.round(ms / 100) * 100}\n`).join('')
}

function readLine(line: string): readonly [string, number] {
  const [file = '', ms] = line.split('\t')
  return [file, Number(ms)]
}

/** An area is a module of an app, or a package. */
export function areaOf(file: string): string {
  const module = /^apps\/[^/]+\/src\/modules\/[^/]+/.exec(file)
  return module?.[0] ?? file.split('/').slice(0, 2).join('/')
}
