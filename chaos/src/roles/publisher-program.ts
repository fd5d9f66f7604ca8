import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknownError, openDatabase } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { appendEvents } from '@sealpost/region/feed'
import { type EventOwner, KINDS, type MadeEvent, makeEvent } from './events.ts'
import { parsePublisherPlan, type PublishedRow, type PublisherReport } from './publisher-plan.ts'

/** Appends events as modules of the region do and reports the committed rows. */
const plan = parsePublisherPlan(process.env['PUBLISHER_PLAN'])
const database = openDatabase({ url: plan.databaseUrl, poolSize: plan.writers, applicationName: 'chaos-publisher' })
const platform = { clock: systemClock, ids: systemIds() }
const RETRY_MS = 100
const MAX_EVENTS = 4
const startedMs = performance.now()
let begun = 0

process.on('disconnect', () => process.exit(1))
await Promise.all(Array.from({ length: plan.writers }, (_, writer) => write(writer)))
report({ kind: 'done' })
await database.close()

async function write(writer: number): Promise<void> {
  const owners = plan.owners.filter((_, index) => index % plan.writers === writer)
  for (;;) {
    const count = Math.min(1 + Math.floor(Math.random() * MAX_EVENTS), plan.events - begun)
    if (count <= 0 || owners.length === 0) return
    begun += count
    await keepPace()
    // Some transactions write events of several services, as an edit of a person does.
    const isForOne = Math.random() < 0.8
    const one = pickRandom(owners)
    const events = Array.from({ length: count }, () => make(isForOne ? one : pickRandom(owners)))
    await commit(events)
  }
}

/** Retries until the transaction is committed or its outcome is unknown. */
async function commit(events: readonly (readonly [EventOwner, MadeEvent])[]): Promise<void> {
  for (;;) {
    const appended: { ids: readonly string[] } = { ids: [] }
    try {
      await database.transaction(async (tx) => {
        appended.ids = await appendEvents(
          platform,
          tx,
          events.map(([, { event }]) => event),
        )
      })
      report({ kind: 'rows', rows: rowsOf(events, appended.ids), isSure: true, atMs: Date.now() })
      return
    } catch (error) {
      if (error instanceof CommitOutcomeUnknownError) {
        report({ kind: 'rows', rows: rowsOf(events, appended.ids), isSure: false, atMs: Date.now() })
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
  return events.map(([owner, { event, mark }], index) => {
    const kind = KINDS.find((known) => known === event.kind)
    if (kind === undefined) throw new Error(`${event.kind} is not published here`)
    return { service: owner.number, id: ids[index] ?? '', kind, key: event.key, mark }
  })
}

function make(owner: EventOwner): readonly [EventOwner, MadeEvent] {
  const kinds = owner.slot === null ? KINDS.filter((kind) => kind !== 'field_updated') : KINDS
  return [owner, makeEvent(platform.ids, owner, pickRandom(kinds), Math.floor(Math.random() * 1000))]
}

function pickRandom<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('the list is empty')
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
