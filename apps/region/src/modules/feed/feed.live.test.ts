import type { EventId } from '@sealpost/kernel'
import { partitionOf, runStatement } from '@sealpost/postgres'
import {
  call,
  keyOf,
  type LoggedIn,
  logIn,
  mara,
  northwind,
  openAccountClient,
  openServiceCaller,
  startTwoRegions,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { FeedResolver, FeedResolvers, NewEvent, ResolvedEvent } from './model.ts'
import { appendEvents } from './operations/append-events.ts'
import { deleteFeed } from './operations/delete-feed.ts'
import { tidyFeed } from './operations/tidy.ts'
import {
  appendTo,
  changesAt,
  connectionDeleted,
  CUSTOMER_CHANGES,
  type Drained,
  type Query,
  readDrained,
  type TestFeed,
  testFeed,
} from './testing/feeds.ts'

const NONE = { changes: [], has_more: false }
const DAY_MS = 86_400_000
let two: TwoRegions
let feed: TestFeed

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_CHANGES: '6000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  feed = await openFeed()
})

async function openFeed(): Promise<TestFeed> {
  return testFeed(two.eu.modules.feed, await openServiceCaller(two))
}

async function drainAt(who: Pick<LoggedIn, 'token' | 'apiUrl'>, path: string, query: Query = {}): Promise<Drained> {
  return readDrained(await call(who, 'GET', changesAt(query, path)))
}

/** Registers resolvers for one test. */
function resolveWith(resolvers: FeedResolvers): void {
  const all: FeedResolvers = two.eu.modules.feed.resolvers
  const before = { ...all }
  Object.assign(all, resolvers)
  onTestFinished(() => {
    for (const kind of Object.keys(resolvers)) Reflect.deleteProperty(all, kind)
    Object.assign(all, before)
  })
}

function declined(slug: string): Partial<NewEvent> {
  const payload = { person_user_id: mara.userId, share_code: mara.shareCode, slug, request_field_id: 'own business' }
  return { kind: 'consent_declined', payload }
}

describe('events that are resolved at delivery', () => {
  test('are resolved once per page, to another kind or to nothing', async () => {
    const calls: (readonly string[])[] = []
    let state = 'first'
    const resolver: FeedResolver = {
      async resolve(_read, owner, events) {
        expect(owner).toEqual(feed.owner)
        calls.push(events.map(({ payload }) => String(payload['slug'])))
        const resolved = events.flatMap(({ id, kind, payload }): [EventId, ResolvedEvent][] => {
          if (payload['slug'] === 'nothing') return []
          const isGone = payload['slug'] === 'gone'
          return [[id, { event: isGone ? 'field_deleted' : kind, members: { share_code: state } }]]
        })
        return new Map(resolved)
      },
    }
    resolveWith({ consent_declined: resolver, flow_completed: resolver })
    const run = { kind: 'flow_completed', payload: { ...declined('run').payload, flow_run_id: mara.userId } } as const
    const ids = await feed.append(declined('iban'), {}, declined('nothing'), declined('gone'), run)
    const first = await feed.drain({ attempt_id: 'a' })
    expect(calls).toEqual([['iban', 'nothing', 'gone', 'run']])
    expect(first.changes.map(({ id, event, share_code: code }) => [id, event, code])).toEqual([
      [ids[0], 'consent_declined', 'first'],
      [ids[1], 'connection_deleted', mara.shareCode],
      [ids[3], 'field_deleted', 'first'],
      [ids[4], 'flow_completed', 'first'],
    ])
    expect(first.text).not.toContain('request_field_id')
    expect(first.text).not.toContain('own business')
    state = 'second'
    const repeated = await feed.drain({ attempt_id: 'a' })
    expect(repeated.ids).toEqual(first.ids)
    expect(repeated.changes[0]).toMatchObject({ slug: 'iban', share_code: 'second' })
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('stay in the feed when their resolver fails', async () => {
    let isBroken = true
    resolveWith({
      consent_declined: {
        async resolve(_read, _owner, events) {
          if (isBroken) throw new Error('away')
          return new Map(events.map(({ id, kind }) => [id, { event: kind, members: {} }]))
        },
      },
    })
    const ids = await feed.append({}, declined('iban'))
    expect((await feed.drain()).status).toBe(500)
    isBroken = false
    await expect.poll(async () => (await feed.drain()).ids).toEqual(ids)
  })

  test('an event that does not match its schema is left out and logged, and the others are delivered', async () => {
    const ids = await feed.append({}, { payload: { person_user_id: mara.userId, share_code: 'SECRETCODE' } }, {})
    expect((await feed.drain()).ids).toEqual([ids[0], ids[2]])
    const logged = two.telemetry.lines().find((line) => JSON.stringify(line).includes(String(ids[1])))
    expect(JSON.stringify(logged)).toContain('does not match its schema')
    expect(JSON.stringify(two.telemetry.lines())).not.toContain('SECRETCODE')
    expect((await feed.drain()).body).toEqual(NONE)
  })
})

describe('GET /api/customer/changes', () => {
  const owner = { kind: 'account', accountId: northwind.companyId } as const
  const payload = { company_share_code: 'HARBRL', service_share_code: 'ACCOUNT' }
  let portal: LoggedIn

  beforeAll(async () => {
    const { email, login } = northwind
    portal = await logIn(two, { email, authVerifier: login.authVerifier })
  })

  test('drains the feed of a customer company for its portal and for an allowed client', async () => {
    const [one] = await appendTo(two.eu.modules.feed, owner, [{ kind: 'share_changed', payload }])
    const drained = await drainAt(portal, CUSTOMER_CHANGES)
    expect(drained.body).toEqual({
      changes: [
        {
          id: one,
          event: 'share_changed',
          at: expect.any(String),
          connection_id: expect.any(String),
          ...payload,
        },
      ],
      has_more: false,
    })
    expect(drained.headers.get('ratelimit-policy')).toContain('"changes"')
    const [other] = await appendTo(two.eu.modules.feed, owner, [{ kind: 'connection_deleted', payload }])
    const client = await openAccountClient(two, portal, ['customer_connections'])
    expect((await drainAt(client, CUSTOMER_CHANGES, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainAt(portal, CUSTOMER_CHANGES, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainAt(portal, CUSTOMER_CHANGES)).body).toEqual(NONE)
  })

  test('refuses persons, clients without the group and calls without a token', async () => {
    const person = await logIn(two, { email: mara.email, authVerifier: mara.login.authVerifier })
    const client = await openAccountClient(two, portal, ['oauth_apps'])
    for (const who of [person, client]) {
      const refused = await call(who, 'GET', CUSTOMER_CHANGES)
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    expect(keyOf(await call(portal.apiUrl, 'GET', CUSTOMER_CHANGES))).toBe('auth.token_missing')
  })

  test('is separate from the feeds of the company’s own services', async () => {
    const [mine] = await appendTo(two.eu.modules.feed, owner, [{ kind: 'connection_deleted', payload }])
    const theirs = await feed.append({})
    expect((await feed.drain()).ids).toEqual(theirs)
    expect((await drainAt(portal, CUSTOMER_CHANGES)).ids).toEqual([mine])
  })
})

describe('a deleted feed', () => {
  test('is empty at once, and discards later events without an error', async () => {
    const { database, clock, ids } = two.eu.platform
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain({ listener: 'laptop' })
    await database.transaction((tx) => deleteFeed({ clock }, tx, feed.owner))
    for (const query of [{}, { limit: '1', attempt_id: 'a' }, { listener: 'laptop' }, { listener: 'other' }])
      expect((await feed.drain(query)).body).toEqual(NONE)
    const other = await openFeed()
    const both = [feed.owner, other.owner].map((owner) => ({ owner, ...connectionDeleted(ids.uuid()) }))
    const appended = await database.transaction((tx) => appendEvents({ clock, ids }, tx, both))
    expect((await feed.drain()).body).toEqual(NONE)
    expect((await other.drain()).ids).toEqual(appended.slice(1))
    await database.transaction((tx) => deleteFeed({ clock }, tx, feed.owner))
  })
})

describe('tidyFeed', () => {
  test('empties the partition of a day that is no longer visible, and no other', async () => {
    const { database } = two.eu.platform
    const { feed: context } = two.eu.modules
    const start = two.clock.now()
    const rows = async (): Promise<number> => {
      const sql = 'select count(*)::float8 as n from feed.event where owner_id = $1'
      const [row] = await database.read((read) => runStatement<{ n: number }>(read, sql, [feed.owner.serviceId]))
      return row?.n ?? -1
    }
    for (let day = 0; day < 8; day += 1) {
      await feed.append({})
      await tidyFeed(context)
      two.clock.advance(DAY_MS)
    }
    expect(await rows()).toBe(8)
    await tidyFeed(context)
    expect(await rows()).toBe(7)
    // A partition is reused before it was swept: its new events must stay.
    two.clock.set(start)
    two.clock.advance(10 * DAY_MS)
    expect(partitionOf(two.clock.now())).toBe(partitionOf(start))
    const young = await feed.append({})
    for (let day = 0; day < 7; day += 1) {
      await tidyFeed(context)
      if (day < 6) two.clock.advance(DAY_MS)
    }
    expect((await feed.drain()).ids).toEqual(young)
    two.clock.set(start)
  })

  test('deletes pages that cannot be requested again', async () => {
    const { database } = two.eu.platform
    const { feed: context } = two.eu.modules
    const pages = async (): Promise<number> => {
      const sql = 'select id from feed.page where owner_id = $1'
      return (await database.read((read) => runStatement(read, sql, [feed.owner.serviceId]))).length
    }
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain()
    await expect.poll(pages).toBe(1)
    await tidyFeed(context)
    expect(await pages()).toBe(1)
    two.clock.advance(301_000)
    await tidyFeed(context)
    expect(await pages()).toBe(0)
  })
})
