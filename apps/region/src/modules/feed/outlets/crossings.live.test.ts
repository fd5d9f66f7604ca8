import { runStatement, type Tx } from '@sealpost/postgres'
import { createTestDatabase, type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acknowledge, release, takePage } from '../drain.ts'
import { dropFeed } from '../drop.ts'
import { feedMigrations } from '../migrations.ts'
import type { TakenPage } from '../taken-page.ts'
import {
  GRACE_MS,
  openOutletPlace,
  openTestService,
  openTestWorker,
  type OutletPlace,
  type TestOutlet,
  type TestService,
  type TestWorker,
} from '../testing/outlets.ts'
import { claimOutlets, type ClaimedOutlet, dropOutlet, settleOutlets } from './index.ts'

let place: OutletPlace
let service: TestService
let outlet: TestOutlet
let worker: TestWorker
let other: TestWorker

let clock: FixedClock

beforeAll(async () => {
  clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())
beforeEach(async () => {
  service = openTestService(place)
  outlet = await service.open()
  worker = openTestWorker(place)
  other = openTestWorker(place)
})

const wait = 10_000

async function claimOne(by: TestWorker = worker): Promise<ClaimedOutlet> {
  const [held, ...more] = await by.claim()
  if (held === undefined || more.length > 0) throw new Error('not one was claimed')
  return held
}

async function take(limit = 10): Promise<TakenPage> {
  const { owner } = service
  const request = { owner, limit, listener: null, webhookId: outlet.name.webhookId, attemptId: null }
  return takePage(place.needs, request)
}

function leaseOf({ lease }: TakenPage): NonNullable<TakenPage['lease']> {
  if (lease === null) throw new Error('nothing was taken')
  return lease
}

async function hold(work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const [opened, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = place.database.transaction(async (tx) => {
    await work(tx)
    opened.resolve()
    await told.promise
  })
  await Promise.race([opened.promise, done])
  return async () => {
    told.resolve()
    await done
  }
}

/** As time passes: the leases of workers are over, those of pages too. */
async function endLeases(): Promise<void> {
  const past = `clock_timestamp() - interval '1 second'`
  const channels = `update feed.channel set lease_until = ${past} where owner_id = $1 and lease_until is not null`
  const pages = `update feed.page set leased_until = ${past} where owner_id = $1 and leased_until is not null`
  await place.database.transaction(async (tx) => {
    for (const sql of [channels, pages]) await runStatement(tx, sql, [service.owner.serviceId])
  })
}

async function untilWaiting(count: number): Promise<void> {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waiting = () => place.database.read((read) => runStatement(read, sql, []))
  await expect.poll(waiting, { timeout: wait }).toHaveLength(count)
}

describe('two workers', () => {
  test('that come at once share what is due, and nobody gets what another has', async () => {
    for (let count = 0; count < 19; count += 1) await service.open()
    await service.append({})
    const few = { live: 12 }
    const claimed = await Promise.all([worker.claim(few), other.claim(few), worker.claim(few)])
    // Whoever came while another was looking may have got nothing: what that one has no place for is due.
    claimed.push(await other.claim(few))
    const names = claimed.flat().map(({ name }) => name.webhookId)
    expect([names.length, new Set(names).size]).toEqual([20, 20])
  })

  test('never hold one webhook together: a lease that ran out goes to the next, and what the first says is too late', async () => {
    const ids = await service.append({}, {})
    const held = await claimOne()
    expect(await other.claim()).toEqual([])
    await endLeases()
    const taken = await claimOne(other)
    expect(taken.token).toBe(held.token + 1)
    const late = await worker.settle(held, { sent: { no: 1, outcome: 'delivered' } })
    expect(late).toMatchObject({ isMine: false, mayGoOn: false })
    expect((await other.read(taken)).events.map(({ id }) => id)).toEqual(ids)
    expect(await outlet.explain()).toMatchObject({ cursor: 0 })
  })

  test('a report that is late and finds nobody else counts, and one that comes twice changes nothing', async () => {
    await service.append({}, {})
    const held = await claimOne()
    await endLeases()
    const report = { sent: { no: 1, outcome: 'delivered' } } as const
    const first = await worker.settle(held, report)
    expect(first).toMatchObject({ isMine: true, mayGoOn: true, leasedForMs: 30_000 })
    expect(await worker.settle(held, report)).toMatchObject({ isMine: true, mayGoOn: true })
    expect(await outlet.explain()).toMatchObject({ cursor: 1, state: 'running' })
    const failed = { sent: { no: 2, outcome: 'failed' } } as const
    expect(await worker.settle(held, failed)).toMatchObject({ transition: { from: 'running', to: 'bad' } })
    const bad = await outlet.explain()
    expect(await worker.settle(held, failed)).toMatchObject({ isMine: false, transition: null })
    expect(await outlet.explain()).toEqual(bad)
  })

  test('keep to their shares: many that have to be tried leave the running ones their places', async () => {
    for (let count = 0; count < 2; count += 1) await service.open()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(GRACE_MS)
    const well = openTestService(place)
    const running = [await well.open(), await well.open()]
    await well.append({})
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

describe('an event that comes while its webhook is let go', () => {
  test('is seen by the worker who lets go', async () => {
    await service.append({})
    const held = await claimOne()
    const { lookedTo, blockedForMs } = await worker.read(held)
    await service.append({})
    const end = { lookedTo, blockedForMs }
    expect(await worker.settle(held, { sent: { no: 1, outcome: 'delivered' }, end })).toMatchObject({ mayGoOn: true })
    expect((await worker.read(held)).events.map(({ no }) => no)).toEqual([2])
  })

  test('or by the next one who looks, who waits until it is let go', async () => {
    await service.append({})
    const held = await claimOne()
    const { name, channel, token, epoch } = held
    const report = { name, channel, token, epoch, isRelease: false }
    const end = { lookedTo: 1, blockedForMs: null }
    const commit = await hold(async (tx) => {
      const sent = { no: 1, outcome: 'delivered' } as const
      const [settled] = await settleOutlets(tx, { clock, graceMs: GRACE_MS }, [{ ...report, sent, end }])
      expect(settled).toMatchObject({ mayGoOn: false })
    })
    await service.append({})
    const next = place.database.transaction((tx) => claimOutlets(tx, { clock }, { live: 10, probes: 10 }))
    await untilWaiting(1)
    await commit()
    expect((await next).map(({ name: { webhookId } }) => webhookId)).toEqual([name.webhookId])
  })
})

describe('a drain by hand', () => {
  test('leaves the event that a worker may be sending, and the worker waits for those that it took', async () => {
    await outlet.change({ act: 'pause' })
    const ids = await service.append({}, {}, {})
    await outlet.change({ act: 'resume' })
    const held = await claimOne()
    expect((await worker.read(held)).events).toHaveLength(3)
    const page = await take()
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    const settled = await worker.settle(held, { sent: { no: 1, outcome: 'delivered' } })
    expect(settled).toMatchObject({ mayGoOn: true, state: 'running', epoch: held.epoch + 1 })
    const next = { ...held, epoch: settled.epoch }
    const batch = await worker.read(next)
    expect(batch).toMatchObject({ events: [], lookedTo: 1, blockedForMs: expect.any(Number) })
    const { lookedTo, blockedForMs } = batch
    expect(await worker.settle(next, { end: { lookedTo, blockedForMs } })).toMatchObject({ mayGoOn: false })
    expect(await worker.claim()).toEqual([])
    await release(place.needs, leaseOf(page))
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(1))
  })

  test('that got its answer out takes them off the webhook', async () => {
    await outlet.change({ act: 'pause' })
    const ids = await service.append({}, {}, {})
    const page = await take(2)
    await acknowledge(place.needs, leaseOf(page))
    expect(await outlet.explain()).toMatchObject({ backlogCount: 1, cursor: 2 })
    await outlet.change({ act: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(2))
  })

  test('whose process died gives them back when its lease is over', async () => {
    await outlet.change({ act: 'pause' })
    const ids = await service.append({}, {})
    await take(1)
    await outlet.change({ act: 'resume' })
    expect(await worker.run()).toEqual([])
    await endLeases()
    clock.advance(60_000)
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('and a replay: what the page passes over as collapsed comes all the same', async () => {
    await outlet.change({ act: 'pause' })
    const since = place.clock.now()
    const ids = await service.append({ key: 'k' }, { key: 'k' })
    const page = await take()
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    await outlet.change({ act: 'replay', since })
    await acknowledge(place.needs, leaseOf(page))
    await outlet.change({ act: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids.slice(0, 1))
  })
})

describe('a webhook that goes while a worker holds it', () => {
  test.each([
    ['with its service', () => place.database.transaction((tx) => dropFeed(tx, place.needs, service.owner))],
    ['alone, with its backlog [HOOK-30]', () => place.database.transaction((tx) => dropOutlet(tx, outlet.name))],
  ])('%s', async (_how, drop) => {
    await service.append({}, {})
    const held = await claimOne()
    await drop()
    expect(await worker.settle(held, { sent: { no: 1, outcome: 'delivered' } })).toMatchObject({ isMine: false })
    await service.append({})
    expect(await worker.claim()).toEqual([])
    await expect(take()).rejects.toThrow(expect.objectContaining({ key: 'services.webhook_not_found' }))
    const left = (table: string) =>
      place.database.read((read) =>
        runStatement(read, `select 1 from feed.${table} where owner_id = $1`, [service.owner.serviceId]),
      )
    expect([await left('subscription'), await left('page')]).toEqual([[], []])
  })
})
