import { runStatement, type Tx } from '@sealpost/postgres'
import { waitUntil } from '@sealpost/testkit'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { appendEvents } from '../operations/append-events.ts'
import { connectionDeleted } from '../testing/feeds.ts'
import { type QueueChange, resumeQueuesOf, suspendQueuesOf } from './index.ts'
import { openFeedFixture, type TestQueue, type TestService } from './testing/queues.ts'

const fixture = await openFeedFixture()
let service: TestService
let queue: TestQueue

beforeEach(async () => {
  service = fixture.service()
  queue = await service.open({ kinds: ['connection_request_accepted'] })
})

/** Keeps locks until the test releases them. */
async function holdLock(
  lock: (tx: Tx) => Promise<unknown>,
): Promise<(last?: (tx: Tx) => Promise<unknown>) => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<((tx: Tx) => Promise<unknown>) | undefined>()
  const done = fixture.database.transaction(async (tx) => {
    await lock(tx)
    locked.resolve()
    await (
      await released.promise
    )?.(tx)
  })
  const release = (last?: (tx: Tx) => Promise<unknown>): Promise<void> => {
    released.resolve(last)
    return done
  }
  onTestFinished(() => release())
  await locked.promise
  return release
}

const lockEvents = (tx: Tx) => runStatement(tx, 'lock table feed.event in access exclusive mode', [])
const lockHead = (tx: Tx) =>
  runStatement(tx, 'select from feed.head where owner_id = $1 for update', [service.owner.serviceId])

async function untilWaiting(): Promise<void> {
  const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('a transaction waits for a lock', 10_000, async () => {
    return (await fixture.database.read((read) => runStatement(read, sql, []))).length > 0
  })
}

async function canAppend(): Promise<boolean> {
  const sql = 'select from feed.head where owner_id = $1 for update nowait'
  return fixture.database
    .transaction((tx) => runStatement(tx, sql, [service.owner.serviceId]))
    .then(
      () => true,
      () => false,
    )
}

describe('during the scan of the log', () => {
  const changes: readonly (readonly QueueChange[])[] = [
    [{ command: 'resume' }],
    [{ command: 'retarget' }],
    [{ command: 'subscribe', kinds: null }, { command: 'enable' }, { command: 'retarget' }],
    [{ command: 'replay', since: null }],
  ]
  test.each(changes)('%j blocks no append', async (...change) => {
    await queue.change({ command: 'pause' })
    const release = await holdLock(lockEvents)
    const changed = queue.change(...change)
    await untilWaiting()
    expect(await canAppend()).toBe(true)
    await release()
    await changed
  })

  test('the resumption of a company blocks no append', async () => {
    const { database, clock } = fixture
    const { companyId } = service.owner
    await database.transaction((tx) => suspendQueuesOf({ clock }, tx, companyId))
    const release = await holdLock(lockEvents)
    const resumed = database.transaction((tx) => resumeQueuesOf({ clock }, tx, companyId))
    await untilWaiting()
    expect(await canAppend()).toBe(true)
    await release()
    expect(await resumed).toMatchObject([{ transition: null }])
  })
})

describe('an append between the scan and the change', () => {
  const subscribed = { kind: 'connection_request_accepted' } as const

  function append(tx: Tx, events: readonly object[]): Promise<unknown> {
    const { clock, ids } = fixture.feed
    const whole = events.map((event) => ({ owner: service.owner, ...connectionDeleted(ids.uuid()), ...event }))
    return appendEvents({ clock, ids }, tx, whole)
  }

  /** Resumes while these events are appended. */
  async function resumeDuringAppend(events: readonly object[]): Promise<void> {
    await queue.change({ command: 'pause' })
    const release = await holdLock(lockHead)
    const changed = queue.change({ command: 'resume' })
    await untilWaiting()
    await release((tx) => append(tx, events))
    await changed
  }

  test('is seen: with a pending event the endpoint is probed', async () => {
    await resumeDuringAppend([{}, {}, subscribed])
    expect(await queue.explain()).toMatchObject({ state: 'unknown', backlogCount: 1 })
  })

  test('is seen: without an event for this webhook the queue runs', async () => {
    await resumeDuringAppend([{}, {}, {}])
    expect(await queue.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
  })

  test('is not scanned when it is large: a worker scans it, and sends nothing if no event is pending', async () => {
    await resumeDuringAppend(Array.from({ length: 600 }, () => ({})))
    expect(await queue.explain()).toMatchObject({ state: 'unknown', backlogCount: 0 })
    const sent = await fixture.worker().run()
    expect(sent.filter(({ webhookId }) => webhookId === queue.name.webhookId)).toEqual([])
    expect(await queue.explain()).toMatchObject({ state: 'running', backlogCount: 0 })
  })
})

test('a replay answers the number of events that are then pending, including kinds no longer subscribed to', async () => {
  await queue.change({ command: 'subscribe', kinds: null })
  await service.append({}, {})
  await fixture.worker().run()
  await queue.change({ command: 'pause' })
  await service.append({}, { key: 'a' }, { key: 'a' })
  await queue.change({ command: 'subscribe', kinds: ['connection_request_accepted'] })
  await service.append({}, { kind: 'connection_request_accepted' })
  for (const since of [null, fixture.clock.now()]) {
    const { queued } = await queue.change({ command: 'replay', since })
    expect(queued).toBe((await queue.explain()).backlogCount)
    expect(queued).toBe(since === null ? 3 : 4)
  }
})
