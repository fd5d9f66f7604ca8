import { setTimeout as pause } from 'node:timers/promises'
import { readText } from './people.ts'
import { readSealed, type Shop, SLUG } from './shops.ts'

/** What the feed of one service has told, event by event. */
export interface Feed {
  readonly shop: Shop
  /** Connection -> the edit that its last event showed. */
  readonly newest: Map<string, number>
  readonly created: Map<string, number>
  events: number
  /** Events that showed an older edit than one before. */
  wentBack: number
  /** Of a kind that nothing here causes. */
  stray: number
  /** Drains until nothing waits any more. */
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

/** Polls as a service's backend does, all through the faults. A page that was not answered is asked for again by its name. */
export function followFeed(shop: Shop, personOf: (connectionId: string) => number | undefined): Feed {
  const run = { isEnding: false }
  const seen = new Set<string>()
  const feed: Feed = {
    shop,
    newest: new Map(),
    created: new Map(),
    events: 0,
    wentBack: 0,
    stray: 0,
    async end() {
      run.isEnding = true
      await running
    },
  }
  const note = async (change: Change): Promise<void> => {
    if (seen.has(change.id)) return
    seen.add(change.id)
    feed.events += 1
    await noteChange(feed, change, personOf)
  }
  const follow = async (): Promise<void> => {
    let page = 0
    for (let empty = 0; !run.isEnding || empty < EMPTY_POLLS_AT_END;) {
      const changes = await drain(shop, `page-${page}`)
      if (changes !== null) {
        page += 1
        empty = changes.length === 0 ? empty + 1 : 0
        for (const change of changes) await note(change)
      }
      if (changes === null || changes.length === 0) await pause(PAUSE_MS)
    }
  }
  const running = follow()
  return feed
}

async function drain({ call }: Shop, attempt: string): Promise<readonly Change[] | null> {
  try {
    const { status, body } = await call('GET', `/api/company-data/changes?limit=500&attempt_id=${attempt}`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
    return status === 200 ? (body['changes'] as readonly Change[]) : null
  } catch {
    return null
  }
}

async function noteChange(
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
    feed.stray += 1
    console.error(`a stray event: ${JSON.stringify(change)}`)
    return
  }
  const told = readText(await readSealed(feed.shop.opening, value))
  const before = feed.newest.get(id) ?? 0
  if (told.number !== number || told.edit < before) {
    feed.wentBack += 1
    console.error(`${feed.shop.name}: ${id} showed edit ${before} of person ${number}, then ${JSON.stringify(told)}`)
  }
  feed.newest.set(id, Math.max(before, told.edit))
}
