import type { Database } from '@sealpost/postgres'
import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { drainPage } from './operations/drain.ts'
import { enterListener } from './operations/enter-listener.ts'
import { type ChannelState, findChannel } from './store/channels.ts'
import { openFeed, type TestFeed } from './testing/feeds.ts'

const HOUR_MS = 3_600_000
const listener = 'laptop'

const world = await openWorld()
const company = await world.company()
const context = world.eu.modules.feed

/** A feed whose listener has expired. */
async function open(): Promise<TestFeed> {
  const feed = await openFeed(world, company)
  await feed.drain({ listener })
  world.clock.advance(HOUR_MS + 1000)
  return feed
}

/** The state that a poll reads first. */
async function readState({ owner }: TestFeed): Promise<ChannelState | null> {
  const { database, clock } = context
  const query = { ownerId: owner.serviceId, listener, webhookId: null }
  const attempt = { id: null, madeAfter: clock.now() }
  return (await database.read((read) => findChannel(read, query, attempt)))?.state ?? null
}

function enter({ owner }: TestFeed, state: ChannelState | null): Promise<number | null> {
  return enterListener(context, { owner, listener }, state)
}

describe('two concurrent polls of an expired listener', () => {
  test('restart it once: events delivered since are not delivered again', async () => {
    const feed = await open()
    const [slow, quick] = [await readState(feed), await readState(feed)]
    expect(await enter(feed, quick)).toBeNull()
    const ids = await feed.append({}, {}, {})
    expect((await feed.drain({ listener })).ids).toEqual(ids)
    await enter(feed, slow)
    expect((await feed.drain({ listener })).ids).toEqual([])
  })

  test('restart it once: events appended since are not lost', async () => {
    const feed = await open()
    const quick = await readState(feed)
    const ids = await feed.append({}, {}, {})
    const slow = await readState(feed)
    expect(await enter(feed, quick)).toBeNull()
    expect(await enter(feed, slow)).toBe(slow?.channel)
    expect((await feed.drain({ listener })).ids).toEqual(ids)
  })

  test('answer no event from before the restart', async () => {
    const feed = await open()
    const { database } = context
    await feed.append({}, {}, {})
    let isOvertaken = false
    const overtaken: Database = {
      ...database,
      async read(work) {
        const seen = await database.read(work)
        if (!isOvertaken) {
          isOvertaken = true
          expect(await enter(feed, await readState(feed))).toBeNull()
        }
        return seen
      },
    }
    const request = { owner: feed.owner, limit: 10, listener, webhookId: null, attemptId: null }
    expect((await drainPage({ ...context, database: overtaken }, request)).events).toEqual([])
  })
})
