import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { FeedResolvers } from './event.ts'

export interface FeedNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Kinds that are told as they are at delivery; the modules that own them put theirs here. */
  readonly resolvers: FeedResolvers
  /** Goes on after an answer; a failure is logged and nothing else. */
  afterwards(what: string, work: () => Promise<void>): void
  /** When everything that went on after answers has ended. */
  settled(): Promise<void>
}

export function openFeed(needs: Omit<FeedNeeds, 'afterwards' | 'settled'>): FeedNeeds {
  const running = new Set<Promise<void>>()
  return {
    ...needs,
    afterwards(what, work) {
      const task = work()
        .catch((error: unknown) =>
          needs.log.warn({ err: error }, `${what}; its events come again when its lease is over`),
        )
        .finally(() => running.delete(task))
      running.add(task)
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
