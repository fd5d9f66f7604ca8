/** A run of numbers, both ends included. */
export type Run = readonly [from: number, to: number]
/** A set of numbers as sorted runs that neither overlap nor touch. */
export type Ranges = readonly Run[]

export const NONE: Ranges = []

/** Greater than every event number. */
export const END = Number.POSITIVE_INFINITY

/** As PostgreSQL writes a multirange of integers: `{[1,5),[7,9)}`. */
export function parseRanges(text: string): Ranges {
  return Array.from(text.matchAll(/\[(\d+),(\d+)\)/g), ([, from, to]) => [Number(from), Number(to) - 1] as const)
}

export function formatRanges(ranges: Ranges): string {
  return `{${ranges.map(([from, to]) => `[${from},${to + 1})`).join(',')}}`
}

export function rangesOf(numbers: readonly number[]): Ranges {
  return joined(numbers.map((no) => [no, no]))
}

export function union(...sets: readonly Ranges[]): Ranges {
  return joined(sets.flat())
}

export function subtract(ranges: Ranges, taken: Ranges): Ranges {
  return ranges.flatMap((run) => {
    const left: Run[] = []
    let [from] = run
    const [, end] = run
    for (const [first, last] of taken) {
      if (last < from || first > end) continue
      if (first > from) left.push([from, first - 1])
      from = last + 1
    }
    if (from <= end) left.push([from, end])
    return left
  })
}

export function includes(ranges: Ranges, no: number): boolean {
  return ranges.some(([from, to]) => from <= no && no <= to)
}

/** The numbers after `from` up to `to`. */
export function span(from: number, to: number): Ranges {
  return from < to ? [[from + 1, to]] : NONE
}

export interface Progress {
  /** All numbers up to here are gone. */
  readonly cursor: number
  /** Numbers beyond the cursor that are gone. */
  readonly gone: Ranges
}

/** Marks more numbers as gone; the cursor moves over all runs that touch it. */
export function advance({ cursor, gone }: Progress, more: Ranges): Progress {
  const [first, ...rest] = joined([[0, cursor], ...gone, ...more])
  return { cursor: first?.[1] ?? cursor, gone: rest }
}

function joined(runs: readonly Run[]): Ranges {
  const result: [number, number][] = []
  for (const [from, to] of runs.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
