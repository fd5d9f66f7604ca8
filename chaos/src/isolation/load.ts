import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { appendEvents } from '@sealpost/region/feed'
import { type EventOwner, makeEvent } from '../roles/events.ts'

export interface SentEvent {
  readonly service: number
  readonly id: string
  /** When it was due, whenever it was really committed: a sender that falls behind must not hide what waits. */
  readonly dueMs: number
}

export interface Load {
  readonly perSecond: number
  readonly seconds: number
}

const needs = { clock: systemClock, ids: systemIds() }

/** Sends by the clock, whatever became of those before; services in turn. */
export async function sendByTheClock(
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
    if (owner !== undefined) sending.push(send(database, owner, dueMs))
  }
  return Promise.all(sending)
}

/** One event to each service. */
export async function sendToAll(database: Database, owners: readonly EventOwner[]): Promise<readonly SentEvent[]> {
  const sent: SentEvent[] = []
  for (const owner of owners) sent.push(await send(database, owner, performance.now()))
  return sent
}

async function send(database: Database, owner: EventOwner, dueMs: number): Promise<SentEvent> {
  const { event } = makeEvent(needs.ids, owner, 'flow_completed', 0)
  const [id] = await database.transaction((tx) => appendEvents(tx, needs, [event]))
  return { service: owner.number, id: id ?? '', dueMs }
}
