import { instant } from '@sealpost/kernel'
import { createTestDatabase, type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { feedMigrations } from '../migrations.ts'
import {
  GRACE_MS,
  openOutletPlace,
  openTestService,
  openTestWorker,
  type OutletPlace,
  type TestService,
  type TestWorker,
} from '../testing/outlets.ts'

let place: OutletPlace
let service: TestService
let worker: TestWorker

let clock: FixedClock

beforeAll(async () => {
  clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())
beforeEach(() => {
  service = openTestService(place)
  worker = openTestWorker(place)
})

const DAY_MS = 86_400_000
const idsOf = (sent: readonly { readonly id: string }[]): readonly string[] => sent.map(({ id }) => id)

describe('what an outlet takes', () => {
  test('is what was appended while it was open, of its kinds, once and in order', async () => {
    await service.append({}, {})
    const all = await service.open()
    const some = await service.open({ kinds: ['connection_request_accepted'] })
    const ids = await service.append({}, {}, {})
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual(ids)
    expect(new Set(sent.map(({ webhookId }) => webhookId))).toEqual(new Set([all.name.webhookId]))
    expect(sent.every(({ isParked }) => !isParked)).toBe(true)
    expect(await worker.run()).toEqual([])
    expect(await some.explain()).toMatchObject({ cursor: 5, backlogCount: 0, state: 'running', isLeased: false })
  })

  test('is nothing while it is disabled: nothing is queued, and what waited before stays [HOOK-07]', async () => {
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    const [before] = await service.append({})
    await outlet.change({ act: 'disable' })
    await service.append({}, {})
    expect(await worker.run()).toEqual([])
    expect(await outlet.explain()).toMatchObject({ flow: 'disabled', backlogCount: 1 })
    await outlet.change({ act: 'resume' })
    expect(await worker.run()).toEqual([])
    expect((await outlet.change({ act: 'enable' })).transition).toEqual({ from: 'running', to: 'unknown' })
    const [after] = await service.append({})
    expect(idsOf(await worker.run())).toEqual([before, after])
    expect(await outlet.explain()).toMatchObject({ flow: 'open', backlogCount: 0, state: 'running' })
  })

  test('follows a change of kinds from the next event on, and keeps what it had', async () => {
    const outlet = await service.open({ kinds: ['connection_deleted'] })
    await outlet.change({ act: 'pause' })
    const [kept] = await service.append({})
    await outlet.change({ act: 'subscribe', kinds: ['connection_created'] })
    await service.append({})
    await outlet.change({ act: 'subscribe', kinds: null })
    const [taken] = await service.append({})
    await outlet.change({ act: 'resume' })
    expect(idsOf(await worker.run())).toEqual([kept, taken])
  })
})

describe('an endpoint that fails', () => {
  test('is left alone for the grace, then tried with the oldest, and gets the rest in order', async () => {
    const outlet = await service.open()
    const ids = await service.append({}, {}, {})
    expect(idsOf(await worker.run(() => 'failed'))).toEqual(ids.slice(0, 1))
    const more = await service.append({})
    expect(await outlet.explain()).toMatchObject({ state: 'bad', backlogCount: 4, dueAt: place.clock.now() + GRACE_MS })
    clock.advance(GRACE_MS - 1)
    expect(await worker.run()).toEqual([])
    clock.advance(1)
    expect(idsOf(await worker.run(() => 'failed'))).toEqual(ids.slice(0, 1))
    expect(await worker.run()).toEqual([])
    clock.advance(GRACE_MS)
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual([...ids, ...more])
    expect(sent.map(({ state }) => state)).toEqual(['unknown', 'running', 'running', 'running'])
    expect(sent.every(({ isParked }) => isParked)).toBe(true)
    const [live] = await service.append({})
    expect(await worker.run()).toMatchObject([{ id: live, isParked: false }])
  })

  test('hides what a later event of its key says anew, in this backlog only', async () => {
    const key = 'connection 1, slot a'
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    const other = await service.open({ kinds: ['connection_deleted'] })
    await other.change({ act: 'pause' })
    const ids = await service.append({ key }, {}, { key }, { key, kind: 'connection_created' })
    expect(await outlet.explain()).toMatchObject({ backlogCount: 2 })
    expect(await other.explain()).toMatchObject({ backlogCount: 2 })
    await outlet.change({ act: 'resume' })
    expect(idsOf(await worker.run())).toEqual([ids[1], ids[3]])
    await other.change({ act: 'resume' })
    expect(idsOf(await worker.run())).toEqual([ids[1], ids[2]])
  })

  test('collapses nothing that is live', async () => {
    await service.open()
    const ids = await service.append({ key: 'a' }, { key: 'a' }, { key: 'a' })
    expect(idsOf(await worker.run())).toEqual(ids)
  })

  test('keeps a backlog for 7 days, each row by its own age [HOOK-29]', async () => {
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    await service.append({})
    clock.advance(DAY_MS)
    const [younger] = await service.append({})
    clock.advance(6 * DAY_MS - 1)
    expect(await outlet.explain()).toMatchObject({ backlogCount: 2 })
    clock.advance(1)
    expect(await outlet.explain()).toMatchObject({ backlogCount: 1 })
    await outlet.change({ act: 'resume' })
    expect(idsOf(await worker.run())).toEqual([younger])
  })
})

describe('a replay', () => {
  test('brings everything since a time, also what was missed while disabled, nothing collapsed', async () => {
    const outlet = await service.open()
    await service.append({})
    await worker.run()
    clock.advance(1000)
    const since = place.clock.now()
    const key = 'k'
    const delivered = await service.append({ key }, { key })
    await worker.run()
    await outlet.change({ act: 'disable' })
    const missed = await service.append({})
    await outlet.change({ act: 'enable' })
    expect(await outlet.change({ act: 'replay', since })).toMatchObject({ queued: 3 })
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual([...delivered, ...missed])
    expect(sent.every(({ isParked }) => isParked)).toBe(true)
    const later = await service.append({ key })
    expect(idsOf(await worker.run())).toEqual(later)
  })

  test('of what is parked tries a bad endpoint at once', async () => {
    const outlet = await service.open()
    const ids = await service.append({}, {})
    await worker.run(() => 'failed')
    const told = await outlet.change({ act: 'replay', since: null })
    expect(told).toEqual({ queued: 2, transition: { from: 'bad', to: 'unknown' } })
    expect(idsOf(await worker.run())).toEqual(ids)
  })

  test('keeps what waits, also older than the time and of kinds that are not taken any more', async () => {
    const outlet = await service.open({ kinds: ['connection_deleted'] })
    await outlet.change({ act: 'pause' })
    const ids = await service.append({}, {})
    clock.advance(1000)
    await outlet.change({ act: 'subscribe', kinds: ['connection_created'] })
    await service.append({})
    expect(await outlet.change({ act: 'replay', since: instant(place.clock.now()) })).toMatchObject({ queued: 2 })
    await outlet.change({ act: 'resume' })
    expect(idsOf(await worker.run())).toEqual(ids)
  })
})
