import { median } from '../cpu.ts'

/** The median of the rounds' ratios, so that a slow moment of the machine counts once. */
export function medianRatio(of: readonly number[], to: readonly number[]): number {
  return hundredths(median(of.map((cost, round) => cost / (to[round] ?? Number.NaN))))
}

export function typical(costs: readonly number[]): number {
  return Math.round(median(costs))
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
