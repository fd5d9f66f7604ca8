import { EngineError, type EngineOutcome, type EngineState } from '@sealpost/kernel'
import { DatabaseError } from 'pg'

/** PostgreSQL did not do its work. See `EngineError` for what callers are told. */
abstract class DatabaseFailure extends EngineError {
  constructor(message: string, state: EngineState, options?: ErrorOptions, outcome?: EngineOutcome) {
    super(message, { engine: 'database', state, ...(outcome === undefined ? {} : { outcome }) }, options)
  }
}

/** No server that accepts writes could be reached in time. Nothing was done; the call may be repeated later. */
export class DatabaseUnavailableError extends DatabaseFailure {
  override readonly name = 'DatabaseUnavailableError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'away', options)
  }
}

/** Every connection of the pool stayed in use for the whole waiting time. Nothing was done. */
export class PoolExhaustedError extends DatabaseFailure {
  override readonly name = 'PoolExhaustedError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'busy', options)
  }
}

/**
 * The server gave up waiting for a lock, ended a statement that took too long, or chose the same transaction as a
 * deadlock victim repeatedly. It has rolled everything back: nothing was done, and the call may be repeated later.
 */
export class DatabaseBusyError extends DatabaseFailure {
  override readonly name = 'DatabaseBusyError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'busy', options)
  }
}

/** The server has no disk space, memory or other resource left. It has rolled everything back: nothing was done. */
export class DatabaseFullError extends DatabaseFailure {
  override readonly name = 'DatabaseFullError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'full', options)
  }
}

/** A statement failed, its error was ignored, and the server answered COMMIT by rolling back. Nothing was written. */
export class TransactionAbortedError extends Error {
  override readonly name = 'TransactionAbortedError'
}

/**
 * The connection broke between sending COMMIT and receiving the answer. The transaction may or may not be durable, so
 * repeating it could do everything twice: only a caller with an idempotency key of its own can find out, by searching
 * for its rows.
 */
export class CommitOutcomeUnknownError extends DatabaseFailure {
  override readonly name = 'CommitOutcomeUnknownError'

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'away', options, 'unknown')
  }
}

/** The server reached is a standby, or has been told to refuse writes. */
export class NotPrimaryError extends Error {
  override readonly name = 'NotPrimaryError'
}

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
const LOCK_TIMEOUT = '55P03'
const STATEMENT_CANCELED = '57014'
const READ_ONLY_TRANSACTION = '25006'
const IDLE_IN_TRANSACTION_TIMEOUT = '25P03'
const TOO_MANY_CONNECTIONS = '53300'
const INSUFFICIENT_RESOURCES = /^53/
const SYSTEM_FAILURE = /^58/
const OPERATOR_INTERVENTION = /^57P0/
const CONNECTION_EXCEPTION = /^08/
const SYSTEM_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const NAME_LOOKUP_ERRORS = new Set(['ENOTFOUND', 'EAI_AGAIN'])
/** The bytes on the connection are not of PostgreSQL's protocol. */
const GARBLED = 'received invalid response'
// The driver throws these as plain errors; the live tests break if a new version words them differently.
const DRIVER_MESSAGES = ['Connection terminated', 'timeout expired', 'Query read timeout', GARBLED]
const NEVER_SENT_MESSAGES = ['Client has encountered a connection error', 'Client was closed']

/** Two transactions conflicted; the same work can simply be repeated. */
export function isConflict(error: unknown): boolean {
  const code = sqlState(error)
  return code === DEADLOCK || code === SERIALIZATION_FAILURE
}

/** Neither the work nor the connection is at fault: other transactions held locks for too long. */
export function isBusy(error: unknown): boolean {
  const code = sqlState(error)
  return code === LOCK_TIMEOUT || code === STATEMENT_CANCELED || isConflict(error)
}

/** The statement waited longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_TIMEOUT
}

/** The connection is unusable, or was never established. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== null) {
    const isFarewell = OPERATOR_INTERVENTION.test(code) || code === IDLE_IN_TRANSACTION_TIMEOUT
    return isFarewell || CONNECTION_EXCEPTION.test(code) || code === TOO_MANY_CONNECTIONS
  }
  if (!(error instanceof Error)) return false
  return isSystemError(error) || wasNeverSent(error) || startsWithAny(error, DRIVER_MESSAGES)
}

/** The statement was rolled back because the server lacks space, memory or another resource. */
export function isFull(error: unknown): boolean {
  const code = sqlState(error)
  return code !== null && code !== TOO_MANY_CONNECTIONS && INSUFFICIENT_RESOURCES.test(code)
}

/** The error for the caller when nothing more is tried: one of the classes above, or the error itself. */
export function failureOf(error: unknown): unknown {
  const reason = error instanceof Error ? error.message : String(error)
  if (isBusy(error))
    return new DatabaseBusyError(`the database was too busy for this call: ${reason}`, { cause: error })
  if (isFull(error)) return new DatabaseFullError(`the database has no room for this call: ${reason}`, { cause: error })
  if (isConnectionLost(error) || isSystemFailure(error))
    return new DatabaseUnavailableError(`the database failed this call: ${reason}`, { cause: error })
  return error
}

/** The server's own disk or files failed. */
function isSystemFailure(error: unknown): boolean {
  return SYSTEM_FAILURE.test(sqlState(error) ?? '')
}

/** The connection was known to be broken before the statement: the server cannot have seen it. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && startsWithAny(error, NEVER_SENT_MESSAGES)
}

/** A write was sent to a server that accepts none: it was demoted while we were connected to it. */
export function isWriteRefused(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_TRANSACTION
}

export function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}

function sqlState(error: unknown): string | null {
  return error instanceof DatabaseError ? (error.code ?? null) : null
}

function startsWithAny(error: Error, messages: readonly string[]): boolean {
  return messages.some((message) => error.message.startsWith(message))
}

function isSystemError(error: Error): boolean {
  // A name with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some((one) => one instanceof Error && isSystemError(one))
  const code = 'code' in error ? String(error.code) : ''
  return SYSTEM_ERRORS.has(code) || NAME_LOOKUP_ERRORS.has(code)
}
