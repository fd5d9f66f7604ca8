import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { appendEvents } from '@sealpost/region/feed'
import { type EventOwner, makeEvent } from './events.ts'

export interface SentEvent {
  readonly service: number
  readonly id: string
  /** The planned time, not the time of the commit: a slow sender must not hide latency. */
  readonly dueMs: number
}

export interface Load {
  readonly perSecond: number
  readonly seconds: number
}

const platform = { clock: systemClock, ids: systemIds() }

/** Sends at a fixed rate without waiting for earlier events; services alternate. */
export async function sendAtRate(
  database: Database,
  owners: readonly EventOwner[],
  { perSecond, seconds }: Load,
): Promise<readonly SentEvent[]> {
  const startMs = performance.now()
  const count = Math.round(perSecond * seconds)
  const sending: Promise<SentEvent>[] = []
  for (let number = 0; number < count; number += 1) {
    const dueMs = startMs + (number * 1000) / perSecond
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await pause(waitMs)
    const owner = owners[number % owners.length]
    if (owner === undefined) continue
    const sent = send(database, owner, dueMs)
    // Rejected below: without this, a failure before the end would stop the program.
    sent.catch(() => {})
    sending.push(sent)
  }
  return Promise.all(sending)
}

/** Appends one event to the feed of each service. */
export async function sendToEach(database: Database, owners: readonly EventOwner[]): Promise<readonly SentEvent[]> {
  const sent: SentEvent[] = []
  for (const owner of owners) sent.push(await send(database, owner, performance.now()))
  return sent
}

async function send(database: Database, owner: EventOwner, dueMs: number): Promise<SentEvent> {
  const { event } = makeEvent(platform.ids, owner, 'flow_completed', 0)
  const [id] = await database.transaction((tx) => appendEvents(platform, tx, [event]))
  return { service: owner.number, id: id ?? '', dueMs }
}
