import type { UserId } from '@sealpost/kernel'

/**
 * [Note: fair shares] A worker has a fixed number of slots for running queues. An endpoint may be slow and its queue long,
 * so a company with many webhooks could hold every slot for as long as it has pending events. Therefore a company holds at
 * most three times as many slots as are free: one company alone gets three quarters, two get three sevenths each, and a
 * company without a slot always finds a free one. No list of waiting companies is needed: a company that holds more than
 * its share, because others came, releases slots.
 */
export interface Shares {
  /** Slots held by each company. */
  readonly held: ReadonlyMap<UserId, number>
  readonly free: number
}

const TIMES_FREE = 3

/** A company without a slot may take the last one. */
export function mayTakeSlot(held: number, free: number): boolean {
  return free > 0 && isFairShare(held + 1, free - 1)
}

export function isFairShare(held: number, free: number): boolean {
  return held <= Math.max(1, TIMES_FREE * free)
}

/** The companies that may take no further slot. */
export function fullCompanies({ held, free }: Shares): readonly UserId[] {
  return [...held].flatMap(([companyId, count]) => (mayTakeSlot(count, free) ? [] : [companyId]))
}
