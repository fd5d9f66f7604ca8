import { instant, type UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { Family, SessionToken } from '../store/sessions.ts'
import { DAY_MS, validateRefresh, slidingEnd } from './refresh.ts'

const NOW = instant(1_777_000_000_000)
const at = (ms: number) => instant(NOW + ms)

function validate(
  token: Partial<SessionToken>,
  family: Partial<Family> = {},
  userType: 'person' | 'company' = 'person',
) {
  const found = {
    token: { hash: new Uint8Array(), replacedAt: null, successorKeyId: null, ...token },
    family: {
      id: 'family',
      userId: 'user' as UserId,
      userType: 'person' as const,
      deviceId: null,
      expiresAt: at(1000),
      endsAt: at(1000),
      actingRegions: [],
      revokedAt: null,
      ...family,
    },
  }
  return validateRefresh(found, userType, NOW)
}

test.each([
  ['the newest token', {}, 'rotate'],
  ['one that was replaced just now', { replacedAt: NOW }, 'repeat'],
  ['one that was replaced ten seconds ago', { replacedAt: at(-10_000) }, 'repeat'],
  ['one that was replaced longer ago', { replacedAt: at(-10_001) }, 'replay'],
] as const)('%s', (_what, token, verdict) => {
  expect(validate(token)).toBe(verdict)
  // In a family that has ended, any token is expired.
  for (const ended of [{ expiresAt: NOW }, { endsAt: NOW }, { revokedAt: at(-1) }]) {
    expect(validate(token, ended)).toBe('expired')
  }
  expect(validate(token, {}, 'company')).toBe('expired')
})

test('every use moves the expiry, never past the end of the family', () => {
  expect(slidingEnd(NOW, 30, at(90 * DAY_MS))).toBe(at(30 * DAY_MS))
  expect(slidingEnd(NOW, 30, at(7 * DAY_MS))).toBe(at(7 * DAY_MS))
})
