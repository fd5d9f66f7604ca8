import type { Instant } from '@sealpost/kernel'
import { runStatement, type Tx } from './scope.ts'

/**
 * [Note: shelves] Rows that are of use for a week lie on ten shelves, tables of one day each that are used in turn: eight days
 * hold what is younger than seven days, the ninth is tomorrow's for processes whose clocks run ahead, and the tenth is
 * swept. Sweeping empties a table, which costs the same for any number of rows; nothing is created or dropped while the
 * region runs, so a day can never be missing. A shelf that was not swept in time only holds two days for a while.
 */
export const SHELVES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const
export type Shelf = (typeof SHELVES)[number]

const DAY_MS = 86_400_000

export function shelfOf(at: Instant): Shelf {
  return SHELVES[Math.floor(at / DAY_MS) % SHELVES.length] ?? 0
}

/** For a migration: the shelves of a table that is partitioned by the list of its `shelf`. */
export function createShelves(table: string): string {
  return SHELVES.map((shelf) => `create table ${table}_${shelf} partition of ${table} for values in (${shelf});`).join(
    '\n',
  )
}

/**
 * Empties a shelf of a table on which every row's `at` is old. Nothing can be put there between the look and the sweep. A
 * maintenance step never makes callers wait behind it: it gives up and comes back. A clock that ran far ahead must not cost a
 * row, so a shelf with anything younger is left alone.
 */
export async function sweepShelf(tx: Tx, table: string, shelf: Shelf, oldestKept: Instant): Promise<void> {
  const isOld = async (): Promise<boolean> => {
    const [row] = await runStatement<{ isOld: boolean }>(
      tx,
      `select exists (select from ${table} where shelf = $1) and not exists (
        select from ${table} where shelf = $1 and at >= to_timestamp($2 / 1000.0)) as "isOld"`,
      [shelf, oldestKept],
    )
    return row?.isOld === true
  }
  // Without the lock first: on nearly every round there is nothing to do, and nobody has to wait for that.
  if (!(await isOld())) return
  // Who has looked stands in the way of a sweep: two who both went on would wait for each other.
  if (!(await isFirst(tx, `${table}_${shelf}`))) return
  await runStatement(tx, `set local lock_timeout = '2s'`, [])
  await runStatement(tx, `lock table ${table}_${shelf} in access exclusive mode`, [])
  if (await isOld()) await runStatement(tx, `truncate ${table}_${shelf}`, [])
}

async function isFirst(tx: Tx, shelfTable: string): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isFirst"'
  const [row] = await runStatement<{ isFirst: boolean }>(tx, sql, [`sweep ${shelfTable}`])
  return row?.isFirst === true
}
