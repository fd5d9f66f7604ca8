import { expect, test } from 'vitest'
import { findCovered } from './covered.ts'

const [one, other] = ['019b0000-0000-7000-8000-000000000001', '019b0000-0000-7000-8000-000000000002']

test.each(['flow', 'field', 'claim'] as const)('a pass of the kind %s asks its plugins and refreshes none', (kind) => {
  const pass = { kind, pluginIds: [one] }
  expect(findCovered(pass, 'call', one)).toEqual({ ok: true, value: one })
  expect(findCovered(pass, 'call', other)).toEqual({ ok: false, refusal: 'plugin.not_in_pass' })
  expect(findCovered(pass, 'registry', one)).toEqual({ ok: false, refusal: 'plugin.not_in_pass' })
})

test('a registry pass refreshes its plugins and asks none', () => {
  const pass = { kind: 'registry', pluginIds: [one] } as const
  expect(findCovered(pass, 'registry', one)).toEqual({ ok: true, value: one })
  expect(findCovered(pass, 'call', one)).toEqual({ ok: false, refusal: 'plugin.not_in_pass' })
})
