import { DatabaseError } from 'pg'

/** No server that accepts writes could be reached in time. Nothing was done; the call may be repeated later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** Every connection of the pool stayed in use for the whole waiting time. Nothing was done. */
export class PoolExhaustedError extends Error {
  override readonly name = 'PoolExhaustedError'
}

/**
 * The server gave up waiting for a lock, ended a statement that took too long, or chose the same transaction as a
 * deadlock victim repeatedly. It has rolled everything back: nothing was done, and the call may be repeated later.
 */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
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
export class CommitOutcomeUnknownError extends Error {
  override readonly name = 'CommitOutcomeUnknownError'
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
const OPERATOR_INTERVENTION = /^57P0/
const CONNECTION_EXCEPTION = /^08/
const SYSTEM_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
const NAME_LOOKUP_ERRORS = new Set(['ENOTFOUND', 'EAI_AGAIN'])
// The driver throws these as plain errors; the live tests break if a new version words them differently.
const DRIVER_MESSAGES = ['Connection terminated', 'timeout expired', 'Query read timeout']
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
