import type { Scheduler } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { notifyQueues } from './store/operate.ts'

/** Tells the workers of all processes that a queue has something to do. A lost hint costs one poll, never a job. */
export interface Waker {
  wake(queue: string): void
  /** Workers of this process are woken without the database. */
  listen(act: (queue: string) => void): void
}

/** Many commits of one moment need one NOTIFY. */
const GATHER_MS = 5

export function createWaker(database: Database, scheduler: Scheduler): Waker {
  const listeners: ((queue: string) => void)[] = []
  const named = new Set<string>()

  function notify(): void {
    const queues = [...named]
    named.clear()
    void database.write((tx) => notifyQueues(tx, queues)).catch(() => {})
  }
  return {
    wake(queue) {
      for (const act of listeners) act(queue)
      if (named.size === 0) scheduler.after(GATHER_MS, notify)
      named.add(queue)
    },
    listen: (act) => void listeners.push(act),
  }
}
