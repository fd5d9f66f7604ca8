import {
  isSealpostError,
  KeyChangedError,
  NetworkError,
  UnexpectedAnswerError,
  UntrustedAnswerError,
  ValueError,
} from '@sealpost/sdk'
import { type Failure, FailureError } from '@sealpost/ui/failure'
import { VaultError } from '@sealpost/vault'

/** An error of the SDK as plain data for the page. */
export function workerFailure(error: unknown): Failure {
  if (error instanceof FailureError) return error.failure
  if (isSealpostError(error)) {
    const { key, requestId, retryAfterSeconds } = error
    return { kind: 'refused', key, requestId, retryAfterSeconds }
  }
  if (error instanceof NetworkError) return { kind: 'offline' }
  if (error instanceof UntrustedAnswerError) return { kind: 'untrusted', reason: error.reason }
  if (error instanceof KeyChangedError) return { kind: 'untrusted', reason: 'key_changed' }
  if (error instanceof ValueError)
    return { kind: 'invalid', problems: error.problems.map(({ path, reason }) => ({ path, reason })) }
  if (error instanceof VaultError) return { kind: 'own', key: error.refusal }
  if (error instanceof UnexpectedAnswerError && error.status >= 500) return { kind: 'offline' }
  return { kind: 'unexpected', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
}
