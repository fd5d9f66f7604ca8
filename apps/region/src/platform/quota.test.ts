import { expect, test } from 'vitest'
import { parseQuota } from './quota.ts'

test('a level without an entry has no limit', () => {
  expect(parseQuota('free=200, pro=20000')).toEqual({
    free: 209_715_200,
    basic: null,
    pro: 20_971_520_000,
    enterprise: null,
  })
  expect(parseQuota('')).toEqual({ free: null, basic: null, pro: null, enterprise: null })
})

test.each(['free', 'free=0', 'gold=5', 'free=-1', 'free=1.5'])('%s is refused', (text) => {
  expect(() => parseQuota(text)).toThrow('megabytes')
})
