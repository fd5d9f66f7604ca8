import type { ClientId } from '@sealpost/kernel'
import type { ClientState } from './client-state.ts'
import type { News, Switches } from './store.ts'

const REMEMBERED_CLIENTS = 100_000

/** What a process remembers between two renewals; `undefined` means that a client is not remembered, null that there is none. */
export interface GuardMemory {
  revision(): number
  find(clientId: ClientId): ClientState | null | undefined
  /** Reads a client and keeps it, unless it changed meanwhile; then it is read again. */
  load(clientId: ClientId, read: () => Promise<ClientState | null>): Promise<ClientState | null>
  isRevoked(sessionId: string): boolean
  switches(): Switches
  apply(news: News, nowMs: number): void
  clear(): void
}

export function createMemory(): GuardMemory {
  const clients = new Map<ClientId, ClientState | null>()
  const loading = new Map<ClientId, { isStale: boolean }[]>()
  const revoked = new Map<string, number>()
  let revision = 0
  let switches: Switches = { writesPaused: false, outOfOrder: false }

  function forget(clientId: ClientId): void {
    clients.delete(clientId)
    for (const load of loading.get(clientId) ?? []) load.isStale = true
  }

  return {
    revision: () => revision,
    find: (clientId) => clients.get(clientId),
    isRevoked: (sessionId) => revoked.has(sessionId),
    switches: () => switches,
    async load(clientId, read) {
      for (;;) {
        const ticket = { isStale: false }
        const tickets = loading.get(clientId) ?? []
        loading.set(clientId, [...tickets, ticket])
        try {
          const state = await read()
          // The row changed while it was read: what came back may be the old one.
          if (ticket.isStale) continue
          if (clients.size >= REMEMBERED_CLIENTS) clients.clear()
          clients.set(clientId, state)
          return state
        } finally {
          const others = (loading.get(clientId) ?? []).filter((other) => other !== ticket)
          if (others.length === 0) loading.delete(clientId)
          else loading.set(clientId, others)
        }
      }
    },
    apply(news, nowMs) {
      for (const clientId of news.clientIds) forget(clientId)
      for (const [sessionId, until] of revoked) if (until < nowMs) revoked.delete(sessionId)
      for (const { sessionId, until } of news.revokedSessions) revoked.set(sessionId, until)
      switches = news.switches
      revision = news.revision
    },
    clear() {
      for (const clientId of [...clients.keys(), ...loading.keys()]) forget(clientId)
      revision = 0
    },
  }
}
