import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import type { Shelf } from '../rules.ts'

/** The name of a table cannot be a parameter. */
const LOCK = {
  0: 'lock table feed.event_0 in access exclusive mode',
  1: 'lock table feed.event_1 in access exclusive mode',
  2: 'lock table feed.event_2 in access exclusive mode',
  3: 'lock table feed.event_3 in access exclusive mode',
  4: 'lock table feed.event_4 in access exclusive mode',
  5: 'lock table feed.event_5 in access exclusive mode',
  6: 'lock table feed.event_6 in access exclusive mode',
  7: 'lock table feed.event_7 in access exclusive mode',
  8: 'lock table feed.event_8 in access exclusive mode',
  9: 'lock table feed.event_9 in access exclusive mode',
} as const satisfies Record<Shelf, string>

const SWEEP = {
  0: 'truncate feed.event_0',
  1: 'truncate feed.event_1',
  2: 'truncate feed.event_2',
  3: 'truncate feed.event_3',
  4: 'truncate feed.event_4',
  5: 'truncate feed.event_5',
  6: 'truncate feed.event_6',
  7: 'truncate feed.event_7',
  8: 'truncate feed.event_8',
  9: 'truncate feed.event_9',
} as const satisfies Record<Shelf, string>

const IS_OLD = `
select exists (select from feed.event where shelf = $1) and not exists (
  select from feed.event where shelf = $1 and at >= to_timestamp($2 / 1000.0)) as "isOld"`

/**
 * Empties a shelf on which everything is old. Nothing can be put there between the look and the sweep. A maintenance step
 * never makes callers wait behind it: it gives up and comes back. A clock that ran far ahead must not cost an event, so a
 * shelf with anything younger is left alone.
 */
export async function sweepShelf(tx: Tx, shelf: Shelf, oldestKept: Instant): Promise<void> {
  const isOld = async (): Promise<boolean> => {
    const [row] = await runStatement<{ isOld: boolean }>(tx, IS_OLD, [shelf, oldestKept])
    return row?.isOld === true
  }
  // Without the lock first: on nearly every round there is nothing to do, and nobody has to wait for that.
  if (!(await isOld())) return
  await runStatement(tx, `set local lock_timeout = '2s'`, [])
  await runStatement(tx, LOCK[shelf], [])
  if (await isOld()) await runStatement(tx, SWEEP[shelf], [])
}
