import type { ConnectionId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { matchShares } from './shares.ts'

test('every live slot needs exactly one share', () => {
  const slot = (id: string, slug: string) => ({ connectionId: id as ConnectionId, slug })
  const live = [slot('one', 'email'), slot('two', 'email')]
  expect(matchShares(live, [...live].toReversed())).toEqual({ missing: [], unknown: [] })
  expect(matchShares(live, [slot('one', 'email')])).toEqual({ missing: [slot('two', 'email')], unknown: [] })
  const odd = [slot('one', 'email'), slot('one', 'email'), slot('one', 'phone'), slot('two', 'email')]
  expect(matchShares(live, odd)).toEqual({ missing: [], unknown: [1, 2] })
})
