import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@sealpost/postgres'
import { systemClock, systemIds } from '@sealpost/process'
import { appendEvents } from '@sealpost/region/feed'
import { type EventOwner, makeEvent } from '../roles/events.ts'

/** Kinds that never collapse: each change must be handled. */
const KINDS = [
  'document_created',
  'document_updated',
  'flow_completed',
  'flow_cancelled',
  'connection_deleted',
] as const
const MOST_EVENTS = 4
const IDLE_MS = 20

/** Appends changes of one service, as its modules do, as far as they are allowed. */
export interface ChangeLoad {
  /** Acknowledged, in the order of the commits. */
  readonly acknowledged: readonly string[]
  /** So many changes may have been sent from now on. */
  allow(count: number): void
  end(): Promise<void>
}

const platform = { clock: systemClock, ids: systemIds() }

export function startLoad(database: Database, owner: EventOwner, perSecond: number): ChangeLoad {
  const acknowledged: string[] = []
  const state = { allowed: 0, isEnding: false }
  async function send(): Promise<void> {
    for (let sent = 0; !state.isEnding;) {
      const count = Math.min(1 + (sent % MOST_EVENTS), state.allowed - sent)
      if (count <= 0) {
        await pause(IDLE_MS)
        continue
      }
      const events = Array.from({ length: count }, (_, at) => {
        const kind = KINDS[(sent + at) % KINDS.length] ?? 'flow_completed'
        return makeEvent(platform.ids, owner, kind, 0).event
      })
      acknowledged.push(...(await database.transaction((tx) => appendEvents(platform, tx, events))))
      sent += count
      await pause((1000 * count) / perSecond)
    }
  }
  const sending = send()
  // Awaited in `end`.
  sending.catch(() => {})
  return {
    acknowledged,
    allow(count) {
      state.allowed = count
    },
    async end() {
      state.isEnding = true
      await sending
    },
  }
}
