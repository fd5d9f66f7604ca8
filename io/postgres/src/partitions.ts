import { type Brand, EVENT_RETENTION_DAYS, type Instant } from '@sealpost/kernel'
import { isLockTimeout } from './errors.ts'
import { runStatement, type Tx } from './scope.ts'

/**
 * [Note: daily partitions] Rows that are kept for some days lie in partitions of one day each, a fixed number of tables that
 * are used in turn: ten for rows of 7 days, since eight days hold what is younger than 7 days, the ninth is tomorrow's for
 * processes whose clocks run ahead, and the tenth is emptied. TRUNCATE costs the same for any number of rows and locks one
 * partition. No table is created or dropped while the region runs, so a day is never missing. A partition that was not
 * emptied in time only holds two days for a while.
 */
export const DAILY_PARTITIONS = EVENT_RETENTION_DAYS + 3

/** Part of a table's name, hence only ever made by `partitionOf`. */
export type Partition = Brand<number, 'Partition'>

const DAY_MS = 86_400_000
const LOCK_WAIT_MS = 50

export function partitionOf(at: Instant, count = DAILY_PARTITIONS): Partition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a day's place in the ring is what a partition is
  return (Math.floor(at / DAY_MS) % count) as Partition
}

/** For a migration: the partitions of a table that is partitioned by the list of its column `partition`. */
export function createPartitions(table: string, count = DAILY_PARTITIONS): string {
  return Array.from(
    { length: count },
    (_, partition) => `create table ${table}_${partition} partition of ${table} for values in (${partition});`,
  ).join('\n')
}

/** Empties a partition in which every row's `at` is old. See `truncatePartition`. */
export async function emptyPartition(
  tx: Tx,
  table: string,
  partition: Partition,
  oldestKept: Instant,
): Promise<boolean> {
  return truncatePartition(tx, table, partition, async () => {
    const [row] = await runStatement<{ isOld: boolean }>(
      tx,
      `select exists (select from ${table} where partition = $1) and not exists (
        select from ${table} where partition = $1 and at >= to_timestamp($2 / 1000.0)) as "isOld"`,
      [partition, oldestKept],
    )
    return row?.isOld === true
  })
}

/**
 * Empties a partition if `mayGo` answers true, also once the partition is locked and no row can be added: a clock that ran far
 * ahead must not cost a row. All callers wait behind a waiting lock, so it waits a moment only: long enough to pass between
 * calls, and not for an operator's open transaction or a dump. The next upkeep tries again. Answers whether it emptied the
 * partition.
 */
export async function truncatePartition(
  tx: Tx,
  table: string,
  partition: Partition,
  mayGo: () => Promise<boolean>,
): Promise<boolean> {
  // First without the lock: mostly there is nothing to do, and then no caller has to wait.
  if (!(await mayGo())) return false
  // A reader blocks TRUNCATE, so of two workers that have both read one gives up.
  if (!(await isFirst(tx, `${table}_${partition}`))) return false
  if (!(await lockWithin(tx, `${table}_${partition}`))) return false
  if (!(await mayGo())) return false
  await runStatement(tx, `truncate ${table}_${partition}`, [])
  return true
}

/** False when the lock is not free in time; the transaction goes on without it. */
async function lockWithin(tx: Tx, partitionTable: string): Promise<boolean> {
  await runStatement(tx, 'savepoint before_lock', [])
  await runStatement(tx, `set local lock_timeout = '${LOCK_WAIT_MS}ms'`, [])
  try {
    await runStatement(tx, `lock table ${partitionTable} in access exclusive mode`, [])
    return true
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    // Takes the time limit of locks back, too.
    await runStatement(tx, 'rollback to savepoint before_lock', [])
    return false
  }
}

async function isFirst(tx: Tx, partitionTable: string): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isFirst"'
  const [row] = await runStatement<{ isFirst: boolean }>(tx, sql, [`empty ${partitionTable}`])
  return row?.isFirst === true
}
