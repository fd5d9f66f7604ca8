import type { Scheduler, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { StoredHint } from '../model.ts'
import { notifyHints } from '../store/hints.ts'

/** Tells all processes which accounts have new hints. A lost call costs a poll, never a hint. */
export interface Waker {
  wake(accountId: UserId, hints: readonly StoredHint[]): void
  /** Streams of this process get the hints without the database. */
  listen(act: (accountId: UserId, hints: readonly StoredHint[]) => void): void
}

/** Commits of one moment share a NOTIFY, and accounts a payload, which PostgreSQL limits to 8,000 bytes. */
const GATHER_MS = 5
const IDS_PER_PAYLOAD = 200

export function createWaker(database: Database, scheduler: Scheduler, processId: string): Waker {
  const listeners: ((accountId: UserId, hints: readonly StoredHint[]) => void)[] = []
  const named = new Set<UserId>()

  function notify(): void {
    const ids = [...named]
    named.clear()
    const payloads: string[] = []
    for (let from = 0; from < ids.length; from += IDS_PER_PAYLOAD) {
      payloads.push(`${processId}:${ids.slice(from, from + IDS_PER_PAYLOAD).join(',')}`)
    }
    void database.write((tx) => notifyHints(tx, payloads)).catch(() => {})
  }
  return {
    wake(accountId, hints) {
      for (const act of listeners) act(accountId, hints)
      if (named.size === 0) scheduler.after(GATHER_MS, notify)
      named.add(accountId)
    },
    listen: (act) => void listeners.push(act),
  }
}

/** The accounts of a payload; none when this process sent it, because it woke its own streams at once. */
export function readPayload(payload: string, processId: string): readonly string[] {
  const [sender, ids = ''] = payload.split(':')
  return sender === processId ? [] : ids.split(',')
}
