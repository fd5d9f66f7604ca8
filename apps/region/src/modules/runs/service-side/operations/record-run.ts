import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { RunCopy, RunStart } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { BoundCustomer, StoredRun } from '../model.ts'
import { runEvent } from '../rules/events.ts'
import { awaitsOwner, primaryOf } from '../rules/status.ts'
import { insertRun, updateRun } from '../store/runs.ts'
import { runState } from './read-runs.ts'

export interface RunChange {
  /** Null for a new run. */
  readonly before: StoredRun | null
  readonly after: StoredRun
  /** Of a new run, for each customer. */
  readonly startOf?: (userId: UserId) => RunStart
  /** Each customer's copies of the new answers. */
  readonly copies?: ReadonlyMap<UserId, readonly RunCopy[]>
}

/**
 * Writes a change and tells the region of every customer, after the changes of its documents. Answers the events, which the caller appends last: the feed is
 * locked after all other rows.
 */
export async function recordRun(context: ServiceSideContext, tx: Tx, change: RunChange): Promise<readonly NewEvent[]> {
  const { before, after, startOf, copies } = change
  const { connectionId } = primaryOf(after).customer
  if (before === null) await insertRun(tx, after, { awaitsOwner: awaitsOwner(after), connectionId })
  else await updateRun(tx, after, awaitsOwner(after))
  const state = await runState(tx, after)
  // The region of a deleted account has nothing of it any more.
  const present = customersOf(after).filter(({ customer }) => !customer.isErased)
  const news = present.map((to) => ({
    to,
    state,
    start: startOf?.(to.userId) ?? null,
    answers: copies?.get(to.userId) ?? [],
  }))
  await context.messages.tellRun(tx, after, news)
  const event = runEvent(before, after)
  return event === null ? [] : [event]
}

export interface RunCustomer {
  readonly userId: UserId
  readonly customer: BoundCustomer
}

/** Each customer once, also one that is bound to several parties. */
export function customersOf({ parties }: Pick<StoredRun, 'parties'>): readonly RunCustomer[] {
  const customers = new Map<UserId, RunCustomer>()
  for (const { userId, customer } of parties) if (customer !== null) customers.set(userId, { userId, customer })
  return [...customers.values()]
}

export function usersOf({ parties }: Pick<StoredRun, 'parties'>): ReadonlySet<UserId> {
  return new Set(parties.map(({ userId }) => userId))
}
