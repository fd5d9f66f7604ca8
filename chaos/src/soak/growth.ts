import { median } from '@sealpost/testkit'

/** A figure grows if both are exceeded: noise of small figures is large in per cent, that of large ones in units. */
export interface Tolerance {
  /** Of the median. */
  readonly share: number
  readonly units: number
}

/** The increase over a series, by the median of the slopes between all pairs (Theil–Sen): single peaks do not count. */
export function increaseOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, at) =>
    values.slice(0, at).map((earlier, from) => (value - earlier) / (at - from)),
  )
  return slopes.length === 0 ? 0 : median(slopes) * (values.length - 1)
}

export function isGrowing(values: readonly number[], { share, units }: Tolerance): boolean {
  const increase = increaseOf(values)
  return increase > units && increase > share * median(values)
}

/** The smallest value of each window: what a heap keeps after a collection. */
export function lowest(values: readonly number[], window: number): readonly number[] {
  const windows = Math.floor(values.length / window)
  return Array.from({ length: windows }, (_, at) => Math.min(...values.slice(at * window, (at + 1) * window)))
}
