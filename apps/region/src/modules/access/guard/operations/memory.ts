import type { AccountState, ClientState } from '../model.ts'
import type { News, Switches } from '../store/guard.ts'
import { type Cache, createCache } from './cache.ts'

const REMEMBERED = 100_000

/** The cached state of a process between two renewals. */
export interface GuardMemory {
  readonly clients: Cache<ClientState>
  readonly accounts: Cache<AccountState>
  revision(): number
  isRevoked(sessionId: string): boolean
  switches(): Switches
  /**
   * Tells the watchers too: before the guard reports the revision as seen, so what a revocation ends has ended when it
   * answers.
   */
  apply(news: News, nowMs: number): void
  onNews(watcher: (news: News) => void): void
  clear(): void
}

export function createMemory(): GuardMemory {
  const clients = createCache<ClientState>({ most: REMEMBERED, remembersAbsence: true })
  const accounts = createCache<AccountState>({ most: REMEMBERED, remembersAbsence: false })
  const caches = [clients, accounts]
  const revoked = new Map<string, number>()
  const watchers: ((news: News) => void)[] = []
  let revision = 0
  let switches: Switches = { writesPaused: false, outOfOrder: false }
  return {
    clients,
    accounts,
    revision: () => revision,
    isRevoked: (sessionId) => revoked.has(sessionId),
    switches: () => switches,
    apply(news, nowMs) {
      for (const subject of news.subjects) for (const cache of caches) cache.forget(subject)
      for (const [sessionId, until] of revoked) if (until < nowMs) revoked.delete(sessionId)
      for (const { sessionId, until } of news.revokedSessions) revoked.set(sessionId, until)
      switches = news.switches
      revision = news.revision
      for (const watcher of watchers) watcher(news)
    },
    onNews: (watcher) => void watchers.push(watcher),
    clear() {
      for (const cache of caches) cache.clear()
      revision = 0
    },
  }
}
