import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { causeOf, hostOf, lossOf } from './rules.ts'

test.each([
  ['failing', 'open', 'bad', true],
  ['probing', 'open', 'unknown', true],
  ['waiting', 'open', 'running', true],
  ['paused', 'paused', 'bad', true],
  ['disabled', 'disabled', 'bad', false],
  ['suspended', 'disabled', 'bad', true],
] as const)('%s: the flow is %s and the state %s, enabled %s', (cause, flow, state, isEnabled) => {
  expect(causeOf({ alert: 'hourly', flow, state }, isEnabled)).toBe(cause)
})

test('over: what was lost is told of although it runs again', () => {
  expect(causeOf({ alert: 'purged', flow: 'open', state: 'running' }, true)).toBe('over')
})

test('data is lost when the oldest row is 7 days old, and without rows never', () => {
  expect(lossOf(instant(1))).toBe(7 * 86_400_000 + 1)
  expect(lossOf(null)).toBeNull()
})

test('a host is all that is told of an address', () => {
  expect(hostOf('https://hooks.example:8443/path?token=hush')).toBe('hooks.example:8443')
  expect(hostOf('https://user:hush@hooks.example/')).toBe('hooks.example')
})
