import { announceSlowCall } from '@sealpost/kernel'
import type { PoolClient } from 'pg'
import {
  CommitOutcomeUnknownError,
  DatabaseUnavailableError,
  failureOf,
  isConflict,
  isConnectionLost,
  isWriteRefused,
  TransactionAbortedError,
  wasNeverSent,
} from './errors.ts'
import { CONNECT_TIMEOUT_MS, openPoolLines, POOL_SIZE, type PoolLines, withLines } from './pool-lines.ts'
import { openPrimaryPools, type PoolUse, type PrimaryPools, type Use } from './primary-pools.ts'
import { openRead, openTx, type Read, type Tx, runStatement } from './scope.ts'
import { enterTransaction } from './slow-guard.ts'
import { notify, openWakeUps, type WakeUps } from './wake-ups.ts'

export interface DatabaseOptions {
  /**
   * `postgres://user:password@host1:5432,host2:5432/name`; the host that accepts writes is used, also after a failover.
   */
  readonly url: string
  /** Connections for transactions, and as many again for reads; 10 by default. */
  readonly poolSize?: number
  readonly applicationName?: string
  /** Connections of each pool that only `reserved` uses, at most a quarter; none by default. */
  readonly reserve?: number
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
  /**
   * The same database for work that must not wait behind ordinary calls: logins and checks of tokens. Ordinary calls
   * leave some connections of each pool to it.
   */
  readonly reserved: Database
  /** Calls `act` at each commit of this process that woke the channel; `listen` hears the other processes. */
  onWake(channel: string, act: () => void): void
  /** Whether calls wait and every connection that ordinary work may use is in use. */
  isCrowded(): boolean
  poolUse(): { readonly write: PoolUse; readonly read: PoolUse }
  close(): Promise<void>
}

const CONFLICT_RETRIES = 2
// Once only: a statement that crashes its server must not crash it repeatedly.
const LOST_CONNECTION_RETRIES = 1
const COMMITS_BY_ITSELF = { commitsByItself: true }
/** The client gives up this much later than the server should have, at least: then the server is gone. */
const LEAST_MARGIN_MS = 2000

export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000
  const observer = options.observer ?? {}
  const reportError = options.onBackgroundError ?? (() => {})
  const pools = openPrimaryPools({
    url: options.url,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    config: {
      application_name: options.applicationName ?? 'sealpost',
      max: options.poolSize ?? POOL_SIZE,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + Math.max(LEAST_MARGIN_MS, statementTimeoutMs / 3),
      lock_timeout: options.lockTimeoutMs ?? 5000,
      idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 30_000,
    },
    onIdleError: reportError,
    onPrimary: (host) => observer.primaryChosen?.(host),
  })
  const hasLostPrimary = (error: unknown) => isConnectionLost(error) || (pools.hasSeveralHosts && isWriteRefused(error))
  const lines = openPoolLines(options)
  const wakeUps = openWakeUps((channel) => runWrite(internals, (tx) => notify(tx, channel)))
  const internals: Internals = { pools, lines, observer, reportError, hasLostPrimary, wakeUps }
  const reserved: Database = databaseOf({ ...internals, lines: null }, () => reserved)
  return databaseOf(internals, () => reserved)
}

function databaseOf(internals: Internals, reserved: () => Database): Database {
  const { pools, lines, observer, wakeUps } = internals
  return {
    get reserved() {
      return reserved()
    },
    async transaction(work) {
      announceSlowCall('another transaction')
      return repeatWhenSafe(observer, internals.hasLostPrimary, () => runTransaction(internals, work)).catch(
        refuseStandby,
      )
    },
    async write(work) {
      announceSlowCall('another transaction')
      const run = (): ReturnType<typeof work> => runWrite(internals, work)
      return repeatWhenSafe(observer, internals.hasLostPrimary, run, COMMITS_BY_ITSELF).catch(refuseStandby)
    },
    async read(work) {
      announceSlowCall('a read on a second connection')
      return repeatWhenSafe(observer, isConnectionLost, () => runRead(internals, work))
    },
    onWake: (channel, act) => wakeUps.listen(channel, act),
    isCrowded: () => lines !== null && (lines.places.write.isCrowded || lines.places.read.isCrowded),
    poolUse: () => withLines(pools.poolUse(), lines),
    close: () => pools.close(),
  }
}

interface Internals {
  readonly pools: PrimaryPools
  /** Null for reserved work, which may use every connection. */
  readonly lines: PoolLines | null
  readonly observer: DatabaseObserver
  readonly reportError: (error: Error) => void
  /** This error means that another server, or a new connection, is needed. */
  readonly hasLostPrimary: (error: unknown) => boolean
  readonly wakeUps: WakeUps
}

async function repeatWhenSafe<T>(
  observer: DatabaseObserver,
  isLost: (error: unknown) => boolean,
  run: () => Promise<T>,
  { commitsByItself = false } = {},
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
      } else if (commitsByItself && (losses > 0 || isLost(error))) throw unknownOutcome(error)
      else throw failureOf(error)
    }
  }
}

/** The only server is a standby, or was told to refuse writes: for callers the database is away. */
function refuseStandby(error: unknown): never {
  if (!isWriteRefused(error)) throw error
  throw new DatabaseUnavailableError('the database takes no writes', { cause: error })
}

/** The server may still run a statement that was sent to it and whose connection broke. */
function unknownOutcome(cause: unknown): CommitOutcomeUnknownError {
  const message = 'the connection broke during a statement that commits by itself: it may have taken effect'
  return new CommitOutcomeUnknownError(message, { cause })
}

async function runTransaction<T>(internals: Internals, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client, release } = await acquire(internals, 'write')
  const began = performance.now()
  const scope = openTx(client, (channel) => internals.wakeUps.send(channel))
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
    await abandon(internals, { client, release }, error)
    ended(error instanceof CommitOutcomeUnknownError ? 'unknown' : 'rolled back')
    throw error
  }
  release()
  ended('committed')
  runAfterCommit(scope.afterCommit, internals.reportError)
  return result
}

async function runWrite<T>(internals: Internals, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client, release } = await acquire(internals, 'write')
  const scope = openTx(client, (channel) => internals.wakeUps.send(channel), 1)
  try {
    const result = await enterTransaction(() => work(scope.tx))
    release()
    runAfterCommit(scope.afterCommit, internals.reportError)
    return result
  } catch (error) {
    const isLost = internals.hasLostPrimary(error)
    if (isLost) internals.pools.distrust(client)
    release(isLost)
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
async function abandon(
  { pools, hasLostPrimary }: Internals,
  { client, release }: HeldClient,
  error: unknown,
): Promise<void> {
  if (error instanceof CommitOutcomeUnknownError || hasLostPrimary(error)) {
    pools.distrust(client)
    release(true)
    return
  }
  try {
    await client.query('ROLLBACK')
    release()
  } catch {
    release(true)
  }
}

async function runRead<T>(internals: Internals, work: (read: Read) => Promise<T>): Promise<T> {
  const { client, release } = await acquire(internals, 'read')
  const scope = openRead(client)
  try {
    const result = await work(scope.read)
    release()
    return result
  } catch (error) {
    const isLost = isConnectionLost(error)
    if (isLost) internals.pools.distrust(client)
    release(isLost)
    throw error
  } finally {
    scope.close()
  }
}

interface HeldClient {
  readonly client: PoolClient
  /** Closes the connection when it is broken. */
  readonly release: (isBroken?: boolean) => void
}

async function acquire({ pools, lines, observer }: Internals, use: Use): Promise<HeldClient> {
  const asked = performance.now()
  const leave = (await lines?.enter(use)) ?? (() => {})
  try {
    const client = await pools.acquire(use)
    observer.connectionAcquired?.((performance.now() - asked) / 1000)
    return {
      client,
      release(isBroken = false) {
        client.release(isBroken)
        leave()
      },
    }
  } catch (error) {
    leave()
    throw error
  }
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

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await database.read((read) => runStatement(read, 'select 1', []))
}
