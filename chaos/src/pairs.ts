import { hundredths, median, medianRatio, processMegabytes } from '@sealpost/testkit'

/** The same load without and beside a hostile one. */
export interface Pair<Measured> {
  readonly without: Measured
  readonly beside: Measured
}

/** The order alternates, so that a drift of the machine's speed favours neither. */
export async function measurePair<Measured>(
  number: number,
  measure: (isHostile: boolean) => Promise<Measured>,
): Promise<Pair<Measured>> {
  const isHostileFirst = number % 2 === 1
  const first = await measure(isHostileFirst)
  const second = await measure(!isHostileFirst)
  return isHostileFirst ? { beside: first, without: second } : { without: first, beside: second }
}

export interface Latency {
  readonly calls: number
  readonly median: number
  readonly p99: number
}

export function latencyOf(milliseconds: readonly number[]): Latency {
  const times = milliseconds.toSorted((one, other) => one - other)
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return { calls: times.length, median: at(0.5), p99: at(0.99) }
}

/** The figures that compare both halves of the pairs. */
export function compareLatencies(pairs: readonly Pair<Latency>[]) {
  const figures = (figure: 'median' | 'p99') => ({
    without: pairs.map((pair) => pair.without[figure]),
    beside: pairs.map((pair) => pair.beside[figure]),
  })
  const [medians, p99s] = [figures('median'), figures('p99')]
  return {
    median_ms: hundredths(median(medians.without)),
    median_ms_beside: hundredths(median(medians.beside)),
    p99_ms: hundredths(median(p99s.without)),
    p99_ms_beside: hundredths(median(p99s.beside)),
    median_ratio: medianRatio(medians.beside, medians.without),
    p99_ratio: medianRatio(p99s.beside, p99s.without),
  }
}

const WATCH_MS = 200

/** The largest resident memory of a process while it is watched. */
export function watchMemory(pid: number): { readonly stop: () => void; readonly mostMb: () => number } {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, processMegabytes(pid))), WATCH_MS)
  return { stop: () => clearInterval(timer), mostMb: () => most }
}

export function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}

/** Of counts by name, those whose name has this beginning. */
export function sumOf(counts: Readonly<Record<string, number>>, prefix: string): number {
  return sum(Object.entries(counts), ([name, times]) => (name.startsWith(prefix) ? times : 0))
}
