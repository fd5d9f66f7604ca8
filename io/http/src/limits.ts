import { type ApiError, type RateClass, refuse } from '@sealpost/protocol'
import type { LimitState } from './gates.ts'

/** `RateLimit-Policy: "changes";q=120;w=60`, one item per bucket. */
export function limitPolicyHeader(states: readonly LimitState[]): string {
  return states.map((state) => `"${state.policy}";q=${state.quota};w=${state.windowSeconds}`).join(', ')
}

/** `RateLimit: "changes";r=117;t=31`, one item per bucket. */
export function limitHeader(states: readonly LimitState[]): string {
  return states.map((state) => `"${state.policy}";r=${state.remaining};t=${Math.ceil(state.resetSeconds)}`).join(', ')
}

/** The refusal for empty buckets, or null. The slowest bucket decides Retry-After. */
export function limitRefusal(states: readonly LimitState[]): ApiError | null {
  const empty = states.filter((state) => !state.allowed)
  const [first] = empty
  if (first === undefined) return null
  const retryAfterSeconds = Math.max(1, ...empty.map((state) => state.retryAfterSeconds))
  return refuse(limitKey(first.policy), undefined, { retryAfterSeconds })
}

function limitKey(policy: RateClass): 'rate.limited' | 'messages.rate_limited' {
  return policy === 'messages' || policy === 'broadcast' ? 'messages.rate_limited' : 'rate.limited'
}
