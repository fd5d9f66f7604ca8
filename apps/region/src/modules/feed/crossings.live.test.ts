import type { ServiceId, UserId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement, type Tx } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { recordingTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acknowledge, takePage } from './drain.ts'
import { dropFeed } from './drop.ts'
import { feedMigrations } from './migrations.ts'
import { type FeedNeeds, openFeed } from './needs.ts'
import { markGone } from './store/channels.ts'
import { settlePage } from './store/pages.ts'
import type { DrainRequest, TakenPage } from './taken-page.ts'
import { appendTo, type TestFeed } from './testing/feeds.ts'

const ids = systemIds()
let place: TestDatabase
let database: Database
let needs: FeedNeeds
let owner: TestFeed['owner']

beforeAll(async () => {
  place = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  database = openDatabase({ url: place.url, poolSize: 4 })
  needs = openFeed({ database, clock: systemClock, ids, log: recordingTelemetry().log, resolvers: {} })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})
beforeEach(() => {
  owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>() }
})

interface Held {
  readonly tx: Tx
  commit(): Promise<void>
}

/** A transaction that others come across: it stays open until it is told to commit. */
async function hold(): Promise<Held> {
  const opened = Promise.withResolvers<Tx>()
  const told = Promise.withResolvers<void>()
  const done = database.transaction(async (tx) => {
    opened.resolve(tx)
    await told.promise
  })
  const tx = await opened.promise
  return {
    tx,
    async commit() {
      told.resolve()
      await done
    },
  }
}

async function untilWaiting(count: number): Promise<void> {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => database.read((read) => runStatement(read, sql, []))).toHaveLength(count)
}

function take(by: FeedNeeds, attemptId: string | null): Promise<TakenPage> {
  return takePage(by, request({ attemptId }))
}

function request(wanted: Partial<DrainRequest>): DrainRequest {
  return { owner, limit: 10, listener: null, webhookId: null, attemptId: null, ...wanted }
}

async function takeLease(): Promise<NonNullable<TakenPage['lease']>> {
  const { lease } = await take(needs, null)
  if (lease === null) throw new Error('nothing waits')
  return lease
}

function idsOf({ events }: TakenPage): readonly string[] {
  return events.map(({ id }) => id)
}

describe('two calls of one attempt at the same time', () => {
  test('get the same events, also when the first takes all there are while the second waits for its turn', async () => {
    await appendTo(needs, owner, [{}])
    await acknowledge(needs, await takeLease())
    const appended = await appendTo(needs, owner, [{}])
    const held = await hold()
    await runStatement(held.tx, 'select from feed.channel where owner_id = $1 for update', [owner.serviceId])
    const calls = [take(needs, 'a'), take(needs, 'a')]
    await untilWaiting(2)
    await held.commit()
    expect((await Promise.all(calls)).map(idsOf)).toEqual([appended, appended])
  })

  test('get the same events, also when the first has delivered them while the second looks', async () => {
    const appended = await appendTo(needs, owner, [{}])
    const held = await hold()
    await runStatement(held.tx, 'lock table feed.head in access exclusive mode', [])
    const second = take(needs, 'a')
    await untilWaiting(1)
    const within = <T>(work: (tx: Tx) => Promise<T>) => work(held.tx)
    const inside: Database = { ...database, transaction: within, write: within, read: within }
    const first = await take({ ...needs, database: inside }, 'a')
    if (first.lease !== null) await acknowledge({ ...needs, database: inside }, first.lease)
    await held.commit()
    expect([idsOf(first), idsOf(await second)]).toEqual([appended, appended])
  })
})

describe('readers who see the same events', () => {
  test('each get others: who is late takes what comes next', async () => {
    const [before = '', ...appended] = await appendTo(
      needs,
      owner,
      Array.from({ length: 31 }, () => ({})),
    )
    expect(idsOf(await takePage(needs, request({ limit: 1 })))).toEqual([before])
    const held = await hold()
    await runStatement(held.tx, 'select from feed.channel where owner_id = $1 for update', [owner.serviceId])
    const calls = [take(needs, null), take(needs, null), take(needs, 'a')]
    await untilWaiting(3)
    await held.commit()
    const pages = (await Promise.all(calls)).map(idsOf)
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 10])
    expect(pages.flat().toSorted()).toEqual(appended.toSorted())
    expect((await take(needs, null)).events).toEqual([])
  })

  test('a page whose lease nobody heard of is leased once, and not to somebody else as well', async () => {
    const appended = await appendTo(
      needs,
      owner,
      Array.from({ length: 12 }, () => ({})),
    )
    await acknowledge(needs, await takeLease())
    const twice: Database = {
      ...database,
      async write(work) {
        await database.write(work)
        return database.write(work)
      },
    }
    const page = await take({ ...needs, database: twice }, null)
    expect([idsOf(page), page.isRepeated]).toEqual([appended.slice(10), false])
    expect((await take(needs, null)).events).toEqual([])
  })
})

test('a feed that is dropped while a page is acknowledged waits for that and for nothing else', async () => {
  await appendTo(needs, owner, [{}])
  const lease = await takeLease()
  const reader = await hold()
  await markGone(reader.tx, lease, lease.covers)
  const dropped = database.transaction((tx) => dropFeed(tx, needs, owner))
  await untilWaiting(1)
  await settlePage(reader.tx, lease)
  await reader.commit()
  await dropped
  expect((await take(needs, null)).events).toEqual([])
})

test('one field that was changed over and over does not keep a service from its feed', async () => {
  const MANY = 50_000
  const [first] = await appendTo(needs, owner, [{}])
  await appendTo(needs, owner, [{ key: 'often' }])
  await database.transaction(async (tx) => {
    const copy = `insert into feed.event (owner_id, no, shelf, id, kind, key, payload, at)
      select e.owner_id, e.no + n, e.shelf, gen_random_uuid(), e.kind, e.key, e.payload, e.at
      from feed.event e, generate_series(1, $2::int) as n where e.owner_id = $1 and e.key is not null`
    await runStatement(tx, copy, [owner.serviceId, MANY])
    await runStatement(tx, 'update feed.head set last_no = last_no + $2 where owner_id = $1', [owner.serviceId, MANY])
    // As the server does by itself: what it then knows of this day makes it choose another plan.
    await runStatement(tx, 'analyze feed.event', [])
  })
  const [last] = await appendTo(needs, owner, [{ key: 'often' }])
  const page = await take(needs, null)
  expect([idsOf(page), page.hasMore]).toEqual([[first, last], false])
})
