import { EngineError, type EngineState } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { refusalOfEngine } from './engine-refusal.ts'

const refusal = (state: EngineState, outcome?: 'unknown') =>
  refusalOfEngine(
    new EngineError('the reason is for the log', { engine: 'database', state, ...(outcome && { outcome }) }),
  )

test('an engine that failed a call before anything was written: try again, later if it takes longer', () => {
  expect(refusal('busy')).toMatchObject({ key: 'platform.busy', status: 503, retryAfterSeconds: 1 })
  expect(refusal('away')).toMatchObject({ key: 'platform.busy', retryAfterSeconds: 5 })
  expect(refusal('full')).toMatchObject({ key: 'platform.busy', retryAfterSeconds: 30 })
  expect(refusal('full').message).toContain('nothing was written')
})

test('an engine that did not confirm: nothing is said about what was written', () => {
  expect(refusal('away', 'unknown')).toMatchObject({ key: 'region.unreachable', retryAfterSeconds: 5 })
  expect(refusal('away', 'unknown').message).not.toContain('nothing was written')
})
