import { type Database, runStatement, type Tx } from '@sealpost/postgres'
import { waitUntil } from '../engines/wait-until.ts'

export interface HeldTransaction<T> {
  /** Lets the transaction end and answers its result. */
  finish(): Promise<T>
}

/** A transaction that has done `first` and stays open until `finish`; then it does `last` and commits. */
export async function holdTransaction<T = void>(
  database: Database,
  first: (tx: Tx) => Promise<unknown>,
  last?: (tx: Tx) => Promise<T>,
): Promise<HeldTransaction<T | undefined>> {
  const [isDone, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = database.transaction(async (tx) => {
    await first(tx)
    isDone.resolve()
    await goOn.promise
    return last?.(tx)
  })
  await Promise.race([isDone.promise, running])
  return {
    finish() {
      goOn.resolve()
      return running
    },
  }
}

export interface StartedWork<T> {
  readonly result: Promise<T>
  /** False while it waits. */
  readonly isOver: boolean
}

/** Answers when a transaction of this database waits for a lock, or when the work is over. */
export async function untilBlocked<T>(database: Database, work: Promise<T>): Promise<StartedWork<T>> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let isOver = false
  const result = work.finally(() => {
    isOver = true
  })
  await waitUntil('a transaction waits for a lock', 10_000, async () => {
    return isOver || (await database.read((read) => runStatement(read, sql, []))).length > 0
  })
  return { result, isOver }
}
