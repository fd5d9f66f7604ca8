import {
  ContentMismatchError,
  EnvelopeError,
  FlowError,
  isSealpostError,
  KeyChangedError,
  NetworkError,
  PluginError,
  SealingError,
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
    const { key, status, requestId, retryAfterSeconds } = error
    return { kind: 'refused', key, requestId, retryAfterSeconds, isPassing: status >= 500 || status === 429 }
  }
  if (error instanceof NetworkError) return { kind: 'offline' }
  if (error instanceof UntrustedAnswerError) return { kind: 'untrusted', reason: error.reason }
  if (error instanceof KeyChangedError) return { kind: 'untrusted', reason: 'key_changed' }
  if (error instanceof ValueError)
    return { kind: 'invalid', problems: error.problems.map(({ path, reason }) => ({ path, reason })) }
  if (error instanceof SealingError) return sealingFailure(error.refusal)
  if (error instanceof EnvelopeError || error instanceof ContentMismatchError) return CANNOT_OPEN
  if (error instanceof FlowError) return { kind: 'own', key: `flow_${error.reason}` }
  if (error instanceof PluginError) return { kind: 'own', key: `plugin_${error.reason}` }
  if (error instanceof VaultError) return { kind: 'own', key: error.refusal }
  if (error instanceof UnexpectedAnswerError && error.status >= 500) return { kind: 'offline' }
  return { kind: 'unexpected', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
}

/** Sealed to another key, or damaged on its way: nothing of it is shown. */
const CANNOT_OPEN: Failure = { kind: 'own', key: 'cannot_open' }
const OF_CONTENT: ReadonlySet<string> = new Set(['damaged', 'not_a_wrapper', 'not_text', 'wrong_key'])

/** Otherwise a key that the server handed out cannot be used: values of this device are valid before they are sealed. */
function sealingFailure(refusal: string): Failure {
  return OF_CONTENT.has(refusal) ? CANNOT_OPEN : { kind: 'untrusted', reason: refusal }
}
