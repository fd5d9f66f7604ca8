import type { EventId } from '@sealpost/kernel'
import { runStatement, shelfOf } from '@sealpost/postgres'
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
import { appendEvents } from './append.ts'
import { dropFeed } from './drop.ts'
import type { FeedResolver, FeedResolvers, NewEvent, ResolvedEvent } from './event.ts'
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
import { tidyFeed } from './upkeep.ts'

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
  return testFeed(two.eu.core.feed, await openServiceCaller(two))
}

async function drainAt(who: Pick<LoggedIn, 'token' | 'apiUrl'>, path: string, query: Query = {}): Promise<Drained> {
  return readDrained(await call(who, 'GET', changesAt(query, path)))
}

/** Lets a resolver tell events of these kinds for one test. */
function resolveWith(resolvers: FeedResolvers): void {
  const all: FeedResolvers = two.eu.core.feed.resolvers
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

describe('events that are told as they are at delivery', () => {
  test('are asked for once per page, and may have become something else or nothing', async () => {
    const asked: (readonly string[])[] = []
    let state = 'first'
    const resolver: FeedResolver = {
      async resolve(_read, owner, events) {
        expect(owner).toEqual(feed.owner)
        asked.push(events.map(({ payload }) => String(payload['slug'])))
        const told = events.flatMap(({ id, kind, payload }): [EventId, ResolvedEvent][] => {
          if (payload['slug'] === 'nothing') return []
          const isGone = payload['slug'] === 'gone'
          return [[id, { event: isGone ? 'field_deleted' : kind, members: { share_code: state } }]]
        })
        return new Map(told)
      },
    }
    resolveWith({ consent_declined: resolver, flow_completed: resolver })
    const run = { kind: 'flow_completed', payload: { ...declined('run').payload, flow_run_id: mara.userId } } as const
    const ids = await feed.append(declined('iban'), {}, declined('nothing'), declined('gone'), run)
    const first = await feed.drain({ attempt_id: 'a' })
    expect(asked).toEqual([['iban', 'nothing', 'gone', 'run']])
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

  test('stay in the feed when they cannot be told', async () => {
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

  test('an event that breaks its promise is left out with an alarm, and the others still come', async () => {
    const ids = await feed.append({}, { payload: { person_user_id: mara.userId, share_code: 'SECRETCODE' } }, {})
    expect((await feed.drain()).ids).toEqual([ids[0], ids[2]])
    const alarm = two.telemetry.lines().find((line) => JSON.stringify(line).includes(String(ids[1])))
    expect(JSON.stringify(alarm)).toContain('not what its kind promises')
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

  test('drains the feed of a company that is a customer, for its portal and for a client that may', async () => {
    const [one] = await appendTo(two.eu.core.feed, owner, [{ kind: 'share_changed', payload }])
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
    const [other] = await appendTo(two.eu.core.feed, owner, [{ kind: 'connection_deleted', payload }])
    const client = await openAccountClient(two, portal, ['customer_connections'])
    expect((await drainAt(client, CUSTOMER_CHANGES, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainAt(portal, CUSTOMER_CHANGES, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainAt(portal, CUSTOMER_CHANGES)).body).toEqual(NONE)
  })

  test('is not for persons, nor for a client without the group, nor without a login', async () => {
    const person = await logIn(two, { email: mara.email, authVerifier: mara.login.authVerifier })
    const client = await openAccountClient(two, portal, ['oauth_apps'])
    for (const who of [person, client]) {
      const refused = await call(who, 'GET', CUSTOMER_CHANGES)
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    expect(keyOf(await call(portal.apiUrl, 'GET', CUSTOMER_CHANGES))).toBe('auth.token_missing')
  })

  test('is apart from the feeds of the company’s own services', async () => {
    const [mine] = await appendTo(two.eu.core.feed, owner, [{ kind: 'connection_deleted', payload }])
    const theirs = await feed.append({})
    expect((await feed.drain()).ids).toEqual(theirs)
    expect((await drainAt(portal, CUSTOMER_CHANGES)).ids).toEqual([mine])
  })
})

describe('a feed that is dropped', () => {
  test('is empty at once, takes nothing any more and says nothing about it', async () => {
    const { database, clock, ids } = two.eu.core
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain({ listener: 'laptop' })
    await database.transaction((tx) => dropFeed(tx, { clock }, feed.owner))
    for (const query of [{}, { limit: '1', attempt_id: 'a' }, { listener: 'laptop' }, { listener: 'other' }])
      expect((await feed.drain(query)).body).toEqual(NONE)
    const other = await openFeed()
    const both = [feed.owner, other.owner].map((owner) => ({ owner, ...connectionDeleted(ids.uuid()) }))
    const appended = await database.transaction((tx) => appendEvents(tx, { clock, ids }, both))
    expect((await feed.drain()).body).toEqual(NONE)
    expect((await other.drain()).ids).toEqual(appended.slice(1))
    await database.transaction((tx) => dropFeed(tx, { clock }, feed.owner))
  })
})

describe('tidying up', () => {
  test('empties the shelf of a day when nobody can see it any more, and no other', async () => {
    const { feed: needs, database } = two.eu.core
    const start = two.clock.now()
    const rows = async (): Promise<number> => {
      const sql = 'select count(*)::float8 as n from feed.event where owner_id = $1'
      const [row] = await database.read((read) => runStatement<{ n: number }>(read, sql, [feed.owner.serviceId]))
      return row?.n ?? -1
    }
    for (let day = 0; day < 8; day += 1) {
      await feed.append({})
      await tidyFeed(needs)
      two.clock.advance(DAY_MS)
    }
    expect(await rows()).toBe(8)
    await tidyFeed(needs)
    expect(await rows()).toBe(7)
    // A shelf comes into use again while nobody tidied up: nothing that is young may go.
    two.clock.set(start)
    two.clock.advance(10 * DAY_MS)
    expect(shelfOf(two.clock.now())).toBe(shelfOf(start))
    const young = await feed.append({})
    for (let day = 0; day < 7; day += 1) {
      await tidyFeed(needs)
      if (day < 6) two.clock.advance(DAY_MS)
    }
    expect((await feed.drain()).ids).toEqual(young)
    two.clock.set(start)
  })

  test('forgets pages that nobody can ask for again', async () => {
    const { feed: needs, database } = two.eu.core
    const pages = async (): Promise<number> => {
      const sql = 'select id from feed.page where owner_id = $1'
      return (await database.read((read) => runStatement(read, sql, [feed.owner.serviceId]))).length
    }
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain()
    await expect.poll(pages).toBe(1)
    await tidyFeed(needs)
    expect(await pages()).toBe(1)
    two.clock.advance(301_000)
    await tidyFeed(needs)
    expect(await pages()).toBe(0)
  })
})
