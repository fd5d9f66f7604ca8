import { announceSlowCall } from '@sealpost/kernel'
import type { PoolClient } from 'pg'
import {
  CommitOutcomeUnknownError,
  DatabaseBusyError,
  isBusy,
  isConflict,
  isConnectionLost,
  isWriteRefused,
  TransactionAbortedError,
  wasNeverSent,
} from './errors.ts'
import { openPrimaryPools, type PoolUse, type PrimaryPools } from './primary-pools.ts'
import { openRead, openTx, type Read, type Tx } from './scope.ts'
import { enterTransaction } from './slow-guard.ts'

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host1:5432,host2:5432/name`; the host that accepts writes is used, also after a failover.
   */
  readonly url: string
  /** Connections for transactions, and as many again for reads; 10 by default. */
  readonly poolSize?: number
  readonly applicationName?: string
  /** How long a caller waits for a connection, a failover included; 5 s by default. */
  readonly connectTimeoutMs?: number
  /** The server ends a statement that runs longer; 15 s by default. */
  readonly statementTimeoutMs?: number
  /** The server ends a statement that waits longer for a lock; 5 s by default. */
  readonly lockTimeoutMs?: number
  /** The server ends a transaction that is idle for this long; 30 s by default. */
  readonly idleInTransactionTimeoutMs?: number
  /** Called for errors without a caller: a connection that broke while idle, an `afterCommit` hint that threw. */
  readonly onBackgroundError?: (error: Error) => void
  readonly observer?: DatabaseObserver
}

/** Counters for a process. Durations are in seconds. */
export interface DatabaseObserver {
  connectionAcquired?(seconds: number): void
  transactionEnded?(seconds: number, outcome: TransactionOutcome): void
  transactionRepeated?(reason: 'conflict' | 'connection lost'): void
  primaryChosen?(host: string): void
}

export type TransactionOutcome = 'committed' | 'rolled back' | 'unknown'

/** A database that is only accessible inside a scope: it has no query method, so no transaction can be forgotten. */
export interface Database {
  /**
   * One transaction: committed when `work` resolves, rolled back when it throws. `work` runs again after a deadlock or
   * when the connection broke before COMMIT, so it must not act on anything but `tx`; use `tx.afterCommit` for hints.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * One statement, which the server commits by itself: one round trip instead of three. It must be safe to run twice:
   * when the connection breaks its outcome is unknown, and it is run again.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Single reads without BEGIN, on a connection that the server keeps read-only. */
  read<T>(work: (read: Read) => Promise<T>): Promise<T>
  poolUse(): { readonly write: PoolUse; readonly read: PoolUse }
  close(): Promise<void>
}

const CONFLICT_RETRIES = 2
// Once only: a statement that crashes its server must not crash it repeatedly.
const LOST_CONNECTION_RETRIES = 1
/** The client gives up this much later than the server should have: then the server is gone. */
const READ_TIMEOUT_MARGIN_MS = 5000

export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000
  const observer = options.observer ?? {}
  const reportError = options.onBackgroundError ?? (() => {})
  const pools = openPrimaryPools({
    url: options.url,
    connectTimeoutMs: options.connectTimeoutMs ?? 5000,
    config: {
      application_name: options.applicationName ?? 'sealpost',
      max: options.poolSize ?? 10,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + READ_TIMEOUT_MARGIN_MS,
      lock_timeout: options.lockTimeoutMs ?? 5000,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    },
    onIdleError: reportError,
    onPrimary: (host) => observer.primaryChosen?.(host),
  })
  const hasLostPrimary = (error: unknown) => isConnectionLost(error) || (pools.hasSeveralHosts && isWriteRefused(error))
  const internals: Internals = { pools, observer, reportError, hasLostPrimary }
  return {
    async transaction(work) {
      announceSlowCall('another transaction')
      return repeatWhenSafe(observer, internals.hasLostPrimary, () => runTransaction(internals, work))
    },
    async write(work) {
      announceSlowCall('another transaction')
      return repeatWhenSafe(observer, internals.hasLostPrimary, () => runWrite(internals, work))
    },
    async read(work) {
      announceSlowCall('a read on a second connection')
      return repeatWhenSafe(observer, isConnectionLost, () => runRead(internals, work))
    },
    poolUse: () => pools.poolUse(),
    close: () => pools.close(),
  }
}

interface Internals {
  readonly pools: PrimaryPools
  readonly observer: DatabaseObserver
  readonly reportError: (error: Error) => void
  /** This error means that another server, or a new connection, is needed. */
  readonly hasLostPrimary: (error: unknown) => boolean
}

async function repeatWhenSafe<T>(
  observer: DatabaseObserver,
  isLost: (error: unknown) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  let conflicts = 0
  let losses = 0
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (isConflict(error) && conflicts < CONFLICT_RETRIES) {
        conflicts += 1
        observer.transactionRepeated?.('conflict')
      } else if (isLost(error) && losses < LOST_CONNECTION_RETRIES) {
        losses += 1
        observer.transactionRepeated?.('connection lost')
      } else throw isBusy(error) ? busy(error) : error
    }
  }
}

function busy(error: unknown): DatabaseBusyError {
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseBusyError(`the database was too busy for this call: ${reason}`, { cause: error })
}

async function runTransaction<T>(internals: Internals, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await acquire(internals, 'write')
  const began = performance.now()
  const scope = openTx(client)
  const ended = (outcome: TransactionOutcome) =>
    internals.observer.transactionEnded?.((performance.now() - began) / 1000, outcome)
  let result: T
  try {
    await client.query('BEGIN')
    result = await enterTransaction(() => work(scope.tx))
    scope.close()
    await commit(client)
  } catch (error) {
    scope.close()
    await abandon(internals, client, error)
    ended(error instanceof CommitOutcomeUnknownError ? 'unknown' : 'rolled back')
    throw error
  }
  client.release()
  ended('committed')
  runAfterCommit(scope.afterCommit, internals.reportError)
  return result
}

async function runWrite<T>(internals: Internals, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await acquire(internals, 'write')
  const scope = openTx(client, 1)
  try {
    const result = await enterTransaction(() => work(scope.tx))
    client.release()
    runAfterCommit(scope.afterCommit, internals.reportError)
    return result
  } catch (error) {
    const isLost = internals.hasLostPrimary(error)
    if (isLost) internals.pools.distrust(client)
    client.release(isLost)
    throw error
  } finally {
    scope.close()
  }
}

async function commit(client: PoolClient): Promise<void> {
  const answer = await client.query('COMMIT').catch((error: unknown) => {
    if (!isConnectionLost(error) || wasNeverSent(error)) throw error
    throw new CommitOutcomeUnknownError(
      'the connection broke during COMMIT: look for the rows before doing the work again',
      { cause: error },
    )
  })
  if (answer.command !== 'COMMIT')
    throw new TransactionAbortedError(
      'a failed statement was ignored, so that nothing was written: let its error through',
    )
}

/** Returns the connection in a clean state, or discards it when its state is unknown. */
async function abandon({ pools, hasLostPrimary }: Internals, client: PoolClient, error: unknown): Promise<void> {
  if (error instanceof CommitOutcomeUnknownError || hasLostPrimary(error)) {
    pools.distrust(client)
    client.release(true)
    return
  }
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(true)
  }
}

async function runRead<T>(internals: Internals, work: (read: Read) => Promise<T>): Promise<T> {
  const client = await acquire(internals, 'read')
  const scope = openRead(client)
  try {
    const result = await work(scope.read)
    client.release()
    return result
  } catch (error) {
    const isLost = isConnectionLost(error)
    if (isLost) internals.pools.distrust(client)
    client.release(isLost)
    throw error
  } finally {
    scope.close()
  }
}

async function acquire({ pools, observer }: Internals, use: 'write' | 'read'): Promise<PoolClient> {
  const asked = performance.now()
  const client = await pools.acquire(use)
  observer.connectionAcquired?.((performance.now() - asked) / 1000)
  return client
}

function runAfterCommit(acts: readonly (() => void)[], reportError: (error: Error) => void): void {
  for (const act of acts) {
    try {
      act()
    } catch (error) {
      // The transaction is durable: reporting a failure to the caller would make it repeat the work.
      reportError(error instanceof Error ? error : new Error(`an act after commit threw ${String(error)}`))
    }
  }
}
