import { keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'
import { appendEvent } from './operations/append-events.ts'
import { CHANGES, connectionDeleted, NONE, openFeed, PERSON, requestAnswered } from './testing/feeds.ts'

const world = await openWorld({ own: true })
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const open = () => openFeed(world, northwind)

describe('GET /api/company-data/changes', () => {
  test('answers the queued events once: a drained event is gone on the next fetch [FEED-01]', async () => {
    const feed = await open()
    const ids = await feed.append({}, {})
    const first = await feed.drain()
    expect(first.status).toBe(200)
    expect(first.ids).toEqual(ids)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(first.changes[0]).toEqual({
      id: ids[0],
      event: 'connection_deleted',
      person_user_id: PERSON,
      share_code: 'MARAXX',
      customer_type: 'person',
      at: world.time(),
      connection_id: expect.any(String),
      service_id: feed.owner.serviceId,
    })
    expect((await feed.drain()).body).toEqual(NONE)
    const [later] = await feed.append({})
    expect((await feed.drain()).ids).toEqual([later])
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('answers pages, oldest first, of 100 by default and at most 500', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: 703 }, () => ({})))
    const pages = []
    for (const query of [{}, { limit: '2' }, { limit: '9999' }, { limit: '100' }, {}])
      pages.push(await feed.drain(query))
    expect(pages.map(({ ids: { length } }) => length)).toEqual([100, 2, 500, 100, 1])
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, true, true, false])
    expect(pages.flatMap((page) => page.ids)).toEqual(ids)
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('answers events in commit order, and a rolled back event leaves no gap', async () => {
    const feed = await open()
    const [first] = await feed.append({})
    const { database, clock, ids: fresh } = world.eu.platform
    const undone = database.transaction(async (tx) => {
      await appendEvent({ clock, ids: fresh }, tx, { owner: feed.owner, ...connectionDeleted(fresh.uuid()) })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const rest = await Promise.all(Array.from({ length: 20 }, () => feed.append({}, {})))
    const { ids, hasMore } = await feed.drain()
    expect([ids[0], ids.length, hasMore]).toEqual([first, 41, false])
    for (const pair of rest) expect(ids.join()).toContain(pair.join())
  })

  test.each([
    ['a limit of 0', { limit: '0' }],
    ['a limit that is not a number', { limit: 'ten' }],
    ['a negative limit', { limit: '-1' }],
    ['a listener with a space', { listener: 'my laptop' }],
    ['a listener without a name', { listener: '' }],
    ['a listener of 65 characters', { listener: 'x'.repeat(65) }],
    ['an attempt without a name', { attempt_id: '' }],
    ['an attempt of 65 characters', { attempt_id: 'x'.repeat(65) }],
  ])('refuses %s and drains nothing', async (_what, query) => {
    const feed = await open()
    const ids = await feed.append({})
    const refused = await feed.drain(query)
    expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
    expect((await feed.drain()).ids).toEqual(ids)
  })

  test('answers only the service itself: no call without a token, no other service, not the portal, no person', async () => {
    const feed = await open()
    const ids = await feed.append({})
    expect(keyOf(await world.anonymous('GET', CHANGES))).toBe('auth.token_missing')
    const otherService = await open()
    expect((await otherService.drain()).body).toEqual(NONE)
    expect((await northwind.data('GET', CHANGES)).text).not.toContain(ids[0])
    const refused = await northwind.portal('GET', CHANGES)
    expect([refused.status, keyOf(refused)]).toEqual([403, 'company_data.no_client'])
    const elsewhere = await harborline.data('GET', CHANGES, { url: world.eu.url ?? '' })
    expect([elsewhere.status, keyOf(elsewhere)]).toEqual([421, 'region.rebase_required'])
    expect((await feed.drain()).ids).toEqual(ids)
  })

  test('answers 404 for an unknown webhook, and leaves the plain channel alone', async () => {
    const feed = await open()
    const ids = await feed.append({})
    for (const id of [world.eu.platform.ids.uuid(), 'nonsense']) {
      const refused = await feed.drain({ webhook_id: id })
      expect([refused.status, keyOf(refused)]).toEqual([404, 'services.webhook_not_found'])
    }
    expect((await feed.drain()).ids).toEqual(ids)
  })

  test('refuses HEAD and prefetches, and drains nothing', async () => {
    const feed = await open()
    const ids = await feed.append({})
    const headers = { authorization: `Bearer ${await feed.token()}` }
    const url = `${world.eu.url}${CHANGES}`
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(405)
    const prefetch = await fetch(url, { headers: { ...headers, 'sec-purpose': 'prefetch;prerender' } })
    expect([prefetch.status, keyOf({ body: (await prefetch.json()) as Record<string, unknown> })]).toEqual([
      405,
      'request.method_not_allowed',
    ])
    expect((await feed.drain()).ids).toEqual(ids)
  })

  test('answers XML on request', async () => {
    const feed = await open()
    const [id] = await feed.append({})
    const headers = { authorization: `Bearer ${await feed.token()}`, accept: 'application/xml' }
    const answer = await fetch(`${world.eu.url}${CHANGES}`, { headers })
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(text).toContain(`<response><changes><item><id>${id}</id>`)
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('answers 503 and drains nothing while writes are paused or the region is out of order [FEED-06] [ERR-03]', async () => {
    const feed = await open()
    const ids = await feed.append({})
    const customer = await northwind.accountClient(['customer_connections'])
    const { database, clock } = world.eu.platform
    for (const [switches, key, seconds] of [
      [{ writesPaused: true, outOfOrder: false }, 'db.writes_paused', '30'],
      [{ writesPaused: false, outOfOrder: true }, 'platform.out_of_order', '300'],
    ] as const) {
      await turnSwitches({ database, clock }, switches)
      const refused = await feed.drain()
      expect([refused.status, keyOf(refused), refused.headers.get('retry-after')]).toEqual([503, key, seconds])
      expect(refused.changes).toEqual([])
      const ofCustomer = await customer.calls('GET', '/api/customer/changes')
      expect([ofCustomer.status, keyOf(ofCustomer)]).toEqual([503, key])
    }
    await turnSwitches({ database, clock }, { writesPaused: false, outOfOrder: false })
    expect((await feed.drain()).ids).toEqual(ids)
  })
})

describe('a pending event', () => {
  test('is kept for exactly seven days [FEED-04]', async () => {
    const feed = await open()
    const start = world.clock.now()
    const old = await feed.append({}, {})
    world.clock.advance(7 * 86_400_000 - 1)
    const fresh = await feed.append({})
    expect((await feed.drain({ limit: '1' })).ids).toEqual(old.slice(0, 1))
    world.clock.advance(1)
    expect((await feed.drain()).body).toMatchObject({ changes: [{ id: fresh[0] }], has_more: false })
    expect((await feed.drain()).body).toEqual(NONE)
    world.clock.set(start)
  })

  test('answers of one person to connect requests collapse to the latest one, at its position [FEED-11]', async () => {
    const feed = await open()
    const { ids } = world.eu.platform
    const [one, other] = [ids.uuid(), ids.uuid()]
    const accepted = requestAnswered('connection_request_accepted', feed.owner, one)
    const rejected = requestAnswered('connection_request_rejected', feed.owner, other)
    const ofAnother = requestAnswered('connection_request_accepted', feed.owner, ids.uuid(), northwind.companyId)
    const all = await feed.append(rejected, {}, accepted, ofAnother, {}, rejected)
    const page = await feed.drain()
    expect(page.ids).toEqual([all[1], all[3], all[4], all[5]])
    expect(page.changes.at(-1)).toMatchObject({ event: 'connection_request_rejected', request_id: other })
    // Delivered events neither hide later ones nor are hidden by them.
    const again = await feed.append(accepted)
    expect((await feed.drain()).ids).toEqual(again)
  })

  test('a later event of the same key hides an earlier one also across pages', async () => {
    const feed = await open()
    const { ids } = world.eu.platform
    const answered = () => requestAnswered('connection_request_accepted', feed.owner, ids.uuid())
    const all = await feed.append(answered(), {}, {}, answered(), {}, answered(), {})
    const pages = [await feed.drain({ limit: '2' }), await feed.drain({ limit: '2' }), await feed.drain()]
    expect(pages.map((page) => page.ids)).toEqual([[all[1], all[2]], [all[4], all[5]], [all[6]]])
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
  })
})
