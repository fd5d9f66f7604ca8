import type { TObject } from 'typebox'

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 421 | 422 | 429 | 500 | 502 | 503

/** The `error` member at `/oauth2/*`: the codes of RFC 6749. */
export type OAuthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_request'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'

/** The contract of one error key. `docs/errors.md` and the OpenAPI documents are printed from it. */
export interface ErrorEntry {
  readonly status: ErrorStatus
  /** Set only where the wire gives one key a second status. */
  readonly otherStatus?: ErrorStatus
  /** The sentence: the `error` member of the body unless the thrower gives a more precise one. */
  readonly sentence: string
  /** How the reader can resolve it; printed in the docs. */
  readonly remedy: string
  /** Further members of the body. */
  readonly details?: TObject
  /**
   * The OAuth code of a key that an OAuth endpoint answers in the shape of RFC 6749: `{error: <this>,
   * error_description, error_key}`.
   */
  readonly oauthError?: OAuthErrorCode
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** Keeps the literal keys and statuses while checking the shape. */
export function area<const Entries extends Record<string, ErrorEntry>>(entries: Entries): Entries {
  return entries
}
