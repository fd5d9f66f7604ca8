import type { ApiError } from './api-error.ts'
import { errorEntry } from './catalog.ts'

/**
 * The body at `/oauth2/token`, `/oauth2/result` and `/oauth2/revoke`; an error without a code of RFC 6749 keeps the
 * house shape.
 */
export function oauthErrorBody(error: ApiError): Readonly<Record<string, unknown>> {
  const code = errorEntry(error.key).oauthError
  if (code === undefined) return error.body()
  return { error: code, error_description: error.message, error_key: error.key, ...error.details }
}
