import { beforeEach, describe, expect, test } from 'vitest'
import { resumeQueuesOf, type StaleQueue, suspendQueuesOf, purgeStaleQueues } from './index.ts'
import { openFeedFixture, type OpenedQueue, type TestService } from './testing/queues.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const fixture = await openFeedFixture()
const { clock } = fixture
let service: TestService

beforeEach(() => {
  service = fixture.service()
})

function purge(): Promise<readonly StaleQueue[]> {
  return fixture.database.transaction((tx) => purgeStaleQueues(fixture, tx, 100))
}

/** Purges every ten minutes, like upkeep; answers all alerts. */
async function purgeFor(ms: number): Promise<readonly StaleQueue[]> {
  const alerts: StaleQueue[] = []
  const end = fixture.clock.now() + ms
  while (fixture.clock.now() < end) {
    clock.advance(600_000)
    alerts.push(...(await purge()))
  }
  return alerts
}

/** A queue whose two events failed and have expired since; no purge has run. */
async function openExpired(): Promise<Pick<OpenedQueue, 'queue' | 'worker'>> {
  const [queue, worker] = [await service.open(), fixture.worker()]
  await service.append({}, {})
  await worker.run(() => 'failed')
  clock.advance(8 * DAY_MS)
  expect(await worker.run()).toEqual([])
  return { queue, worker }
}

describe('an old backlog', () => {
  test('raises daily alerts from two days, hourly from five, and its events expire one by one at seven', async () => {
    const queue = await service.open()
    await service.append({})
    await fixture.worker().run(() => 'failed')
    expect(await purgeFor(2 * DAY_MS - 600_000)).toEqual([])
    await service.append({})
    const daily = await purgeFor(3 * DAY_MS - 600_000)
    expect(daily.map(({ alert }) => alert)).toEqual(['daily', 'daily', 'daily'])
    expect(daily[0]).toMatchObject({ name: queue.name, backlogCount: 2, state: 'bad', flow: 'open', purgedCount: 0 })
    const hourly = await purgeFor(2 * DAY_MS + HOUR_MS)
    const lastOnes = hourly.map(({ alert, purgedCount, backlogCount }) => [alert, purgedCount, backlogCount])
    expect(lastOnes.filter(([alert]) => alert === 'hourly').length).toBeGreaterThanOrEqual(47)
    expect(lastOnes.filter(([alert]) => alert !== 'hourly')).toEqual([['purged', 1, 1]])
    expect(await queue.explain()).toMatchObject({ backlogCount: 1, cursor: 1 })
    const lost = await purgeFor(2 * DAY_MS)
    expect(lost.filter(({ alert }) => alert === 'purged')).toEqual([])
    expect(await queue.explain()).toMatchObject({ backlogCount: 0, cursor: 2 })
  })

  test('is reported as lost when all of it expired, also if a worker found nothing to send before', async () => {
    const { queue, worker } = await openExpired()
    expect(await queue.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
    const alerts = (await purge()).filter(({ name }) => name.webhookId === queue.name.webhookId)
    expect(alerts).toMatchObject([{ alert: 'purged', purgedCount: 2, backlogCount: 0, oldestAt: null }])
    expect(await queue.explain()).toMatchObject({ cursor: 2, alertAt: null, purgedAt: null })
    const ids = await service.append({})
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('is reported as lost when all of it expired, also if new events were sent before the check', async () => {
    const { queue, worker } = await openExpired()
    const sent = [...(await service.append({}, {})), ...(await service.append({}))]
    expect((await worker.run()).map(({ id, isParked }) => [id, isParked])).toEqual(sent.map((id) => [id, false]))
    const alerts = (await purge()).filter(({ name }) => name.webhookId === queue.name.webhookId)
    expect(alerts).toMatchObject([{ alert: 'purged', purgedCount: 2, backlogCount: 0 }])
    expect(await queue.explain()).toMatchObject({ cursor: 5, alertAt: null })
    expect(await worker.run()).toEqual([])
  })

  test('is checked before it is probed: expired events are counted, not skipped', async () => {
    const queue = await service.open()
    const worker = fixture.worker()
    await service.append({})
    await worker.run(() => 'failed')
    clock.advance(DAY_MS)
    const ids = await service.append({})
    await purge()
    clock.advance(5 * DAY_MS)
    await purge()
    for (let hours = 0; hours < 24; hours += 1) {
      clock.advance(HOUR_MS)
      if (hours < 23) await purge()
    }
    expect(await worker.run()).toEqual([])
    const alerts = (await purge()).filter(({ name }) => name.webhookId === queue.name.webhookId)
    expect(alerts).toMatchObject([{ alert: 'purged', purgedCount: 1, backlogCount: 1 }])
    expect((await worker.run()).map(({ id }) => id)).toEqual(ids)
  })

  test('reports no loss when the expired events were collapsed', async () => {
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    await service.append({ key: 'k' })
    clock.advance(6 * DAY_MS)
    await purge()
    await service.append({ key: 'k' })
    const alerts = (await purgeFor(2 * DAY_MS + HOUR_MS)).filter(({ name }) => name.webhookId === queue.name.webhookId)
    expect(alerts.filter(({ alert, purgedCount }) => alert === 'purged' || purgedCount > 0)).toEqual([])
    expect(await queue.explain()).toMatchObject({ backlogCount: 1, purgedAt: null })
  })

  test.each(['pause', 'disable'] as const)('reports each new loss (%s)', async (command) => {
    const queue = await service.open()
    await fixture.worker().run()
    const lostIn = async (days: number) => {
      const alerts: StaleQueue[] = []
      for (let hours = 0; hours < 24 * days; hours += 1) {
        clock.advance(HOUR_MS)
        alerts.push(...(await purge()))
      }
      return alerts.filter(({ name, alert }) => name.webhookId === queue.name.webhookId && alert === 'purged')
    }
    await queue.change({ command: 'pause' })
    await service.append({})
    if (command === 'disable') await queue.change({ command })
    expect(await lostIn(8)).toMatchObject([{ purgedCount: 1, backlogCount: 0 }])
    if (command === 'disable') await queue.change({ command: 'enable' })
    await service.append({})
    clock.advance(6 * DAY_MS)
    await service.append({})
    if (command === 'disable') await queue.change({ command })
    expect(await lostIn(2)).toMatchObject([{ purgedCount: 1, backlogCount: 1 }])
    // The rest was young, so its loss is a new one.
    expect(await lostIn(6)).toMatchObject([{ purgedCount: 1, backlogCount: 0 }])
  })

  test('raises an alert as soon as a replay has brought it back', async () => {
    const queue = await service.open()
    const since = clock.now()
    await service.append({})
    await fixture.worker().run()
    clock.advance(6 * DAY_MS)
    await queue.change({ command: 'pause' })
    await purgeFor(2 * HOUR_MS)
    await queue.change({ command: 'replay', since })
    const alerts = (await purgeFor(HOUR_MS)).filter(({ name }) => name.webhookId === queue.name.webhookId)
    expect(alerts).toMatchObject([{ alert: 'hourly', backlogCount: 1, oldestAt: since }])
  })

  test('raises one alert, however many processes check', async () => {
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    await service.append({})
    clock.advance(2 * DAY_MS)
    const alerts = (await Promise.all([purge(), purge(), purge()])).flat()
    expect(alerts.filter(({ name }) => name.webhookId === queue.name.webhookId)).toHaveLength(1)
  })

  test('raises no alert any more once it is sent', async () => {
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    await service.append({})
    await queue.change({ command: 'resume' })
    await fixture.worker().run()
    expect(await queue.explain()).toMatchObject({ alertAt: null, state: 'running' })
  })
})

describe('an account whose level has no webhooks', () => {
  test('has its queues suspended, and gets them back unchanged', async () => {
    const [queue, paused] = [await service.open(), await service.open()]
    const worker = fixture.worker()
    await paused.change({ command: 'pause' })
    const { companyId } = service.owner
    await fixture.database.transaction((tx) => suspendQueuesOf(fixture, tx, companyId))
    await service.append({})
    expect(await worker.run()).toEqual([])
    expect(await queue.explain()).toMatchObject({ flow: 'disabled', isEnabled: true, backlogCount: 0 })
    await fixture.database.transaction((tx) => resumeQueuesOf(fixture, tx, companyId))
    const [id] = await service.append({})
    expect((await worker.run()).map((sent) => [sent.webhookId, sent.id])).toEqual([[queue.name.webhookId, id]])
    expect(await paused.explain()).toMatchObject({ flow: 'paused', backlogCount: 1 })
  })
})
