import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknownError, openDatabase } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { appendEvents } from '@sealpost/region/feed'
import { type EventOwner, KINDS, type MadeEvent, makeEvent } from './events.ts'
import { parsePublisherPlan, type PublishedRow, type PublisherReport } from './publisher-plan.ts'

/** Appends events as modules of the region do, in transactions of its own, and reports what was committed. */
const plan = parsePublisherPlan(process.env['PUBLISHER_PLAN'])
const database = openDatabase({ url: plan.databaseUrl, poolSize: plan.writers, applicationName: 'chaos-publisher' })
const needs = { clock: systemClock, ids: systemIds() }
const RETRY_MS = 100
const MOST_AT_ONCE = 4
const startedMs = performance.now()
let begun = 0

process.on('disconnect', () => process.exit(1))
await Promise.all(Array.from({ length: plan.writers }, (_, writer) => write(writer)))
report({ kind: 'done' })
await database.close()

async function write(writer: number): Promise<void> {
  const owners = plan.owners.filter((_, place) => place % plan.writers === writer)
  for (;;) {
    const count = Math.min(1 + Math.floor(Math.random() * MOST_AT_ONCE), plan.events - begun)
    if (count <= 0 || owners.length === 0) return
    begun += count
    await keepPace()
    // Now and then for several services at once, as an act of a person can be.
    const isForOne = Math.random() < 0.8
    const one = anyOf(owners)
    const events = Array.from({ length: count }, () => make(isForOne ? one : anyOf(owners)))
    await commit(events)
  }
}

/** Until it is committed, or nobody can tell. */
async function commit(events: readonly (readonly [EventOwner, MadeEvent])[]): Promise<void> {
  for (;;) {
    const tried: { ids: readonly string[] } = { ids: [] }
    try {
      await database.transaction(async (tx) => {
        tried.ids = await appendEvents(
          tx,
          needs,
          events.map(([, { event }]) => event),
        )
      })
      report({ kind: 'rows', rows: rowsOf(events, tried.ids), isSure: true, atMs: Date.now() })
      return
    } catch (error) {
      if (error instanceof CommitOutcomeUnknownError) {
        report({ kind: 'rows', rows: rowsOf(events, tried.ids), isSure: false, atMs: Date.now() })
        return
      }
      report({ kind: 'failed', reason: String(error) })
      await pause(RETRY_MS)
    }
  }
}

function rowsOf(
  events: readonly (readonly [EventOwner, MadeEvent])[],
  ids: readonly string[],
): readonly PublishedRow[] {
  return events.map(([owner, { event, mark }], place) => {
    const kind = KINDS.find((known) => known === event.kind)
    if (kind === undefined) throw new Error(`${event.kind} is not published here`)
    return { service: owner.number, id: ids[place] ?? '', kind, key: event.key, mark }
  })
}

function make(owner: EventOwner): readonly [EventOwner, MadeEvent] {
  const kinds = owner.slot === null ? KINDS.filter((kind) => kind !== 'field_updated') : KINDS
  return [owner, makeEvent(needs.ids, owner, anyOf(kinds), Math.floor(Math.random() * 1000))]
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('nothing to choose from')
  return one
}

async function keepPace(): Promise<void> {
  const dueMs = startedMs + (begun / plan.perSecond) * 1000
  const waitMs = dueMs - performance.now()
  if (waitMs > 0) await pause(waitMs)
}

function report(message: PublisherReport): void {
  process.send?.(message)
}
