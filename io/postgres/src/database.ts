import { announceSlowAct } from '@sealpost/kernel'
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
  /** `postgres://user:password@host1:5432,host2:5432/name`; the one that takes writes is used, also after a failover. */
  readonly url: string
  /** Connections for transactions, and as many again for reads; 10 unless told. */
  readonly poolSize?: number
  readonly applicationName?: string
  /** How long a caller waits for a connection, a failover included; 5 s unless told. */
  readonly connectTimeoutMs?: number
  /** The server ends a statement that runs longer; 15 s unless told. */
  readonly statementTimeoutMs?: number
  /** The server ends a statement that waits longer for a lock; 5 s unless told. */
  readonly lockTimeoutMs?: number
  /** The server ends a transaction that does nothing for this long; 30 s unless told. */
  readonly idleInTransactionTimeoutMs?: number
  /** Told of what no caller can be told: a connection that broke while idle, an `afterCommit` act that threw. */
  readonly onBackgroundError?: (error: Error) => void
  readonly observer?: DatabaseObserver
}

/** What a process may want to count. Durations are in seconds. */
export interface DatabaseObserver {
  connectionAcquired?(seconds: number): void
  transactionEnded?(seconds: number, outcome: TransactionOutcome): void
  transactionRepeated?(reason: 'conflict' | 'connection lost'): void
  primaryChosen?(host: string): void
}

export type TransactionOutcome = 'committed' | 'rolled back' | 'unknown'

/** A database that can only be spoken to inside a scope: there is no query method to forget a transaction with. */
export interface Database {
  /**
   * One transaction: committed when `work` resolves, rolled back when it throws. `work` runs again after a deadlock or
   * when the connection broke before COMMIT, so it must not act on anything but `tx`; use `tx.afterCommit` for hints.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * One statement, which the server commits by itself: one trip instead of three. It must be such that it can be made twice:
   * when the connection breaks nobody knows whether it was made, and it is made again.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Single reads without BEGIN, on a connection that the server holds to read-only. */
  read<T>(work: (read: Read) => Promise<T>): Promise<T>
  poolUse(): { readonly write: PoolUse; readonly read: PoolUse }
  close(): Promise<void>
}

const CONFLICT_RETRIES = 2
// Once only: a statement that crashes its server must not crash it again and again.
const LOST_CONNECTION_RETRIES = 1
/** The client gives up this much after the server should have: then the server is not there any more. */
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
  const needs: Needs = { pools, observer, reportError, hasLostPrimary }
  return {
    async transaction(work) {
      announceSlowAct('another transaction')
      return repeatWhenSafe(observer, needs.hasLostPrimary, () => runTransaction(needs, work))
    },
    async write(work) {
      announceSlowAct('another transaction')
      return repeatWhenSafe(observer, needs.hasLostPrimary, () => runWrite(needs, work))
    },
    async read(work) {
      announceSlowAct('a read on a second connection')
      return repeatWhenSafe(observer, isConnectionLost, () => runRead(needs, work))
    },
    poolUse: () => pools.poolUse(),
    close: () => pools.close(),
  }
}

interface Needs {
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

async function runTransaction<T>(needs: Needs, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await acquire(needs, 'write')
  const began = performance.now()
  const scope = openTx(client)
  const ended = (outcome: TransactionOutcome) =>
    needs.observer.transactionEnded?.((performance.now() - began) / 1000, outcome)
  let result: T
  try {
    await client.query('BEGIN')
    result = await enterTransaction(() => work(scope.tx))
    scope.close()
    await commit(client)
  } catch (error) {
    scope.close()
    await abandon(needs, client, error)
    ended(error instanceof CommitOutcomeUnknownError ? 'unknown' : 'rolled back')
    throw error
  }
  client.release()
  ended('committed')
  runAfterCommit(scope.afterCommit, needs.reportError)
  return result
}

async function runWrite<T>(needs: Needs, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await acquire(needs, 'write')
  const scope = openTx(client, 1)
  try {
    const result = await enterTransaction(() => work(scope.tx))
    client.release()
    runAfterCommit(scope.afterCommit, needs.reportError)
    return result
  } catch (error) {
    const isLost = needs.hasLostPrimary(error)
    if (isLost) needs.pools.distrust(client)
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

/** Gives the connection back in a clean state, or throws it away when that cannot be known. */
async function abandon({ pools, hasLostPrimary }: Needs, client: PoolClient, error: unknown): Promise<void> {
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

async function runRead<T>(needs: Needs, work: (read: Read) => Promise<T>): Promise<T> {
  const client = await acquire(needs, 'read')
  const scope = openRead(client)
  try {
    const result = await work(scope.read)
    client.release()
    return result
  } catch (error) {
    const isLost = isConnectionLost(error)
    if (isLost) needs.pools.distrust(client)
    client.release(isLost)
    throw error
  } finally {
    scope.close()
  }
}

async function acquire({ pools, observer }: Needs, use: 'write' | 'read'): Promise<PoolClient> {
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
      // The transaction is durable: telling the caller of a failure would make it do the work again.
      reportError(error instanceof Error ? error : new Error(`an act after commit threw ${String(error)}`))
    }
  }
}
