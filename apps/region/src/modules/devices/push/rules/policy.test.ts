import { instant } from '@sealpost/kernel'
import { hintKinds, isHintKind } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { endOf, policyOf, topicOf } from './policy.ts'

test('a challenge is urgent and lives as long as it can be answered', () => {
  const policy = policyOf('challenge_raised')
  expect(policy?.urgency).toBe('high')
  if (policy === null) throw new Error('challenges are pushed')
  expect(endOf(policy, instant(1000), instant(61_000))).toBe(61_000)
  expect(endOf(policy, instant(1000), undefined)).toBe(301_000)
})

test('every kind has a policy, and topics fit the limit of push services', () => {
  for (const kind of Object.keys(hintKinds)) expect(isHintKind(kind) && policyOf(kind)).not.toBe(false)
  expect(topicOf('0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')).toMatch(/^[\w-]{32}$/)
})
