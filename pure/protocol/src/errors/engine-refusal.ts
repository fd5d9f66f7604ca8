import type { EngineError, EngineState } from '@sealpost/kernel'
import { type ApiError, refuse } from './api-error.ts'

/** A lock is free again soon, an engine that is away takes a restart or a failover, a full one an operator. */
const RETRY_AFTER_SECONDS = { busy: 1, away: 5, full: 30 } as const satisfies Record<EngineState, number>
const STATES = {
  busy: 'is too busy',
  away: 'cannot be reached',
  full: 'is full',
} as const satisfies Record<EngineState, string>

/** The answer to a call that an engine failed; the reason itself is for the log only. */
export function refusalOfEngine({ engine, state, outcome }: EngineError): ApiError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS[state]
  if (outcome === 'unknown') {
    const sentence = `The ${engine} did not confirm in time whether this call was stored`
    return refuse('region.unreachable', undefined, { sentence, retryAfterSeconds })
  }
  const sentence = `The ${engine} ${STATES[state]} right now; nothing was written`
  return refuse('platform.busy', undefined, { sentence, retryAfterSeconds })
}
