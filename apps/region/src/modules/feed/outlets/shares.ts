import type { UserId } from '@sealpost/kernel'

/**
 * [Note: fair shares] A worker has so many places for running outlets. An endpoint may be slow and its queue long, so a
 * company with many of them would hold every place for as long as it has something waiting. So a company holds at most
 * three times as many places as are free: one alone gets three quarters, two get three sevenths each, and always there is
 * a place for somebody who has none yet. Nobody has to be asked who waits: who holds more than that as others come lets go.
 */
export interface Shares {
  /** Places that each company has. */
  readonly held: ReadonlyMap<UserId, number>
  /** Places that nobody has. */
  readonly free: number
}

const TIMES_THE_REST = 3

/** One that has none may have the last one. */
export function mayTake(held: number, free: number): boolean {
  return free > 0 && isFair(held + 1, free - 1)
}

export function isFair(held: number, free: number): boolean {
  return held <= Math.max(1, TIMES_THE_REST * free)
}

/** Those that may have no more. */
export function fullCompanies({ held, free }: Shares): readonly UserId[] {
  return [...held].flatMap(([companyId, count]) => (mayTake(count, free) ? [] : [companyId]))
}
