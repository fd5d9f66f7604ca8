import { runStatement } from '@sealpost/postgres'
import { createTestDatabase, type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acknowledge, release, takePage } from '../drain.ts'
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
import type { ClaimedOutlet } from './index.ts'

let place: OutletPlace
let service: TestService
let outlet: TestOutlet
let worker: TestWorker

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
})

async function claimOne(): Promise<ClaimedOutlet> {
  const [held, ...more] = await worker.claim()
  if (held === undefined || more.length > 0) throw new Error('not one was claimed')
  return held
}

function take(attemptId: string | null = null): Promise<TakenPage> {
  const { owner } = service
  return takePage(place.needs, { owner, limit: 10, listener: null, webhookId: outlet.name.webhookId, attemptId })
}

function leaseOf({ lease }: TakenPage): NonNullable<TakenPage['lease']> {
  if (lease === null) throw new Error('nothing was taken')
  return lease
}

describe('a worker that waits for a drain by hand', () => {
  test.each([
    ['got its answer out', acknowledge, 1],
    ['did not get its answer out', release, 3],
  ])('goes on at once when the drain %s, also when that was while it let go', async (_how, end, left) => {
    await outlet.change({ act: 'pause' })
    await service.append({}, {})
    const page = await take()
    await outlet.change({ act: 'resume' })
    await service.append({})
    const held = await claimOne()
    const { lookedTo, blockedForMs } = await worker.read(held)
    expect(blockedForMs).toEqual(expect.any(Number))
    await end(place.needs, leaseOf(page))
    const settled = await worker.settle(held, { end: { lookedTo, blockedForMs }, isRelease: true })
    expect(settled).toMatchObject({ isMine: true })
    expect(await worker.run()).toHaveLength(left)
  })
})

describe('an attempt that is repeated after its events were taken off', () => {
  test('takes nothing off that a replay has brought back since', async () => {
    await outlet.change({ act: 'pause' })
    const since = place.clock.now()
    const ids = await service.append({ key: 'k' }, { key: 'k' }, {})
    const page = await take('a')
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(1))
    await acknowledge(place.needs, leaseOf(page))
    await outlet.change({ act: 'replay', since })
    const again = await take('a')
    expect([again.isRepeated, again.events.map(({ id }) => id)]).toEqual([true, ids.slice(1)])
    await acknowledge(place.needs, leaseOf(again))
    await outlet.change({ act: 'resume' })
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })
})

describe('webhooks whose holder died', () => {
  /** Their leases ran out in this order. */
  async function endLeases(outlets: readonly TestOutlet[]): Promise<void> {
    const sql = `update feed.channel set lease_until = clock_timestamp() - make_interval(secs => $2) where webhook_id = $1`
    await place.database.transaction(async (tx) => {
      for (const [i, { name }] of outlets.entries()) await runStatement(tx, sql, [name.webhookId, outlets.length - i])
    })
  }

  test('and that have to be tried first keep no place from those that run', async () => {
    const second = await service.open()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(GRACE_MS)
    expect(await worker.claim()).toHaveLength(2)
    const well = openTestService(place)
    const running = await well.open()
    await well.append({})
    expect(await worker.claim()).toHaveLength(1)
    await endLeases([outlet, second, running])
    const claimed = await worker.claim({ live: 2, probes: 0 })
    expect(claimed.map(({ name }) => name.webhookId)).toEqual([running.name.webhookId])
  })
})

test('a service that is always busy keeps no place from one behind it', async () => {
  const services = [service, ...Array.from({ length: 200 }, () => openTestService(place))]
  for (const one of services.slice(1)) await one.open()
  const late = new Set<string>()
  for (let round = 0; round < 20 && late.size < services.length; round += 1) {
    clock.advance(50)
    for (const one of services) await one.append({})
    for (const { name } of await worker.claim({ live: 1000 })) late.add(name.serviceId)
  }
  expect(late.size).toBe(services.length)
})
