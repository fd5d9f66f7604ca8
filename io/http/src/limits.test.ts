import { describe, expect, test } from 'vitest'
import type { LimitState } from './gates.ts'
import { limitHeader, limitPolicyHeader, limitRefusal } from './limits.ts'

const state: LimitState = {
  policy: 'changes',
  quota: 120,
  windowSeconds: 60,
  remaining: 117,
  resetSeconds: 30.2,
  retryAfterSeconds: 1,
  allowed: true,
}

describe('rate limits on the wire', () => {
  test('one item per bucket in both headers', () => {
    const states = [state, { ...state, policy: 'data', quota: 600, remaining: 0, resetSeconds: 1 } as const]
    expect(limitPolicyHeader(states)).toBe('"changes";q=120;w=60, "data";q=600;w=60')
    expect(limitHeader(states)).toBe('"changes";r=117;t=31, "data";r=0;t=1')
  })

  test('an empty bucket refuses until the slowest of them admits a request, at least a second', () => {
    expect(limitRefusal([state])).toBeNull()
    const refusal = limitRefusal([
      state,
      { ...state, allowed: false },
      { ...state, allowed: false, retryAfterSeconds: 45 },
    ])
    expect(refusal).toMatchObject({ key: 'rate.limited', status: 429, retryAfterSeconds: 45 })
    expect(limitRefusal([{ ...state, allowed: false, retryAfterSeconds: 0 }])).toMatchObject({ retryAfterSeconds: 1 })
  })

  test('messages have an error key of their own', () => {
    expect(limitRefusal([{ ...state, policy: 'broadcast', allowed: false }])).toMatchObject({
      key: 'messages.rate_limited',
    })
  })
})
