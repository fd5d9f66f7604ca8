/** The mean of the two middle values for an even count; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median of the ratios of pairs: a pair is measured at the same time, so a slow moment of the machine counts once. */
export function medianRatio(of: readonly number[], to: readonly number[]): number {
  return hundredths(median(of.map((value, index) => value / (to[index] ?? Number.NaN))))
}

/** Rounded for printing. */
export function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
