import type { ServiceId, UserId } from '@sealpost/kernel'
import { type Database, runStatement, type Tx } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { openTables } from '@sealpost/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { type FeedContext, feedContext } from './context.ts'
import { feedMigrations } from './migrations.ts'
import type { DrainRequest, Page } from './model.ts'
import { deleteFeed } from './operations/delete-feed.ts'
import { acknowledge, drainPage } from './operations/drain.ts'
import { markGone } from './store/channels.ts'
import { acknowledgePage } from './store/pages.ts'
import { appendTo, type TestFeed } from './testing/feeds.ts'

const ids = systemIds()
const { database, log, telemetry } = await openTables('feed', feedMigrations, { poolSize: 4 })
const feed = feedContext({ database, clock: systemClock, ids, log, telemetry }, { resolvers: {} })
let owner: TestFeed['owner']

beforeEach(() => {
  owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>() }
})

interface OpenTransaction {
  readonly tx: Tx
  commit(): Promise<void>
}

/** A transaction that stays open until the test commits it. */
async function openTransaction(): Promise<OpenTransaction> {
  const opened = Promise.withResolvers<Tx>()
  const finished = Promise.withResolvers<void>()
  const done = database.transaction(async (tx) => {
    opened.resolve(tx)
    await finished.promise
  })
  const tx = await opened.promise
  return {
    tx,
    async commit() {
      finished.resolve()
      await done
    },
  }
}

async function untilWaiting(count: number): Promise<void> {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => database.read((read) => runStatement(read, sql, []))).toHaveLength(count)
}

function drain(by: FeedContext, attemptId: string | null): Promise<Page> {
  return drainPage(by, request({ attemptId }))
}

function request(members: Partial<DrainRequest>): DrainRequest {
  return { owner, limit: 10, listener: null, webhookId: null, attemptId: null, ...members }
}

async function drainLease(): Promise<NonNullable<Page['lease']>> {
  const { lease } = await drain(feed, null)
  if (lease === null) throw new Error('no event is pending')
  return lease
}

function idsOf({ events }: Page): readonly string[] {
  return events.map(({ id }) => id)
}

describe('two concurrent calls of one attempt', () => {
  test('get the same events, also when the first leases all events while the second waits for the lock', async () => {
    await appendTo(feed, owner, [{}])
    await acknowledge(feed, await drainLease())
    const appended = await appendTo(feed, owner, [{}])
    const held = await openTransaction()
    await runStatement(held.tx, 'select from feed.channel where owner_id = $1 for update', [owner.serviceId])
    const calls = [drain(feed, 'a'), drain(feed, 'a')]
    await untilWaiting(2)
    await held.commit()
    expect((await Promise.all(calls)).map(idsOf)).toEqual([appended, appended])
  })

  test('get the same events, also when the first delivers them during the read of the second', async () => {
    const appended = await appendTo(feed, owner, [{}])
    const held = await openTransaction()
    await runStatement(held.tx, 'lock table feed.head in access exclusive mode', [])
    const second = drain(feed, 'a')
    await untilWaiting(1)
    const within = <T>(work: (tx: Tx) => Promise<T>) => work(held.tx)
    const inside: Database = { ...database, transaction: within, write: within, read: within }
    const first = await drain({ ...feed, database: inside }, 'a')
    if (first.lease !== null) await acknowledge({ ...feed, database: inside }, first.lease)
    await held.commit()
    expect([idsOf(first), idsOf(await second)]).toEqual([appended, appended])
  })
})

describe('readers with the same snapshot', () => {
  test('get different events: a later reader leases the next ones', async () => {
    const [before = '', ...appended] = await appendTo(
      feed,
      owner,
      Array.from({ length: 31 }, () => ({})),
    )
    expect(idsOf(await drainPage(feed, request({ limit: 1 })))).toEqual([before])
    const held = await openTransaction()
    await runStatement(held.tx, 'select from feed.channel where owner_id = $1 for update', [owner.serviceId])
    const calls = [drain(feed, null), drain(feed, null), drain(feed, 'a')]
    await untilWaiting(3)
    await held.commit()
    const pages = (await Promise.all(calls)).map(idsOf)
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 10])
    expect(pages.flat().toSorted()).toEqual(appended.toSorted())
    expect((await drain(feed, null)).events).toEqual([])
  })

  test('a page whose lease is written twice after a lost answer is leased to one reader only', async () => {
    const appended = await appendTo(
      feed,
      owner,
      Array.from({ length: 12 }, () => ({})),
    )
    await acknowledge(feed, await drainLease())
    const twice: Database = {
      ...database,
      async write(work) {
        await database.write(work)
        return database.write(work)
      },
    }
    const page = await drain({ ...feed, database: twice }, null)
    expect([idsOf(page), page.isRepeated]).toEqual([appended.slice(10), false])
    expect((await drain(feed, null)).events).toEqual([])
  })
})

test('the deletion of a feed waits for a page that is being acknowledged, without a deadlock', async () => {
  await appendTo(feed, owner, [{}])
  const lease = await drainLease()
  const reader = await openTransaction()
  await markGone(reader.tx, lease, lease.covers)
  const deleted = database.transaction((tx) => deleteFeed(feed, tx, owner))
  await untilWaiting(1)
  await acknowledgePage(reader.tx, lease)
  await reader.commit()
  await deleted
  expect((await drain(feed, null)).events).toEqual([])
})

test('50,000 changes of one field do not make the feed of a service unreadable', async () => {
  const MANY = 50_000
  const [first] = await appendTo(feed, owner, [{}])
  await appendTo(feed, owner, [{ key: 'often' }])
  await database.transaction(async (tx) => {
    const copy = `insert into feed.event (owner_id, no, partition, id, kind, key, payload, at)
      select e.owner_id, e.no + n, e.partition, gen_random_uuid(), e.kind, e.key, e.payload, e.at
      from feed.event e, generate_series(1, $2::int) as n where e.owner_id = $1 and e.key is not null`
    await runStatement(tx, copy, [owner.serviceId, MANY])
    await runStatement(tx, 'update feed.head set last_no = last_no + $2 where owner_id = $1', [owner.serviceId, MANY])
    // Autovacuum does the same: with these statistics the planner chooses another plan.
    await runStatement(tx, 'analyze feed.event', [])
  })
  const [last] = await appendTo(feed, owner, [{ key: 'often' }])
  const page = await drain(feed, null)
  expect([idsOf(page), page.hasMore]).toEqual([[first, last], false])
})
