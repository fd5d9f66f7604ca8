import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { requireEntitled, type Entitled } from './entitlement.ts'

const MOVED = instant(Date.UTC(2026, 4, 1))
const DAY_MS = 86_400_000
const after = (days: number) => instant(MOVED + days * DAY_MS)
const moved: Entitled = { kind: 'svc', level: 'free', levelChangedAt: MOVED }
const requiring = (client: Entitled, days: number) => () => requireEntitled(client, after(days))

test('a data client gets tokens for seven days after its company moved to free, then no more', () => {
  expect(requiring(moved, 0)).not.toThrow()
  expect(requiring(moved, 6.999)).not.toThrow()
  expect(requiring(moved, 7)).toThrow(
    expect.objectContaining({ key: 'account.level_required', status: 400, details: { required_level: 'basic' } }),
  )
})

test('other levels and other kinds of clients get tokens', () => {
  for (const level of ['basic', 'pro', 'enterprise'] as const) {
    expect(requiring({ ...moved, level }, 100)).not.toThrow()
  }
  for (const kind of ['acct', 'idw'] as const) expect(requiring({ ...moved, kind }, 100)).not.toThrow()
})

test('a company that was always on free gets no grace period', () => {
  expect(requiring({ ...moved, levelChangedAt: null }, 0)).toThrow()
})
