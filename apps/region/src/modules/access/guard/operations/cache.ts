import { createBoundedCache } from '@sealpost/kernel'

/** States by subject; `undefined` means that a subject is not cached, null that it does not exist. */
export interface Cache<State> {
  find(subject: string): State | null | undefined
  /** Reads a state and caches it; reads it again if it changed meanwhile. */
  load(subject: string, read: () => Promise<State | null>): Promise<State | null>
  forget(subject: string): void
  clear(): void
}

export interface CacheOptions {
  readonly most: number
  /** Whether absence is cached as well; only where an insertion is announced. */
  readonly remembersAbsence: boolean
}

export function createCache<State>({ most, remembersAbsence }: CacheOptions): Cache<State> {
  const states = createBoundedCache<string, State | null>({ most })
  const loading = new Map<string, { isStale: boolean }[]>()

  function forget(subject: string): void {
    states.delete(subject)
    for (const load of loading.get(subject) ?? []) load.isStale = true
  }

  return {
    find: (subject) => states.get(subject),
    forget,
    async load(subject, read) {
      for (;;) {
        const ticket = { isStale: false }
        loading.set(subject, [...(loading.get(subject) ?? []), ticket])
        try {
          const state = await read()
          // The row changed while it was read: this may be the old state.
          if (ticket.isStale) continue
          if (state !== null || remembersAbsence) states.set(subject, state)
          return state
        } finally {
          const others = (loading.get(subject) ?? []).filter((other) => other !== ticket)
          if (others.length === 0) loading.delete(subject)
          else loading.set(subject, others)
        }
      }
    },
    clear() {
      states.clear()
      for (const subject of loading.keys()) forget(subject)
    },
  }
}
