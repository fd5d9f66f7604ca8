import { runStatement, type Tx } from '@sealpost/postgres'
import { openTables } from '@sealpost/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { feedMigrations } from '../migrations.ts'
import type { Page } from '../model.ts'
import { deleteFeed } from '../operations/delete-feed.ts'
import { acknowledge, release, drainPage } from '../operations/drain.ts'
import { claimQueues, type ClaimedQueue, deleteQueue, recordOutcomes } from './index.ts'
import {
  PROBE_DELAY_MS,
  openFeedFixture,
  openTestService,
  openTestWorker,
  type TestQueue,
  type TestService,
  type TestWorker,
} from './testing/queues.ts'

const tables = await openTables('feed', feedMigrations)
const fixture = openFeedFixture(tables)
const { clock } = tables
let service: TestService
let queue: TestQueue
let worker: TestWorker
let other: TestWorker

beforeEach(async () => {
  service = openTestService(fixture)
  queue = await service.open()
  worker = openTestWorker(fixture)
  other = openTestWorker(fixture)
})

const wait = 10_000

async function claimOne(by: TestWorker = worker): Promise<ClaimedQueue> {
  const [held, ...more] = await by.claim()
  if (held === undefined || more.length > 0) throw new Error('expected exactly one claimed queue')
  return held
}

async function drain(limit = 10): Promise<Page> {
  const { owner } = service
  const request = { owner, limit, listener: null, webhookId: queue.name.webhookId, attemptId: null }
  return drainPage(fixture.feed, request)
}

function leaseOf({ lease }: Page): NonNullable<Page['lease']> {
  if (lease === null) throw new Error('no event was leased')
  return lease
}

async function openTransaction(work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const [opened, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = fixture.database.transaction(async (tx) => {
    await work(tx)
    opened.resolve()
    await finished.promise
  })
  await Promise.race([opened.promise, done])
  return async () => {
    finished.resolve()
    await done
  }
}

/** Lets the leases of workers and pages expire. */
async function endLeases(): Promise<void> {
  const past = `clock_timestamp() - interval '1 second'`
  const channels = `update feed.channel set lease_until = ${past} where owner_id = $1 and lease_until is not null`
  const pages = `update feed.page set leased_until = ${past} where owner_id = $1 and leased_until is not null`
  await fixture.database.transaction(async (tx) => {
    for (const sql of [channels, pages]) await runStatement(tx, sql, [service.owner.serviceId])
  })
}

async function untilWaiting(count: number): Promise<void> {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waiting = () => fixture.database.read((read) => runStatement(read, sql, []))
  await expect.poll(waiting, { timeout: wait }).toHaveLength(count)
}

describe('two workers', () => {
  test('claim disjoint queues at the same time', async () => {
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
    const ids = await service.append({}, {})
    const held = await claimOne()
    expect(await other.claim()).toEqual([])
    await endLeases()
    const taken = await claimOne(other)
    expect(taken.token).toBe(held.token + 1)
    const late = await worker.report(held, { sent: { no: 1, outcome: 'delivered' } })
    expect(late).toMatchObject({ isMine: false, mayGoOn: false })
    expect((await other.read(taken)).events.map(({ id }) => id)).toEqual(ids)
    expect(await queue.explain()).toMatchObject({ cursor: 0 })
  })

  test('a late report counts if no other worker claimed the queue, and a repeated report changes nothing', async () => {
    await service.append({}, {})
    const held = await claimOne()
    await endLeases()
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
    for (let count = 0; count < 2; count += 1) await service.open()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(PROBE_DELAY_MS)
    const healthy = openTestService(fixture)
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
    await service.append({})
    const held = await claimOne()
    const { scannedTo, blockedForMs } = await worker.read(held)
    await service.append({})
    const end = { scannedTo, blockedForMs }
    expect(await worker.report(held, { sent: { no: 1, outcome: 'delivered' }, end })).toMatchObject({ mayGoOn: true })
    expect((await worker.read(held)).events.map(({ no }) => no)).toEqual([2])
  })

  test('is seen by the next claim, which waits for the release', async () => {
    await service.append({})
    const held = await claimOne()
    const { name, channel, token, epoch } = held
    const report = { name, channel, token, epoch, isRelease: false }
    const end = { scannedTo: 1, blockedForMs: null }
    const commit = await openTransaction(async (tx) => {
      const sent = { no: 1, outcome: 'delivered' } as const
      const [recorded] = await recordOutcomes({ clock, probeDelayMs: PROBE_DELAY_MS }, tx, [{ ...report, sent, end }])
      expect(recorded).toMatchObject({ mayGoOn: false })
    })
    await service.append({})
    const next = fixture.database.transaction((tx) => claimQueues({ clock }, tx, { live: 10, probes: 10 }))
    await untilWaiting(1)
    await commit()
    expect((await next).map(({ name: { webhookId } }) => webhookId)).toEqual([name.webhookId])
  })
})

describe('a manual drain', () => {
  test('skips the event that a worker may be sending, and the worker waits for the leased ones', async () => {
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {}, {})
    await queue.change({ command: 'resume' })
    const held = await claimOne()
    expect((await worker.read(held)).events).toHaveLength(3)
    const page = await drain()
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
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {}, {})
    const page = await drain(2)
    await acknowledge(fixture.feed, leaseOf(page))
    expect(await queue.explain()).toMatchObject({ backlogCount: 1, cursor: 2 })
    await queue.change({ command: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(2))
  })

  test('whose process died frees its events when its lease ends', async () => {
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {})
    await drain(1)
    await queue.change({ command: 'resume' })
    expect(await worker.run()).toEqual([])
    await endLeases()
    clock.advance(60_000)
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('does not swallow replayed events that its page skipped as collapsed', async () => {
    await queue.change({ command: 'pause' })
    const since = fixture.clock.now()
    const ids = await service.append({ key: 'k' }, { key: 'k' })
    const page = await drain()
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    await queue.change({ command: 'replay', since })
    await acknowledge(fixture.feed, leaseOf(page))
    await queue.change({ command: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(0, 1))
  })
})

describe('a webhook that is deleted while a worker holds its queue', () => {
  test.each([
    ['with its service', () => fixture.database.transaction((tx) => deleteFeed(fixture.feed, tx, service.owner))],
    ['alone, with its backlog [HOOK-30]', () => fixture.database.transaction((tx) => deleteQueue(tx, queue.name))],
  ])('%s', async (_how, remove) => {
    await service.append({}, {})
    const held = await claimOne()
    await remove()
    expect(await worker.report(held, { sent: { no: 1, outcome: 'delivered' } })).toMatchObject({ isMine: false })
    await service.append({})
    expect(await worker.claim()).toEqual([])
    await expect(drain()).rejects.toThrow(expect.objectContaining({ key: 'services.webhook_not_found' }))
    const left = (table: string) =>
      fixture.database.read((read) =>
        runStatement(read, `select 1 from feed.${table} where owner_id = $1`, [service.owner.serviceId]),
      )
    expect([await left('subscription'), await left('page')]).toEqual([[], []])
  })
})
