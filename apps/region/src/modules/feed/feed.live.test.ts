import { partitionOf } from '@sealpost/postgres'
import { type Calls, keyOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FeedResolver, FeedResolvers, NewEvent } from './model.ts'
import { appendEvents } from './operations/append-events.ts'
import { deleteFeed } from './operations/delete-feed.ts'
import { tidyFeed } from './operations/tidy.ts'
import {
  appendTo,
  changesAt,
  connectionDeleted,
  CUSTOMER_CHANGES,
  type Drained,
  NONE,
  openFeed,
  type Query,
  readDrained,
} from './testing/feeds.ts'

const DAY_MS = 86_400_000

const world = await openWorld({ own: true })
const { northwind, mara } = await world.personas('northwind', 'mara')
const open = () => openFeed(world, northwind)
const context = world.eu.modules.feed

async function drainOf(calls: Calls, query: Query = {}): Promise<Drained> {
  return readDrained(await calls('GET', changesAt(query, CUSTOMER_CHANGES)))
}

/** Registers resolvers for one test. */
function resolveWith(resolvers: FeedResolvers): void {
  const all: FeedResolvers = context.resolvers
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
    const feed = await open()
    const calls: (readonly string[])[] = []
    let state = 'first'
    const resolver: FeedResolver = {
      async resolve(_read, owner, events) {
        expect(owner).toEqual(feed.owner)
        calls.push(events.map(({ payload }) => String(payload['slug'])))
        const resolved = events.flatMap(({ id, kind, payload }) => {
          if (payload['slug'] === 'nothing') return []
          const isGone = payload['slug'] === 'gone'
          return [[id, { event: isGone ? 'field_deleted' : kind, members: { share_code: state } }] as const]
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
    const feed = await open()
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
    await expect.poll(async () => (await feed.drain()).ids, { timeout: scaled(5000) }).toEqual(ids)
  })

  test('an event that does not match its schema is left out and logged, and the others are delivered', async () => {
    const feed = await open()
    const ids = await feed.append({}, { payload: { person_user_id: mara.userId, share_code: 'SECRETCODE' } }, {})
    expect((await feed.drain()).ids).toEqual([ids[0], ids[2]])
    const logged = world.telemetry.lines().find((line) => JSON.stringify(line).includes(String(ids[1])))
    expect(JSON.stringify(logged)).toContain('does not match its schema')
    expect(JSON.stringify(world.telemetry.lines())).not.toContain('SECRETCODE')
    expect((await feed.drain()).body).toEqual(NONE)
  })
})

describe('GET /api/customer/changes', () => {
  const { portal } = northwind
  const owner = { kind: 'account', accountId: northwind.companyId } as const
  const payload = { company_share_code: 'HARBRL', service_share_code: 'ACCOUNT' }

  test('drains the feed of a customer company for its portal and for an allowed client', async () => {
    const [one] = await appendTo(context, owner, [{ kind: 'share_changed', payload }])
    const drained = await drainOf(portal)
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
    const [other] = await appendTo(context, owner, [{ kind: 'connection_deleted', payload }])
    const client = await northwind.accountClient(['customer_connections'])
    expect((await drainOf(client.calls, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainOf(portal, { attempt_id: 'x' })).ids).toEqual([other])
    expect((await drainOf(portal)).body).toEqual(NONE)
  })

  test('refuses persons, clients without the group and calls without a token', async () => {
    const client = await northwind.accountClient(['oauth_apps'])
    for (const calls of [mara.calls, client.calls]) {
      const refused = await calls('GET', CUSTOMER_CHANGES)
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    expect(keyOf(await world.anonymous('GET', CUSTOMER_CHANGES))).toBe('auth.token_missing')
  })

  test('is separate from the feeds of the company’s own services', async () => {
    const feed = await open()
    const [mine] = await appendTo(context, owner, [{ kind: 'connection_deleted', payload }])
    const theirs = await feed.append({})
    expect((await feed.drain()).ids).toEqual(theirs)
    expect((await drainOf(portal)).ids).toEqual([mine])
  })
})

describe('a deleted feed', () => {
  test('is empty at once, and discards later events without an error', async () => {
    const feed = await open()
    const { database, clock, ids } = world.eu.platform
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain({ listener: 'laptop' })
    await database.transaction((tx) => deleteFeed({ clock }, tx, feed.owner))
    for (const query of [{}, { limit: '1', attempt_id: 'a' }, { listener: 'laptop' }, { listener: 'other' }])
      expect((await feed.drain(query)).body).toEqual(NONE)
    const other = await open()
    const both = [feed.owner, other.owner].map((owner) => ({ owner, ...connectionDeleted(ids.uuid()) }))
    const appended = await database.transaction((tx) => appendEvents({ clock, ids }, tx, both))
    expect((await feed.drain()).body).toEqual(NONE)
    expect((await other.drain()).ids).toEqual(appended.slice(1))
    await database.transaction((tx) => deleteFeed({ clock }, tx, feed.owner))
  })
})

describe('tidyFeed', () => {
  test('empties the partition of a day that is no longer visible, and no other', async () => {
    const feed = await open()
    const start = world.clock.now()
    const rows = async (): Promise<number> => {
      return (await world.rows('select no from feed.event where owner_id = $1', [feed.owner.serviceId])).length
    }
    for (let day = 0; day < 8; day += 1) {
      await feed.append({})
      await tidyFeed(context)
      world.clock.advance(DAY_MS)
    }
    expect(await rows()).toBe(8)
    await tidyFeed(context)
    expect(await rows()).toBe(7)
    // A partition is reused before it was swept: its new events must stay.
    world.clock.set(start)
    world.clock.advance(10 * DAY_MS)
    expect(partitionOf(world.clock.now())).toBe(partitionOf(start))
    const young = await feed.append({})
    for (let day = 0; day < 7; day += 1) {
      await tidyFeed(context)
      if (day < 6) world.clock.advance(DAY_MS)
    }
    expect((await feed.drain()).ids).toEqual(young)
    world.clock.set(start)
  })

  test('deletes pages that cannot be requested again', async () => {
    const feed = await open()
    const pages = async (): Promise<number> => {
      return (await world.rows('select id from feed.page where owner_id = $1', [feed.owner.serviceId])).length
    }
    await feed.append({}, {})
    await feed.drain({ limit: '1', attempt_id: 'a' })
    await feed.drain()
    await expect.poll(pages, { timeout: scaled(5000) }).toBe(1)
    await tidyFeed(context)
    expect(await pages()).toBe(1)
    world.clock.advance(301_000)
    await tidyFeed(context)
    expect(await pages()).toBe(0)
  })
})
