import { announceSlowAct } from '@sealpost/kernel'
import pg from 'pg'
import { openRead, openTx, type Read, type Tx } from './scope.ts'
import { enterTransaction } from './slow-guard.ts'

export interface DatabaseOptions {
  /** `postgres://user:password@host1:5432,host2:5432/name`; the one that is not in recovery is used. */
  readonly url: string
  readonly poolSize?: number
  readonly applicationName?: string
  /** Told of connections that broke while idle; the next call opens a new one. */
  readonly onIdleError?: (error: Error) => void
}

/** A database that can only be spoken to inside a scope: there is no query method to forget a transaction with. */
export interface Database {
  /** One transaction: committed when `work` resolves, rolled back when it throws. Repeated after a deadlock. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Single reads without BEGIN, on a connection that the server holds to read-only. */
  read<T>(work: (read: Read) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const RETRIED = new Set(['40001', '40P01'])
const ATTEMPTS = 3

export function openDatabase(options: DatabaseOptions): Database {
  const shared = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'sealpost',
    max: options.poolSize ?? 10,
  }
  const writers = new pg.Pool(shared)
  const readers = new pg.Pool({ ...shared, options: '-c default_transaction_read_only=on' })
  for (const pool of [writers, readers]) pool.on('error', options.onIdleError ?? (() => {}))
  return {
    async transaction(work) {
      announceSlowAct('another transaction')
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction(writers, work)
        } catch (error) {
          if (attempt === ATTEMPTS || !(error instanceof pg.DatabaseError) || !RETRIED.has(error.code ?? ''))
            throw error
        }
      }
    },
    async read(work) {
      const client = await readers.connect()
      try {
        return await work(openRead(client))
      } finally {
        client.release()
      }
    },
    async close() {
      await Promise.all([writers.end(), readers.end()])
    },
  }
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const { tx, afterCommit } = openTx(client)
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await enterTransaction(() => work(tx))
    await client.query('COMMIT')
    for (const act of afterCommit) act()
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}
