import type { Database } from '@sealpost/postgres'
import { openServiceCaller, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drainPage } from './operations/drain.ts'
import { enterListener } from './operations/enter-listener.ts'
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
  feed = testFeed(two.eu.modules.feed, await openServiceCaller(two))
  await feed.drain({ listener })
  two.clock.advance(HOUR_MS + 1000)
})

/** The state that a poll reads first. */
async function readState(): Promise<ChannelState | null> {
  const { database, clock } = two.eu.modules.feed
  const query = { ownerId: feed.owner.serviceId, listener, webhookId: null }
  const attempt = { id: null, madeAfter: clock.now() }
  return (await database.read((read) => findChannel(read, query, attempt)))?.state ?? null
}

function enter(state: ChannelState | null): Promise<number | null> {
  return enterListener(two.eu.modules.feed, { owner: feed.owner, listener }, state)
}

describe('two concurrent polls of an expired listener', () => {
  test('restart it once: events delivered since are not delivered again', async () => {
    const [slow, quick] = [await readState(), await readState()]
    expect(await enter(quick)).toBeNull()
    const ids = await feed.append({}, {}, {})
    expect((await feed.drain({ listener })).ids).toEqual(ids)
    await enter(slow)
    expect((await feed.drain({ listener })).ids).toEqual([])
  })

  test('restart it once: events appended since are not lost', async () => {
    const quick = await readState()
    const ids = await feed.append({}, {}, {})
    const slow = await readState()
    expect(await enter(quick)).toBeNull()
    expect(await enter(slow)).toBe(slow?.channel)
    expect((await feed.drain({ listener })).ids).toEqual(ids)
  })

  test('answer no event from before the restart', async () => {
    const { database } = two.eu.modules.feed
    await feed.append({}, {}, {})
    let isOvertaken = false
    const overtaken: Database = {
      ...database,
      async read(work) {
        const seen = await database.read(work)
        if (!isOvertaken) {
          isOvertaken = true
          expect(await enter(await readState())).toBeNull()
        }
        return seen
      },
    }
    const request = { owner: feed.owner, limit: 10, listener, webhookId: null, attemptId: null }
    expect((await drainPage({ ...two.eu.modules.feed, database: overtaken }, request)).events).toEqual([])
  })
})
