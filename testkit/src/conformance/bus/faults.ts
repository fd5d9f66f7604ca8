import { expect, test } from 'vitest'
import { type BusSite, EU, US } from './site.ts'

export function describeFaults(site: () => BusSite): void {
  test('what was told while the other region was away arrives when it is back', async () => {
    const eu = await site().open(EU)
    let us = await site().open(US)
    await eu.tellNote(US, 'k', '1')
    await us.waitUntilHeard(1)
    await us.close()
    await eu.tellNote(US, 'k', '2')
    us = await site().open(US, { database: us.databaseName })
    expect(await us.waitUntilHeard(2)).toEqual(['1', '2'])
    await Promise.all([eu.close(), us.close()])
  })

  test('what an API process told is sent by the worker, also by one that starts later', async () => {
    const api = await site().open(EU, { roles: { relay: false, inbox: false } })
    const us = await site().open(US)
    await api.tellNote(US, 'k', '1')
    const worker = await site().open(EU, { database: api.databaseName })
    await us.waitUntilHeard(1)
    await api.tellNote(US, 'k', '2')
    expect(await us.waitUntilHeard(2)).toEqual(['1', '2'])
    await Promise.all([api.close(), worker.close(), us.close()])
  })

  test('a NATS server that dies and loses its store costs no tell and doubles none', async () => {
    const [eu, us] = [await site().open(EU), await site().open(US)]
    const expected = Array.from({ length: 300 }, (_, n) => `${n}`)
    const half = expected.length / 2
    for (const text of expected.slice(0, half)) await eu.tellNote(US, 'k', text)
    await site().nats.eu.kill()
    await site().nats.eu.wipe()
    for (const text of expected.slice(half)) await eu.tellNote(US, 'k', text)
    await site().nats.eu.start()
    expect(await us.waitUntilHeard(expected.length)).toEqual(expected)
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('a region starts, tells and closes while no NATS server can be reached, and loses nothing', async () => {
    await Promise.all([site().nats.eu.kill(), site().nats.us.kill()])
    const alone = await site().open(EU)
    await alone.tellNote(US, 'k', 'into the dark')
    await alone.close()
    await Promise.all([site().nats.eu.start(), site().nats.us.start()])
    const [eu, us] = [await site().open(EU, { database: alone.databaseName }), await site().open(US)]
    expect(await us.waitUntilHeard(1)).toEqual(['into the dark'])
    await Promise.all([eu.close(), us.close()])
  })

  test('a lane with a large backlog does not keep another one waiting', async () => {
    const eu = await site().open(EU)
    const backlog = 3000
    await eu.run(
      `insert into bus.lane (target, key, incarnation, last_seq, last_id, pending)
         select 'us', 'large', incarnation, ${backlog}, ('00000000-0000-7000-8000-' || lpad('${backlog}', 12, '0'))::uuid, true from bus.self`,
    )
    await eu.run(
      `insert into bus.outbox (partition, day, target, key, incarnation, seq, id, previous_id, kind, version, body, told_at)
         select 0, date '1970-01-01', 'us', 'large', incarnation, n, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
           case when n > 1 then ('00000000-0000-7000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid end,
           'test.note', 1, '{"text":"' || n || '"}', clock_timestamp() from bus.self, generate_series(1, ${backlog}) n`,
    )
    await eu.tellNote(US, 'small', 'hurry')
    const us = await site().open(US)
    await us.waitUntilHeard(1, 'small')
    expect((await us.heard('large')).length).toBeLessThan(backlog / 2)
    await us.waitUntilHeard(backlog, 'large')
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })
}
