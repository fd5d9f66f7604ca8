import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { demandEntitled, type Entitled } from './entitlement.ts'

const MOVED = instant(Date.UTC(2026, 4, 1))
const DAY_MS = 86_400_000
const after = (days: number) => instant(MOVED + days * DAY_MS)
const moved: Entitled = { kind: 'svc', level: 'free', levelChangedAt: MOVED }
const judge = (client: Entitled, days: number) => () => demandEntitled(client, after(days))

test('a data client keeps getting tokens for seven days after its company moved to free, then no more', () => {
  expect(judge(moved, 0)).not.toThrow()
  expect(judge(moved, 6.999)).not.toThrow()
  expect(judge(moved, 7)).toThrow(
    expect.objectContaining({ key: 'account.level_required', status: 400, details: { required_level: 'basic' } }),
  )
})

test('every other level, and every other kind of client, gets tokens', () => {
  for (const level of ['basic', 'pro', 'enterprise'] as const) {
    expect(judge({ ...moved, level }, 100)).not.toThrow()
  }
  for (const kind of ['acct', 'idw'] as const) expect(judge({ ...moved, kind }, 100)).not.toThrow()
})

test('a company that was never above free has no time to fetch anything', () => {
  expect(judge({ ...moved, levelChangedAt: null }, 0)).toThrow()
})
