import type { UserId } from '@sealpost/kernel'
import type { OpenStream } from '../model.ts'

/** The open streams of this process, oldest first, by account and by session. */
export interface Register {
  add(stream: OpenStream): void
  /** False when it was removed before. */
  remove(stream: OpenStream): boolean
  has(stream: OpenStream): boolean
  all(): readonly OpenStream[]
  ofAccount(accountId: string): readonly OpenStream[]
  ofSession(sessionId: string): readonly OpenStream[]
  accounts(): Iterable<UserId>
  count(): number
}

export function createRegister(): Register {
  const streams = new Set<OpenStream>()
  const accounts = new Map<string, Set<OpenStream>>()
  const sessions = new Map<string, Set<OpenStream>>()
  return {
    add(stream) {
      streams.add(stream)
      addTo(accounts, stream.accountId, stream)
      addTo(sessions, stream.sessionId, stream)
    },
    remove(stream) {
      removeFrom(accounts, stream.accountId, stream)
      removeFrom(sessions, stream.sessionId, stream)
      return streams.delete(stream)
    },
    has: (stream) => streams.has(stream),
    all: () => [...streams],
    ofAccount: (accountId) => [...(accounts.get(accountId) ?? [])],
    ofSession: (sessionId) => [...(sessions.get(sessionId) ?? [])],
    *accounts() {
      for (const [first] of accounts.values()) if (first !== undefined) yield first.accountId
    },
    count: () => streams.size,
  }
}

function addTo(index: Map<string, Set<OpenStream>>, key: string, stream: OpenStream): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, new Set([stream]))
  else known.add(stream)
}

function removeFrom(index: Map<string, Set<OpenStream>>, key: string, stream: OpenStream): void {
  const known = index.get(key)
  known?.delete(stream)
  if (known?.size === 0) index.delete(key)
}
