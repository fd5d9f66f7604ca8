import { expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { type BusSite, EU, US } from './site.ts'

const WAIT_MS = 20_000

export function describeTells(site: () => BusSite): void {
  test('tells of one key are applied in the order of their commits, keys side by side', async () => {
    const eu = await site().open(EU)
    const us = await site().open(US)
    const keys = ['a', 'b', 'c']
    for (let n = 1; n <= 40; n += 1) await Promise.all(keys.map((key) => eu.tellNote(US, key, `${n}`)))
    await us.waitUntilHeard(120)
    const expected = Array.from({ length: 40 }, (_, n) => `${n + 1}`)
    for (const key of keys) expect(await us.heard(key)).toEqual(expected)
    await waitUntil('everything is confirmed', WAIT_MS, async () => (await pending(eu)) === 0)
    await Promise.all([eu.close(), us.close()])
  })
}

async function pending(party: Awaited<ReturnType<BusSite['open']>>): Promise<number> {
  return (await party.rows('select 1 from bus.lane where pending')).length
}
