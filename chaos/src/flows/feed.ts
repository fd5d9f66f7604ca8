import { setTimeout as pause } from 'node:timers/promises'
import { type Calls, listOf, waitUntil } from '@sealpost/testkit'

/** An event as a feed delivers it. */
export type FeedEvent = Readonly<Record<string, unknown>>

/** Drains a feed during the whole run; each page is named, so that a lost answer loses nothing. */
export interface FeedReader {
  /** By id: delivery is at least once. */
  readonly events: ReadonlyMap<string, FeedEvent>
  /** Drains until so many events have come and nothing waits any more. */
  end(count: number): Promise<void>
}

const AGAIN_MS = 200
const IDLE_MS = 500
const ARRIVAL_MS = 120_000
const EMPTY_PAGES_AT_END = 3

export function readFeed(calls: Calls, path: string, name: string): FeedReader {
  const events = new Map<string, FeedEvent>()
  const state = { isEnding: false, empty: 0 }
  const drainPage = async (attempt: number): Promise<void> => {
    for (;;) {
      const answer = await calls('GET', `${path}?limit=200&attempt_id=${name}-${attempt}`).catch(() => null)
      if (answer?.status === 200) {
        const changes = listOf(answer.body['changes'])
        for (const event of changes) events.set(String(event['id']), event)
        state.empty = changes.length === 0 ? state.empty + 1 : 0
        if (answer.body['has_more'] !== true) await pause(IDLE_MS)
        return
      }
      await pause(AGAIN_MS)
    }
  }
  const draining = (async () => {
    for (let attempt = 0; !state.isEnding; attempt += 1) await drainPage(attempt)
  })()
  return {
    events,
    async end(count) {
      // A count that is never reached shows as missing events.
      await waitUntil(`${count} events have come`, ARRIVAL_MS, () => events.size >= count).catch(() => {})
      await waitUntil('nothing waits', ARRIVAL_MS, () => state.empty >= EMPTY_PAGES_AT_END).catch(() => {})
      state.isEnding = true
      await draining
    },
  }
}

export interface EventCounts {
  readonly events: number
  readonly missing_events: number
  readonly unexpected_events: number
  readonly misordered_events: number
}

/** Compares the events of each name with the expected ones, in their order. */
export function compareEvents(
  expected: ReadonlyMap<string, readonly string[]>,
  seen: ReadonlyMap<string, readonly string[]>,
): EventCounts {
  const counts = { events: 0, missing_events: 0, unexpected_events: 0, misordered_events: 0 }
  for (const name of new Set([...expected.keys(), ...seen.keys()])) {
    const [wanted, found] = [expected.get(name) ?? [], seen.get(name) ?? []]
    const [missing, unexpected] = [without(wanted, found), without(found, wanted)]
    counts.events += found.length
    counts.missing_events += missing
    counts.unexpected_events += unexpected
    if (missing + unexpected === 0 && wanted.join() !== found.join()) counts.misordered_events += 1
  }
  return counts
}

/** How many of these have no counterpart among the others. */
function without(these: readonly string[], others: readonly string[]): number {
  const left = [...others]
  return these.filter((one) => {
    const place = left.indexOf(one)
    if (place >= 0) left.splice(place, 1)
    return place < 0
  }).length
}
