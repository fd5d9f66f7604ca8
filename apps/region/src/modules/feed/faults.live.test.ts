import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { askToken, call, northwind, openWorld, scaled, startInstallation } from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewEvent, OwnerId } from './model.ts'
import { appendEvents } from './operations/append-events.ts'
import {
  CHANGES,
  changesAt,
  connectionDeleted,
  type Drained,
  NONE,
  openFeed,
  PERSON,
  readDrained,
  type TestFeed,
} from './testing/feeds.ts'
import { stickAt, type StuckCall } from './testing/stuck-call.ts'

/** A page of 20 MB, which does not fit into the socket buffers of a caller that does not read. */
const LONG = 200

const world = await openWorld()
const company = await world.company()
const open = () => openFeed(world, company)

const long = (): Partial<NewEvent> => ({
  kind: 'message_received',
  payload: {
    person_user_id: PERSON,
    share_code: 'MARAXX',
    message_id: PERSON,
    person_public_key: 'k'.repeat(100_000),
    created_at: world.time(),
    body: JSON.stringify({ _enc: 1, k: 'a', iv: 'b', d: 'c' }),
  },
})

async function drainAt(apiUrl: string, token: string, limit: string): Promise<Drained> {
  return readDrained(await call({ apiUrl, token }, 'GET', changesAt({ limit })))
}

/** Lets the leases of this feed expire. */
async function endLeases(database: Database, ownerId: OwnerId): Promise<number> {
  const sql = `update feed.page set leased_until = clock_timestamp() - interval '1 second'
    where owner_id = $1 and leased_until > clock_timestamp() returning id`
  return (await database.transaction((tx) => runStatement(tx, sql, [ownerId]))).length
}

describe('in one process', () => {
  async function stick(feed: TestFeed, query = ''): Promise<StuckCall> {
    return stickAt(`${world.eu.url}${CHANGES}?limit=${LONG}${query}`, await feed.token())
  }

  async function openLeases({ owner }: TestFeed): Promise<number> {
    const sql = 'select id from feed.page where owner_id = $1 and leased_until > clock_timestamp()'
    return (await world.rows(sql, [owner.serviceId])).length
  }

  /** The number of calls that the server logged as closed before their answer was sent. */
  function cutOffs(): number {
    return world.telemetry.lines().filter((line) => JSON.stringify(line).includes('"status":499')).length
  }

  test('a page whose caller disconnects during the answer is free again at once, under the same ids [FEED-05]', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: LONG }, long), {})
    const stuck = await stick(feed)
    expect((await feed.drain()).ids).toEqual(ids.slice(LONG))
    expect((await feed.drain()).body).toEqual(NONE)
    stuck.hangUp()
    await expect.poll(() => openLeases(feed), { timeout: scaled(5000) }).toBe(0)
    expect((await feed.drain({ limit: '500' })).ids).toEqual(ids.slice(0, LONG))
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('a caller that is slower than its lease gets the whole page, and so does the next one', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: LONG }, long))
    const stuck = await stick(feed)
    expect(await endLeases(world.eu.platform.database, feed.owner.serviceId)).toBe(1)
    expect((await feed.drain({ limit: '500' })).ids).toEqual(ids)
    const text = await stuck.readOn()
    for (const id of ids) expect(text).toContain(id)
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('an attempt that is repeated before its first answer fails keeps its events', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: LONG }, long))
    const before = cutOffs()
    const [first, second] = [await stick(feed, '&attempt_id=a'), await stick(feed, '&attempt_id=a')]
    first.hangUp()
    await expect.poll(cutOffs, { timeout: scaled(5000) }).toBe(before + 1)
    await world.eu.modules.feed.idle()
    expect((await feed.drain()).body).toEqual(NONE)
    expect(await openLeases(feed)).toBe(1)
    const text = await second.readOn()
    for (const id of ids) expect(text).toContain(id)
    expect((await feed.drain({ limit: String(LONG), attempt_id: 'a' })).ids).toEqual(ids)
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('an attempt whose first answer was cut off gets the same events again, and then they are gone', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: LONG }, long))
    const stuck = await stick(feed, '&attempt_id=a')
    stuck.hangUp()
    const attempt = { limit: String(LONG), attempt_id: 'a' }
    const repeated = await feed.drain(attempt)
    expect([repeated.ids, repeated.headers.get('idempotent-replayed')]).toEqual([ids, 'true'])
    await world.eu.modules.feed.idle()
    expect((await feed.drain()).body).toEqual(NONE)
    expect((await feed.drain(attempt)).ids).toEqual(ids)
  })

  test('parallel drains in two processes get 10,000 events, each exactly once', async () => {
    const feed = await open()
    const other = await world.another('eu')
    const ids: string[] = []
    for (let i = 0; i < 20; i += 1) ids.push(...(await feed.append(...Array.from({ length: 500 }, () => ({})))))
    const token = await feed.token()
    const drainAll = async (apiUrl: string): Promise<readonly Drained[]> => {
      const pages: Drained[] = []
      for (;;) {
        const page = await drainAt(apiUrl, token, '137')
        if (page.ids.length === 0) return pages
        pages.push(page)
      }
    }
    const urls = [world.eu.url ?? '', other.url ?? '']
    const drained = (await Promise.all([...urls, ...urls].map(drainAll))).flat()
    const seen = drained.flatMap((page) => page.ids)
    expect(seen).toHaveLength(ids.length)
    expect(new Set(seen)).toEqual(new Set(ids))
    for (const page of drained) expect(page.ids).toEqual(page.ids.toSorted())
    for (const { modules } of [world.eu, other]) await modules.feed.idle()
    const sql = 'select cursor, gone::text as gone from feed.channel where owner_id = $1'
    expect(await world.rows(sql, [feed.owner.serviceId])).toEqual([{ cursor: ids.length, gone: '{}' }])
  })

  test('concurrent appends to the same feeds in any order do not deadlock, and every event is delivered once', async () => {
    const feeds = [await open(), await open(), await open()]
    const { database, clock, ids } = world.eu.platform
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [2, 0, 1],
    ] as const
    const write = async (order: readonly number[]): Promise<void> => {
      const owners = order.flatMap((index) => feeds[index]?.owner ?? [])
      const events = owners.map((owner) => ({ owner, ...connectionDeleted(ids.uuid()) }))
      await database.transaction((tx) => appendEvents({ clock, ids }, tx, [...events, ...events]))
    }
    await Promise.all(Array.from({ length: 40 }, (_, i) => write(orders[i % orders.length] ?? [])))
    for (const each of feeds) expect((await each.drain({ limit: '500' })).ids).toHaveLength(80)
  })
})

describe('between lease and answer', () => {
  test('a killed process loses no event: its page is free again when the lease ends', async () => {
    const installation = await startInstallation({ settings: { DATABASE_POOL: '4' } })
    onTestFinished(() => installation.stop())
    const { eu, frontDoor } = installation
    const database = openDatabase({ url: installation.environment.eu['DATABASE_URL'] ?? '', poolSize: 2 })
    onTestFinished(() => database.close())
    const { clientId, clientSecret, companyId, serviceId } = northwind
    const token = String((await askToken({ frontDoor }, clientId, clientSecret)).body['access_token'])
    const ids = systemIds()
    const owner = { kind: 'service', companyId, serviceId } as const
    const events = Array.from({ length: LONG }, () => ({ owner, ...connectionDeleted(ids.uuid()), ...long() }))
    const appended = await database.transaction((tx) => appendEvents({ clock: systemClock, ids }, tx, events))
    const drain = () => drainAt(eu.url, token, '500')

    const stuck = await stickAt(`${eu.url}${CHANGES}?limit=${LONG}`, token)
    expect((await drain()).body).toEqual(NONE)
    await eu.kill()
    stuck.hangUp()
    await eu.start()
    expect((await drain()).body).toEqual(NONE)
    expect(await endLeases(database, serviceId)).toBe(1)
    expect((await drain()).ids).toEqual(appended)
    expect((await drain()).body).toEqual(NONE)
  })
})
