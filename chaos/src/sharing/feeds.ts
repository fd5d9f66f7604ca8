import { setTimeout as pause } from 'node:timers/promises'
import { SLUG } from '../request-row.ts'
import { openSealed } from '../sealing.ts'
import { readText } from './people.ts'
import type { ReceivingService } from './services.ts'

/** The events that one service has read from its feed. */
export interface Feed {
  readonly service: ReceivingService
  /** By connection: the edit in its last event. */
  readonly newest: Map<string, number>
  readonly created: Map<string, number>
  events: number
  /** Events with an older edit than an event before. */
  stale: number
  /** Of a kind that this run does not cause. */
  unexpected: number
  /** Drains until nothing waits. */
  end(): Promise<void>
}

interface Change {
  readonly id: string
  readonly event: string
  readonly connection_id?: string
  readonly slug?: string
  readonly value?: string
}

const PAUSE_MS = 200
const EMPTY_POLLS_AT_END = 3

/** Polls like the backend of a service. A page without an answer is requested again with its attempt id. */
export function followFeed(service: ReceivingService, personOf: (connectionId: string) => number | undefined): Feed {
  const run = { isEnding: false }
  const seen = new Set<string>()
  const feed: Feed = {
    service,
    newest: new Map(),
    created: new Map(),
    events: 0,
    stale: 0,
    unexpected: 0,
    async end() {
      run.isEnding = true
      await running
    },
  }
  const record = async (change: Change): Promise<void> => {
    if (seen.has(change.id)) return
    seen.add(change.id)
    feed.events += 1
    await recordChange(feed, change, personOf)
  }
  const follow = async (): Promise<void> => {
    let page = 0
    for (let empty = 0; !run.isEnding || empty < EMPTY_POLLS_AT_END;) {
      const changes = await drain(service, `page-${page}`)
      if (changes !== null) {
        page += 1
        empty = changes.length === 0 ? empty + 1 : 0
        for (const change of changes) await record(change)
      }
      if (changes === null || changes.length === 0) await pause(PAUSE_MS)
    }
  }
  const running = follow()
  return feed
}

async function drain({ call }: ReceivingService, attempt: string): Promise<readonly Change[] | null> {
  try {
    const { status, body } = await call('GET', `/api/company-data/changes?limit=500&attempt_id=${attempt}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
    return status === 200 ? (body['changes'] as readonly Change[]) : null
  } catch {
    return null
  }
}

async function recordChange(
  feed: Feed,
  change: Change,
  personOf: (connectionId: string) => number | undefined,
): Promise<void> {
  const { event, connection_id: id = '', slug, value } = change
  const number = personOf(id)
  if (event === 'connection_created') {
    feed.created.set(id, (feed.created.get(id) ?? 0) + 1)
    return
  }
  if (event !== 'field_updated' || slug !== SLUG || value === undefined || number === undefined) {
    feed.unexpected += 1
    console.error(`unexpected event: ${JSON.stringify(change)}`)
    return
  }
  const read = readText(await openSealed(feed.service.opening, value))
  const before = feed.newest.get(id) ?? 0
  if (read.number !== number || read.edit < before) {
    feed.stale += 1
    console.error(
      `${feed.service.name}: connection ${id} had edit ${before} of person ${number}, then ${JSON.stringify(read)}`,
    )
  }
  feed.newest.set(id, Math.max(before, read.edit))
}
