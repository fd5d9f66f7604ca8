import { runStatement, type Tx } from '@sealpost/postgres'
import { holdTransaction, untilBlocked } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { deleteFeed } from '../operations/delete-feed.ts'
import { acknowledge, release } from '../operations/drain.ts'
import { deleteQueue, recordOutcomes } from './index.ts'
import { leaseOf, openFeedFixture, type OpenedQueue, PROBE_DELAY_MS, type TestService } from './testing/queues.ts'

const fixture = await openFeedFixture()
const { clock } = fixture

/** Lets the leases of workers and pages expire. */
async function endLeases({ owner }: TestService): Promise<void> {
  const past = `clock_timestamp() - interval '1 second'`
  const channels = `update feed.channel set lease_until = ${past} where owner_id = $1 and lease_until is not null`
  const pages = `update feed.page set leased_until = ${past} where owner_id = $1 and leased_until is not null`
  await fixture.database.transaction(async (tx) => {
    for (const sql of [channels, pages]) await runStatement(tx, sql, [owner.serviceId])
  })
}

describe('two workers', () => {
  test('claim disjoint queues at the same time', async () => {
    const { service, worker } = await fixture.queue()
    const other = fixture.worker()
    for (let count = 0; count < 19; count += 1) await service.open()
    await service.append({})
    const few = { live: 12 }
    const claimed = await Promise.all([worker.claim(few), other.claim(few), worker.claim(few)])
    // A concurrent claim may have found all rows locked: the queues that the other one left are due.
    claimed.push(await other.claim(few))
    const names = claimed.flat().map(({ name }) => name.webhookId)
    expect([names.length, new Set(names).size]).toEqual([20, 20])
  })

  test('never hold one queue together: a lapsed lease goes to the other, and a late report of the first is ignored', async () => {
    const { service, queue, worker } = await fixture.queue()
    const other = fixture.worker()
    const ids = await service.append({}, {})
    const held = await worker.claimOne()
    expect(await other.claim()).toEqual([])
    await endLeases(service)
    const taken = await other.claimOne()
    expect(taken.token).toBe(held.token + 1)
    const late = await worker.report(held, { sent: { no: 1, outcome: 'delivered' } })
    expect(late).toMatchObject({ isMine: false, mayGoOn: false })
    expect((await other.read(taken)).events.map(({ id }) => id)).toEqual(ids)
    expect(await queue.explain()).toMatchObject({ cursor: 0 })
  })

  test('a late report counts if no other worker claimed the queue, and a repeated report changes nothing', async () => {
    const { service, queue, worker } = await fixture.queue()
    await service.append({}, {})
    const held = await worker.claimOne()
    await endLeases(service)
    const report = { sent: { no: 1, outcome: 'delivered' } } as const
    const first = await worker.report(held, report)
    expect(first).toMatchObject({ isMine: true, mayGoOn: true, leasedForMs: 30_000 })
    expect(await worker.report(held, report)).toMatchObject({ isMine: true, mayGoOn: true })
    expect(await queue.explain()).toMatchObject({ cursor: 1, state: 'running' })
    const failed = { sent: { no: 2, outcome: 'failed' } } as const
    expect(await worker.report(held, failed)).toMatchObject({ transition: { from: 'running', to: 'bad' } })
    const bad = await queue.explain()
    expect(await worker.report(held, failed)).toMatchObject({ isMine: false, transition: null })
    expect(await queue.explain()).toEqual(bad)
  })

  test('have separate slots for probes: many probes leave the slots of running queues free', async () => {
    const { service, worker } = await fixture.queue()
    const other = fixture.worker()
    for (let count = 0; count < 2; count += 1) await service.open()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(PROBE_DELAY_MS)
    const healthy = fixture.service()
    const running = [await healthy.open(), await healthy.open()]
    await healthy.append({})
    const claimed = await worker.claim({ live: 2, probes: 1 })
    expect(claimed.map(({ state }) => state).toSorted()).toEqual(['running', 'running', 'unknown'])
    const names = new Set(claimed.map(({ name }) => name.webhookId))
    expect(running.every(({ name }) => names.has(name.webhookId))).toBe(true)
    const rest = (await other.claim({ live: 10, probes: 10 })).filter(
      ({ name }) => name.serviceId === service.owner.serviceId,
    )
    expect(rest.length).toBeGreaterThanOrEqual(2)
  })
})

describe('an event that is appended while its queue is released', () => {
  test('is seen by the worker that releases it', async () => {
    const { service, worker } = await fixture.queue()
    await service.append({})
    const held = await worker.claimOne()
    const { scannedTo, blockedForMs } = await worker.read(held)
    await service.append({})
    const end = { scannedTo, blockedForMs }
    expect(await worker.report(held, { sent: { no: 1, outcome: 'delivered' }, end })).toMatchObject({ mayGoOn: true })
    expect((await worker.read(held)).events.map(({ no }) => no)).toEqual([2])
  })

  test('is seen by the next claim, which waits for the release', async () => {
    const { service, worker } = await fixture.queue()
    await service.append({})
    const held = await worker.claimOne()
    const { name, channel, token, epoch } = held
    const report = { name, channel, token, epoch, isRelease: false }
    const end = { scannedTo: 1, blockedForMs: null }
    const recording = await holdTransaction(fixture.database, async (tx) => {
      const sent = { no: 1, outcome: 'delivered' } as const
      const [recorded] = await recordOutcomes({ clock, probeDelayMs: PROBE_DELAY_MS }, tx, [{ ...report, sent, end }])
      expect(recorded).toMatchObject({ mayGoOn: false })
    })
    await service.append({})
    const next = await untilBlocked(fixture.database, worker.claim({ live: 10, probes: 10 }))
    expect(next.isOver).toBe(false)
    await recording.finish()
    expect((await next.result).map(({ name: { webhookId } }) => webhookId)).toEqual([name.webhookId])
  })
})

describe('a manual drain', () => {
  test('skips the event that a worker may be sending, and the worker waits for the leased ones', async () => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {}, {})
    await queue.change({ command: 'resume' })
    const held = await worker.claimOne()
    expect((await worker.read(held)).events).toHaveLength(3)
    const page = await queue.drain()
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    const recorded = await worker.report(held, { sent: { no: 1, outcome: 'delivered' } })
    expect(recorded).toMatchObject({ mayGoOn: true, state: 'running', epoch: held.epoch + 1 })
    const next = { ...held, epoch: recorded.epoch }
    const batch = await worker.read(next)
    expect(batch).toMatchObject({ events: [], scannedTo: 1, blockedForMs: expect.any(Number) })
    const { scannedTo, blockedForMs } = batch
    expect(await worker.report(next, { end: { scannedTo, blockedForMs } })).toMatchObject({ mayGoOn: false })
    expect(await worker.claim()).toEqual([])
    await release(fixture.feed, leaseOf(page))
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(1))
  })

  test('that was answered removes its events from the queue', async () => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {}, {})
    const page = await queue.drain({ limit: 2 })
    await acknowledge(fixture.feed, leaseOf(page))
    expect(await queue.explain()).toMatchObject({ backlogCount: 1, cursor: 2 })
    await queue.change({ command: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(2))
  })

  test('whose process died frees its events when its lease ends', async () => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {})
    await queue.drain({ limit: 1 })
    await queue.change({ command: 'resume' })
    expect(await worker.run()).toEqual([])
    await endLeases(service)
    clock.advance(60_000)
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('does not swallow replayed events that its page skipped as collapsed', async () => {
    const { service, queue, worker } = await fixture.queue()
    await queue.change({ command: 'pause' })
    const since = fixture.clock.now()
    const ids = await service.append({ key: 'k' }, { key: 'k' })
    const page = await queue.drain()
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    await queue.change({ command: 'replay', since })
    await acknowledge(fixture.feed, leaseOf(page))
    await queue.change({ command: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(0, 1))
  })
})

describe('a webhook that is deleted while a worker holds its queue', () => {
  test.each([
    ['with its service', (tx: Tx, { service }: OpenedQueue) => deleteFeed(fixture.feed, tx, service.owner)],
    ['alone, with its backlog [HOOK-30]', (tx: Tx, { queue }: OpenedQueue) => deleteQueue(tx, queue.name)],
  ])('%s', async (_how, remove) => {
    const opened = await fixture.queue()
    const { service, queue, worker } = opened
    await service.append({}, {})
    const held = await worker.claimOne()
    await fixture.database.transaction<unknown>((tx) => remove(tx, opened))
    expect(await worker.report(held, { sent: { no: 1, outcome: 'delivered' } })).toMatchObject({ isMine: false })
    await service.append({})
    expect(await worker.claim()).toEqual([])
    await expect(queue.drain()).rejects.toThrow(expect.objectContaining({ key: 'services.webhook_not_found' }))
    const left = (table: string) =>
      fixture.database.read((read) =>
        runStatement(read, `select 1 from feed.${table} where owner_id = $1`, [service.owner.serviceId]),
      )
    expect([await left('subscription'), await left('page')]).toEqual([[], []])
  })
})
