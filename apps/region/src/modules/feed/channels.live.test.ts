import { keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { tidyFeed } from './operations/tidy.ts'
import { NONE, openFeed } from './testing/feeds.ts'

const world = await openWorld()
const company = await world.company()
const open = () => openFeed(world, company)

describe('a listener', () => {
  test('has its own channel: a drain without a listener reads the plain channel only [FEED-02]', async () => {
    const feed = await open()
    const before = await feed.append({})
    expect((await feed.drain({ listener: 'laptop' })).body).toEqual(NONE)
    const after = await feed.append({}, {})
    expect((await feed.drain()).ids).toEqual([...before, ...after])
    expect((await feed.drain()).body).toEqual(NONE)
    expect((await feed.drain({ listener: 'laptop', limit: '1' })).body).toMatchObject({
      changes: [{ id: after[0] }],
      has_more: true,
    })
    expect((await feed.drain({ listener: 'laptop' })).ids).toEqual(after.slice(1))
    expect((await feed.drain({ listener: 'laptop' })).body).toEqual(NONE)
  })

  test('reads neither the plain channel nor that of another listener', async () => {
    const feed = await open()
    for (const listener of ['a', 'b']) await feed.drain({ listener })
    const ids = await feed.append({}, {})
    for (const query of [{ listener: 'a' }, { listener: 'b' }, {}]) expect((await feed.drain(query)).ids).toEqual(ids)
    expect((await feed.drain({ listener: 'A' })).body).toEqual(NONE)
  })

  test('can be opened on a feed without events', async () => {
    const feed = await open()
    expect((await feed.drain({ listener: 'early' })).body).toEqual(NONE)
    const ids = await feed.append({})
    expect((await feed.drain({ listener: 'early' })).ids).toEqual(ids)
    expect((await feed.drain()).ids).toEqual(ids)
  })

  test('expires an hour after its last poll, whether or not a worker has tidied up', async () => {
    const feed = await open()
    await feed.drain({ listener: 'laptop' })
    world.clock.advance(3_599_000)
    const kept = await feed.append({})
    await tidyFeed(world.eu.modules.feed)
    expect((await feed.drain({ listener: 'laptop' })).ids).toEqual(kept)
    world.clock.advance(3_599_000)
    const keptAgain = await feed.append({})
    expect((await feed.drain({ listener: 'laptop' })).ids).toEqual(keptAgain)
    for (const tidy of [async () => {}, () => tidyFeed(world.eu.modules.feed)]) {
      await feed.append({})
      world.clock.advance(3_601_000)
      await tidy()
      expect((await feed.drain({ listener: 'laptop' })).body).toEqual(NONE)
      const fresh = await feed.append({})
      expect((await feed.drain({ listener: 'laptop' })).ids).toEqual(fresh)
    }
  })
})

describe('attempt_id', () => {
  test('answers the same events under the same ids although they are gone from the feed [FEED-05]', async () => {
    const feed = await open()
    const ids = await feed.append({}, {}, {})
    const attempt = { limit: '2', attempt_id: 'page 1 / ✓' }
    const first = await feed.drain(attempt)
    expect(first.ids).toEqual(ids.slice(0, 2))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect((await feed.drain()).ids).toEqual(ids.slice(2))
    expect((await feed.drain()).body).toEqual(NONE)
    for (let i = 0; i < 2; i += 1) {
      const repeated = await feed.drain(attempt)
      expect(repeated.headers.get('idempotent-replayed')).toBe('true')
      expect(repeated.body).toEqual({ changes: first.changes, has_more: false })
    }
    expect((await feed.drain()).body).toEqual(NONE)
  })

  test('answers the current has_more on a repeat', async () => {
    const feed = await open()
    await feed.append({})
    expect((await feed.drain({ attempt_id: 'a' })).hasMore).toBe(false)
    const more = await feed.append({})
    expect((await feed.drain({ attempt_id: 'a' })).hasMore).toBe(true)
    expect((await feed.drain({ attempt_id: 'b' })).ids).toEqual(more)
  })

  test('is refused with other parameters, and drains nothing', async () => {
    const feed = await open()
    await feed.drain({ listener: 'laptop' })
    await feed.append({})
    const attempt = { attempt_id: 'a', limit: '100' }
    await feed.drain(attempt)
    const waiting = await feed.append({})
    for (const other of [{ limit: '99' }, { listener: 'laptop' }, { listener: 'unheard-of' }]) {
      const refused = await feed.drain({ ...attempt, ...other })
      expect([refused.status, keyOf(refused)]).toEqual([400, 'company_data.attempt_invalid'])
    }
    // 100 is the default limit.
    expect((await feed.drain({ attempt_id: 'a' })).headers.get('idempotent-replayed')).toBe('true')
    expect((await feed.drain({ attempt_id: 'b' })).ids).toEqual(waiting)
  })

  test('can be reused after five minutes', async () => {
    const feed = await open()
    const [first] = await feed.append({})
    expect((await feed.drain({ attempt_id: 'a' })).ids).toEqual([first])
    const [second] = await feed.append({})
    world.clock.advance(299_000)
    expect((await feed.drain({ attempt_id: 'a' })).ids).toEqual([first])
    world.clock.advance(1000)
    const fresh = await feed.drain({ attempt_id: 'a', limit: '7' })
    expect([fresh.ids, fresh.headers.get('idempotent-replayed')]).toEqual([[second], null])
  })

  test('is scoped to its feed: another service that uses the same name gets its own events', async () => {
    const feed = await open()
    const ids = await feed.append({})
    const other = await open()
    const theirs = await other.append({})
    expect((await feed.drain({ attempt_id: 'a' })).ids).toEqual(ids)
    expect((await other.drain({ attempt_id: 'a' })).ids).toEqual(theirs)
  })

  test('answers one page to several concurrent calls', async () => {
    const feed = await open()
    const ids = await feed.append(...Array.from({ length: 50 }, () => ({})))
    const pages = await Promise.all(Array.from({ length: 6 }, () => feed.drain({ attempt_id: 'a', limit: '10' })))
    for (const page of pages) expect(page.ids).toEqual(ids.slice(0, 10))
    expect(pages.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect((await feed.drain()).ids).toEqual(ids.slice(10))
  })
})
