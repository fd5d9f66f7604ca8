import { runStatement } from '@sealpost/postgres'
import { describe, expect, test } from 'vitest'
import { acknowledge, release } from '../operations/drain.ts'
import { leaseOf, openFeedFixture, PROBE_DELAY_MS, type TestQueue } from './testing/queues.ts'

const fixture = await openFeedFixture()
const { clock } = fixture

describe('a worker that waits for a manual drain', () => {
  test.each([
    ['was answered', acknowledge, 1],
    ['failed', release, 3],
  ])('continues at once when the drain %s, also during its own release', async (_how, end, left) => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    await service.append({}, {})
    const page = await queue.drain()
    await queue.change({ command: 'resume' })
    await service.append({})
    const held = await worker.claimOne()
    const { scannedTo, blockedForMs } = await worker.read(held)
    expect(blockedForMs).toEqual(expect.any(Number))
    await end(fixture.feed, leaseOf(page))
    const recorded = await worker.report(held, { end: { scannedTo, blockedForMs }, isRelease: true })
    expect(recorded).toMatchObject({ isMine: true })
    expect(await worker.run()).toHaveLength(left)
  })
})

describe('an attempt that is repeated after it was acknowledged', () => {
  test('does not remove events that a replay has brought back since', async () => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    const since = fixture.clock.now()
    const ids = await service.append({ key: 'k' }, { key: 'k' }, {})
    const page = await queue.drain({ attemptId: 'a' })
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    await acknowledge(fixture.feed, leaseOf(page))
    await queue.change({ command: 'replay', since })
    const again = await queue.drain({ attemptId: 'a' })
    expect([again.isRepeated, again.events.map(({ id }) => id)]).toEqual([true, ids.slice(1)])
    await acknowledge(fixture.feed, leaseOf(again))
    await queue.change({ command: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })
})

describe('queues whose worker died', () => {
  /** Lets their leases expire in this order. */
  async function endLeases(queues: readonly TestQueue[]): Promise<void> {
    const sql = `update feed.channel set lease_until = clock_timestamp() - make_interval(secs => $2) where webhook_id = $1`
    await fixture.database.transaction(async (tx) => {
      for (const [i, { name }] of queues.entries()) await runStatement(tx, sql, [name.webhookId, queues.length - i])
    })
  }

  test('and that must be probed take no slot of running ones', async () => {
    const { service, queue, worker } = await fixture.queue()
    const second = await service.open()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(PROBE_DELAY_MS)
    expect(await worker.claim()).toHaveLength(2)
    const healthy = fixture.service()
    const running = await healthy.open()
    await healthy.append({})
    expect(await worker.claim()).toHaveLength(1)
    await endLeases([queue, second, running])
    const claimed = await worker.claim({ live: 2, probes: 0 })
    expect(claimed.map(({ name }) => name.webhookId)).toEqual([running.name.webhookId])
  })
})

test('services that are always busy do not starve the others', async () => {
  const { service, worker } = await fixture.queue()
  const services = [service, ...Array.from({ length: 200 }, () => fixture.service())]
  for (const one of services.slice(1)) await one.open()
  const served = new Set<string>()
  for (let polls = 0; polls < 20 && served.size < services.length; polls += 1) {
    clock.advance(50)
    for (const one of services) await one.append({})
    for (const { name } of await worker.claim({ live: 1000 })) served.add(name.serviceId)
  }
  expect(served.size).toBe(services.length)
})
