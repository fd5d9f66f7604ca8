import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Shelf } from '../rules.ts'

export type ShelfState = 'empty' | 'old' | 'in use'

/** In use: something younger lies there. A clock that ran far ahead must not cost an event. */
export async function readShelf(read: Read, shelf: Shelf, oldestKept: Instant): Promise<ShelfState> {
  const [row] = await runStatement<{ any: boolean; young: boolean }>(
    read,
    `select exists (select from feed.event where shelf = $1) as any,
      exists (select from feed.event where shelf = $1 and at >= to_timestamp($2 / 1000.0)) as young`,
    [shelf, oldestKept],
  )
  if (row?.young === true) return 'in use'
  return row?.any === true ? 'old' : 'empty'
}

/** The name of a table cannot be a parameter. */
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

/** A maintenance step never makes callers wait behind it: it gives up and comes back. */
export async function sweepShelf(tx: Tx, shelf: Shelf): Promise<void> {
  await runStatement(tx, `set local lock_timeout = '2s'`, [])
  await runStatement(tx, SWEEP[shelf], [])
}
