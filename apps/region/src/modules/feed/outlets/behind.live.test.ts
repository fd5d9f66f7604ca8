import { runStatement, type Tx } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, fixedIds, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { appendEvents } from '../append.ts'
import { feedMigrations } from '../migrations.ts'
import { connectionDeleted } from '../testing/feeds.ts'
import {
  openOutletPlace,
  openTestService,
  openTestWorker,
  type OutletPlace,
  type TestOutlet,
  type TestService,
} from '../testing/outlets.ts'
import { type OutletChange, resumeOutletsOf, suspendOutletsOf } from './index.ts'

let place: OutletPlace
let service: TestService
let outlet: TestOutlet

beforeAll(async () => {
  const clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())
beforeEach(async () => {
  service = openTestService(place)
  outlet = await service.open({ kinds: ['connection_request_accepted'] })
})

/** Keeps what a transaction has locked until told. */
async function hold(
  lock: (tx: Tx) => Promise<unknown>,
): Promise<(last?: (tx: Tx) => Promise<unknown>) => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const told = Promise.withResolvers<((tx: Tx) => Promise<unknown>) | undefined>()
  const done = place.database.transaction(async (tx) => {
    await lock(tx)
    locked.resolve()
    await (
      await told.promise
    )?.(tx)
  })
  const release = (last?: (tx: Tx) => Promise<unknown>): Promise<void> => {
    told.resolve(last)
    return done
  }
  onTestFinished(() => release())
  await locked.promise
  return release
}

const lockEvents = (tx: Tx) => runStatement(tx, 'lock table feed.event in access exclusive mode', [])
const lockHead = (tx: Tx) =>
  runStatement(tx, 'select from feed.head where owner_id = $1 for update', [service.owner.serviceId])

async function somebodyWaits(): Promise<void> {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('somebody waits', 10_000, async () => {
    return (await place.database.read((read) => runStatement(read, sql, []))).length > 0
  })
}

async function canAppend(): Promise<boolean> {
  const sql = 'select from feed.head where owner_id = $1 for update nowait'
  return place.database
    .transaction((tx) => runStatement(tx, sql, [service.owner.serviceId]))
    .then(
      () => true,
      () => false,
    )
}

describe('as long as the log is looked through', () => {
  const changes: readonly (readonly OutletChange[])[] = [
    [{ act: 'resume' }],
    [{ act: 'retarget' }],
    [{ act: 'subscribe', kinds: null }, { act: 'enable' }, { act: 'retarget' }],
    [{ act: 'replay', since: null }],
  ]
  test.each(changes)('%j keeps nobody from appending', async (...change) => {
    await outlet.change({ act: 'pause' })
    const release = await hold(lockEvents)
    const changed = outlet.change(...change)
    await somebodyWaits()
    expect(await canAppend()).toBe(true)
    await release()
    await changed
  })

  test('a company that gets its webhooks back keeps nobody from appending', async () => {
    const { database, clock } = place
    const { companyId } = service.owner
    await database.transaction((tx) => suspendOutletsOf(tx, { clock }, companyId))
    const release = await hold(lockEvents)
    const resumed = database.transaction((tx) => resumeOutletsOf(tx, { clock }, companyId))
    await somebodyWaits()
    expect(await canAppend()).toBe(true)
    await release()
    expect(await resumed).toMatchObject([{ transition: null }])
  })
})

describe('what comes between the look and the change', () => {
  const wanted = { kind: 'connection_request_accepted' } as const

  function append(tx: Tx, events: readonly object[]): Promise<unknown> {
    const { clock, ids } = place.needs
    const whole = events.map((event) => ({ owner: service.owner, ...connectionDeleted(ids.uuid()), ...event }))
    return appendEvents(tx, { clock, ids }, whole)
  }

  /** Resumes while somebody appends these. */
  async function resumeAcross(events: readonly object[]): Promise<void> {
    await outlet.change({ act: 'pause' })
    const release = await hold(lockHead)
    const changed = outlet.change({ act: 'resume' })
    await somebodyWaits()
    await release((tx) => append(tx, events))
    await changed
  }

  test('is seen: an event that waits has the endpoint tried first', async () => {
    await resumeAcross([{}, {}, wanted])
    expect(await outlet.explain()).toMatchObject({ state: 'unknown', backlogCount: 1 })
  })

  test('is seen: where nothing is for this webhook it just runs', async () => {
    await resumeAcross([{}, {}, {}])
    expect(await outlet.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
  })

  test('is not looked through when it is much: a worker finds out, and sends nothing that is not there', async () => {
    await resumeAcross(Array.from({ length: 600 }, () => ({})))
    expect(await outlet.explain()).toMatchObject({ state: 'unknown', backlogCount: 0 })
    const sent = await openTestWorker(place).run()
    expect(sent.filter(({ webhookId }) => webhookId === outlet.name.webhookId)).toEqual([])
    expect(await outlet.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
  })
})

test('what is said to be queued by a replay is what then waits, also of kinds that are not taken any more', async () => {
  await outlet.change({ act: 'subscribe', kinds: null })
  await service.append({}, {})
  await openTestWorker(place).run()
  await outlet.change({ act: 'pause' })
  await service.append({}, { key: 'a' }, { key: 'a' })
  await outlet.change({ act: 'subscribe', kinds: ['connection_request_accepted'] })
  await service.append({}, { kind: 'connection_request_accepted' })
  for (const since of [null, place.clock.now()]) {
    const { queued } = await outlet.change({ act: 'replay', since })
    expect(queued).toBe((await outlet.explain()).backlogCount)
    expect(queued).toBe(since === null ? 3 : 4)
  }
})
