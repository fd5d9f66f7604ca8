import { type ErrorCatalog, type ErrorDetails, type ErrorKey, errorEntry } from './catalog.ts'
import type { ErrorStatus } from './entry.ts'

/** A refusal for the caller: the only exception that may leave a route. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly key: ErrorKey
  readonly status: ErrorStatus
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(key: ErrorKey, details: Readonly<Record<string, unknown>>, options: RefusalOptions) {
    const entry = errorEntry(key)
    super(options.sentence ?? entry.sentence)
    this.key = key
    this.status = options.status ?? entry.status
    this.details = details
    this.retryAfterSeconds = options.retryAfterSeconds ?? entry.retryAfterSeconds
    this.headers = options.headers ?? {}
  }

  body(): Readonly<Record<string, unknown>> {
    return { error: this.message, error_key: this.key, ...this.details }
  }
}

export interface RefusalOptions {
  /** Replaces the catalog's sentence where the wire defines a reason. */
  readonly sentence?: string
  /** Answers with the key's `otherStatus`. */
  readonly status?: ErrorStatus
  readonly retryAfterSeconds?: number
  /** Set where the wire defines a header beside the body. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The keys whose bodies have members of their own. */
type DetailedKey = {
  [Key in ErrorKey]: ErrorCatalog[Key] extends { readonly details: unknown } ? Key : never
}[ErrorKey]

/** `throw refuse('region.rebase_required', { api_url })`: the compiler knows the keys and the members of each. */
export function refuse<Key extends DetailedKey>(
  key: Key,
  details: ErrorDetails<Key>,
  options?: RefusalOptions,
): ApiError
export function refuse(key: Exclude<ErrorKey, DetailedKey>, details?: undefined, options?: RefusalOptions): ApiError
export function refuse(
  key: ErrorKey,
  details: Readonly<Record<string, unknown>> = {},
  options: RefusalOptions = {},
): ApiError {
  return new ApiError(key, details, options)
}

/**
 * The body at `/oauth2/token`, `/oauth2/result` and `/oauth2/revoke`; an error without a code of RFC 6749 keeps the
 * house shape.
 */
export function oauthErrorBody(error: ApiError): Readonly<Record<string, unknown>> {
  const code = errorEntry(error.key).oauthError
  if (code === undefined) return error.body()
  return { error: code, error_description: error.message, error_key: error.key, ...error.details }
}
