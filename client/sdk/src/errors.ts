import type { ErrorDetailsByKey, ErrorKey } from './errors.generated.ts'

/** Known keys, for completion in editors, or any other string: the platform may add keys. */
type AnyKey = ErrorKey | (string & {})

export type ErrorDetails<Key extends string> = [Key] extends [ErrorKey]
  ? ErrorDetailsByKey[Key]
  : Readonly<Record<string, unknown>>

/** The platform refused. Switch on `key`, which is the reason; `details` are the further members of that error. */
export class SealpostError<Key extends string = AnyKey> extends Error {
  override readonly name = 'SealpostError'
  readonly key: Key
  readonly status: number
  readonly details: ErrorDetails<Key>
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
  /** The page about this error. */
  readonly helpUrl: string | undefined

  constructor(sentence: string, refusal: Refusal<Key>) {
    super(`${sentence} (${refusal.key}, request ${refusal.requestId})`)
    this.key = refusal.key
    this.status = refusal.status
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterSeconds = refusal.retryAfterSeconds
    this.helpUrl = refusal.helpUrl
  }
}

export interface Refusal<Key extends string> {
  readonly key: Key
  readonly status: number
  readonly details: ErrorDetails<Key>
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
  readonly helpUrl?: string | undefined
}

/** No answer: no connection, a broken one, or a timeout. `cause` is the error of `fetch`. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly requestId: string

  constructor(message: string, requestId: string, cause: unknown) {
    super(`${message} (request ${requestId})`, { cause })
    this.requestId = requestId
  }
}

/** An answer that the platform does not give: a proxy's page, a redirect, another version. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, answer: Pick<Refusal<string>, 'status' | 'requestId' | 'retryAfterSeconds'>) {
    super(`${message} (request ${answer.requestId})`)
    this.status = answer.status
    this.requestId = answer.requestId
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** `if (isSealpostError(error, 'rate.limited')) …` narrows `error`, its details included. */
export function isSealpostError(error: unknown): error is SealpostError
export function isSealpostError<Key extends ErrorKey>(error: unknown, key: Key): error is SealpostError<Key>
export function isSealpostError(error: unknown, key?: string): boolean {
  return error instanceof SealpostError && (key === undefined || error.key === key)
}
