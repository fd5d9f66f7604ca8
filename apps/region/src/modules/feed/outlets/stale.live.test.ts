import { createTestDatabase, type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { feedMigrations } from '../migrations.ts'
import {
  openOutletPlace,
  openTestService,
  openTestWorker,
  type OutletPlace,
  type TestService,
} from '../testing/outlets.ts'
import { resumeOutletsOf, type StaleOutlet, suspendOutletsOf, takeStaleOutlets } from './index.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let place: OutletPlace
let service: TestService

let clock: FixedClock

beforeAll(async () => {
  clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())
beforeEach(() => {
  service = openTestService(place)
})

function look(): Promise<readonly StaleOutlet[]> {
  return place.database.transaction((tx) => takeStaleOutlets(tx, place, 100))
}

/** Every ten minutes, as upkeep does; answers what was told. */
async function lookFor(ms: number): Promise<readonly StaleOutlet[]> {
  const told: StaleOutlet[] = []
  const end = place.clock.now() + ms
  while (place.clock.now() < end) {
    clock.advance(600_000)
    told.push(...(await look()))
  }
  return told
}

describe('a backlog that grows old', () => {
  test('is told of daily from two days on, hourly from five, and its rows are lost one by one at seven', async () => {
    const outlet = await service.open()
    await service.append({})
    await openTestWorker(place).run(() => 'failed')
    expect(await lookFor(2 * DAY_MS - 600_000)).toEqual([])
    await service.append({})
    const daily = await lookFor(3 * DAY_MS - 600_000)
    expect(daily.map(({ alert }) => alert)).toEqual(['daily', 'daily', 'daily'])
    expect(daily[0]).toMatchObject({ name: outlet.name, backlogCount: 2, state: 'bad', flow: 'open', purgedCount: 0 })
    const hourly = await lookFor(2 * DAY_MS + HOUR_MS)
    const lastOnes = hourly.map(({ alert, purgedCount, backlogCount }) => [alert, purgedCount, backlogCount])
    expect(lastOnes.filter(([alert]) => alert === 'hourly').length).toBeGreaterThanOrEqual(47)
    expect(lastOnes.filter(([alert]) => alert !== 'hourly')).toEqual([['purged', 1, 1]])
    expect(await outlet.explain()).toMatchObject({ backlogCount: 1, cursor: 1 })
    const lost = await lookFor(2 * DAY_MS)
    expect(lost.filter(({ alert }) => alert === 'purged')).toEqual([])
    expect(await outlet.explain()).toMatchObject({ backlogCount: 0, cursor: 2 })
  })

  test('is told of as lost as a whole, also when a worker has looked before and found nothing', async () => {
    const outlet = await service.open()
    const worker = openTestWorker(place)
    await service.append({}, {})
    await worker.run(() => 'failed')
    clock.advance(8 * DAY_MS)
    expect(await worker.run()).toEqual([])
    expect(await outlet.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
    const told = (await look()).filter(({ name }) => name.webhookId === outlet.name.webhookId)
    expect(told).toMatchObject([{ alert: 'purged', purgedCount: 2, backlogCount: 0, oldestAt: null }])
    expect(await outlet.explain()).toMatchObject({ cursor: 2, alertAt: null, purgedAt: null })
    const ids = await service.append({})
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('is told of as lost as a whole, also when new events have been sent before anybody has looked', async () => {
    const outlet = await service.open()
    const worker = openTestWorker(place)
    await service.append({}, {})
    await worker.run(() => 'failed')
    clock.advance(8 * DAY_MS)
    expect(await worker.run()).toEqual([])
    const sent = [...(await service.append({}, {})), ...(await service.append({}))]
    expect((await worker.run()).map(({ id, isParked }) => [id, isParked])).toEqual(sent.map((id) => [id, false]))
    const told = (await look()).filter(({ name }) => name.webhookId === outlet.name.webhookId)
    expect(told).toMatchObject([{ alert: 'purged', purgedCount: 2, backlogCount: 0 }])
    expect(await outlet.explain()).toMatchObject({ cursor: 5, alertAt: null })
    expect(await worker.run()).toEqual([])
  })

  test('is looked at before it is tried: what is too old is counted, not passed over', async () => {
    const outlet = await service.open()
    const worker = openTestWorker(place)
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(DAY_MS)
    const ids = await service.append({})
    await look()
    clock.advance(5 * DAY_MS)
    await look()
    for (let hours = 0; hours < 24; hours += 1) {
      clock.advance(HOUR_MS)
      if (hours < 23) await look()
    }
    expect(await worker.run()).toEqual([])
    const told = (await look()).filter(({ name }) => name.webhookId === outlet.name.webhookId)
    expect(told).toMatchObject([{ alert: 'purged', purgedCount: 1, backlogCount: 1 }])
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('has lost nothing when what was too old had been collapsed anyway', async () => {
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    await service.append({ key: 'k' })
    clock.advance(6 * DAY_MS)
    await look()
    await service.append({ key: 'k' })
    const told = (await lookFor(2 * DAY_MS + HOUR_MS)).filter(({ name }) => name.webhookId === outlet.name.webhookId)
    expect(told.filter(({ alert, purgedCount }) => alert === 'purged' || purgedCount > 0)).toEqual([])
    expect(await outlet.explain()).toMatchObject({ backlogCount: 1, purgedAt: null })
  })

  test.each(['pause', 'disable'] as const)('is told of as lost each time that one has grown anew (%s)', async (act) => {
    const outlet = await service.open()
    await openTestWorker(place).run()
    const lostIn = async (days: number) => {
      const told: StaleOutlet[] = []
      for (let hours = 0; hours < 24 * days; hours += 1) {
        clock.advance(HOUR_MS)
        told.push(...(await look()))
      }
      return told.filter(({ name, alert }) => name.webhookId === outlet.name.webhookId && alert === 'purged')
    }
    await outlet.change({ act: 'pause' })
    await service.append({})
    if (act === 'disable') await outlet.change({ act })
    expect(await lostIn(8)).toMatchObject([{ purgedCount: 1, backlogCount: 0 }])
    if (act === 'disable') await outlet.change({ act: 'enable' })
    await service.append({})
    clock.advance(6 * DAY_MS)
    await service.append({})
    if (act === 'disable') await outlet.change({ act })
    expect(await lostIn(2)).toMatchObject([{ purgedCount: 1, backlogCount: 1 }])
    // What was left was young, so its loss is another one.
    expect(await lostIn(6)).toMatchObject([{ purgedCount: 1, backlogCount: 0 }])
  })

  test('is told of as soon as a replay has brought it back', async () => {
    const outlet = await service.open()
    const since = clock.now()
    await service.append({})
    await openTestWorker(place).run()
    clock.advance(6 * DAY_MS)
    await outlet.change({ act: 'pause' })
    await lookFor(2 * HOUR_MS)
    await outlet.change({ act: 'replay', since })
    const told = (await lookFor(HOUR_MS)).filter(({ name }) => name.webhookId === outlet.name.webhookId)
    expect(told).toMatchObject([{ alert: 'hourly', backlogCount: 1, oldestAt: since }])
  })

  test('is told of once, however many look', async () => {
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    await service.append({})
    clock.advance(2 * DAY_MS)
    const told = (await Promise.all([look(), look(), look()])).flat()
    expect(told.filter(({ name }) => name.webhookId === outlet.name.webhookId)).toHaveLength(1)
  })

  test('is forgotten when it is sent', async () => {
    const outlet = await service.open()
    await outlet.change({ act: 'pause' })
    await service.append({})
    await outlet.change({ act: 'resume' })
    await openTestWorker(place).run()
    expect(await outlet.explain()).toMatchObject({ alertAt: null, state: 'running' })
  })
})

describe('an account whose level has no webhooks', () => {
  test('has them behave as disabled, and gets them back as they were', async () => {
    const [outlet, paused] = [await service.open(), await service.open()]
    const worker = openTestWorker(place)
    await paused.change({ act: 'pause' })
    const { companyId } = service.owner
    await place.database.transaction((tx) => suspendOutletsOf(tx, place, companyId))
    await service.append({})
    expect(await worker.run()).toEqual([])
    expect(await outlet.explain()).toMatchObject({ flow: 'disabled', isEnabled: true, backlogCount: 0 })
    await place.database.transaction((tx) => resumeOutletsOf(tx, place, companyId))
    const [id] = await service.append({})
    expect((await worker.run()).map((sent) => [sent.webhookId, sent.id])).toEqual([[outlet.name.webhookId, id]])
    expect(await paused.explain()).toMatchObject({ flow: 'paused', backlogCount: 1 })
  })
})
