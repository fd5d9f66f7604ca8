import type { Database } from '@sealpost/postgres'
import { openServiceCaller, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { takePage } from './drain.ts'
import { enterListener } from './listeners.ts'
import { type ChannelState, findChannel } from './store/channels.ts'
import { type TestFeed, testFeed } from './testing/feeds.ts'

const HOUR_MS = 3_600_000
const listener = 'laptop'
let two: TwoRegions
let feed: TestFeed

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_CHANGES: '6000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  feed = testFeed(two.eu.core.feed, await openServiceCaller(two))
  await feed.drain({ listener })
  two.clock.advance(HOUR_MS + 1000)
})

/** What a poll sees before it does anything. */
async function look(): Promise<ChannelState | null> {
  const { database, clock } = two.eu.core.feed
  const asked = { ownerId: feed.owner.serviceId, listener, webhookId: null }
  const attempt = { id: null, madeAfter: clock.now() }
  return (await database.read((read) => findChannel(read, asked, attempt)))?.state ?? null
}

function enter(state: ChannelState | null): Promise<number | null> {
  return enterListener(two.eu.core.feed, { owner: feed.owner, listener }, state)
}

describe('of two polls that find a listener of long ago', () => {
  test('one begins it anew: what it was told since does not come again by the other', async () => {
    const [slow, quick] = [await look(), await look()]
    expect(await enter(quick)).toBeNull()
    const ids = await feed.append({}, {}, {})
    expect((await feed.drain({ listener })).ids).toEqual(ids)
    await enter(slow)
    expect((await feed.drain({ listener })).ids).toEqual([])
  })

  test('one begins it anew: what came since is not lost by the other', async () => {
    const quick = await look()
    const ids = await feed.append({}, {}, {})
    const slow = await look()
    expect(await enter(quick)).toBeNull()
    expect(await enter(slow)).toBe(slow?.channel)
    expect((await feed.drain({ listener })).ids).toEqual(ids)
  })

  test('neither is told what came before it began anew', async () => {
    const { database } = two.eu.core.feed
    await feed.append({}, {}, {})
    let isOvertaken = false
    const overtaken: Database = {
      ...database,
      async read(work) {
        const seen = await database.read(work)
        if (!isOvertaken) {
          isOvertaken = true
          expect(await enter(await look())).toBeNull()
        }
        return seen
      },
    }
    const request = { owner: feed.owner, limit: 10, listener, webhookId: null, attemptId: null }
    expect((await takePage({ ...two.eu.core.feed, database: overtaken }, request)).events).toEqual([])
  })
})
