import { expect, test } from 'vitest'
import { causeOf, hostOf } from './stale-cause.ts'

test.each([
  ['failing', 'open', 'bad', true],
  ['probing', 'open', 'unknown', true],
  ['waiting', 'open', 'running', true],
  ['paused', 'paused', 'bad', true],
  ['disabled', 'disabled', 'bad', false],
  ['suspended', 'disabled', 'bad', true],
] as const)('%s: flow %s, state %s, enabled %s', (cause, flow, state, isEnabled) => {
  expect(causeOf({ alert: 'hourly', flow, state }, isEnabled)).toBe(cause)
})

test('over: a loss is reported although the queue runs again', () => {
  expect(causeOf({ alert: 'purged', flow: 'open', state: 'running' }, true)).toBe('over')
})

test('an alert contains only the host of a URL', () => {
  expect(hostOf('https://hooks.example:8443/path?token=hush')).toBe('hooks.example:8443')
  expect(hostOf('https://user:hush@hooks.example/')).toBe('hooks.example')
})
