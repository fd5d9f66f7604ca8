import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { shownLifetime } from './shown-lifetime.ts'

const lifetime = { from: instant(1000), until: null }

test('a thread shows the broadcasts since its connection began, or after its copies were deleted', () => {
  expect(shownLifetime(lifetime, null)).toEqual(lifetime)
  expect(shownLifetime(lifetime, instant(999))).toEqual(lifetime)
  expect(shownLifetime(lifetime, instant(1000))).toEqual({ from: 1001, until: null })
  expect(shownLifetime({ ...lifetime, until: instant(3000) }, instant(2000))).toEqual({ from: 2001, until: 3000 })
})
