import type { LineStore } from '../src/pump/line-store.ts'
import type { PumpSource } from '../src/pump/pump-source.ts'
import { wrappedStore } from './wrapped-store.ts'

export interface StubChange {
  readonly id: string
}

export interface StubFeed extends PumpSource<StubChange> {
  readonly asked: readonly { readonly attemptId: string; readonly limit: number }[]
  /** Only waits move the clock. */
  readonly waitedMs: readonly number[]
  append(...ids: readonly string[]): void
  pass(ms: number): void
}

/** A feed as the platform promises it: an answered page is removed, and its attempt returns it again. */
export function stubFeed(ids: readonly string[], before: () => void | Promise<void> = () => {}): StubFeed {
  const queue = ids.map((id) => ({ id }))
  const pages = new Map<string, { readonly changes: readonly StubChange[]; readonly has_more: boolean }>()
  const asked: { attemptId: string; limit: number }[] = []
  const waitedMs: number[] = []
  let nowMs = Date.UTC(2026, 4, 1)
  return {
    feed: 'service',
    asked,
    waitedMs,
    owner: () => Promise.resolve('service s'),
    now: () => nowMs,
    pass(ms) {
      nowMs += ms
    },
    append: (...more) => void queue.push(...more.map((id) => ({ id }))),
    wait(ms, signal) {
      waitedMs.push(ms)
      nowMs += ms
      return signal?.aborted === true ? Promise.reject(new Error('ended')) : Promise.resolve()
    },
    async readPage(attemptId, { limit }) {
      await before()
      asked.push({ attemptId, limit })
      const page = pages.get(attemptId) ?? { changes: queue.splice(0, limit), has_more: queue.length > 0 }
      if (page.changes.length > 0) pages.set(attemptId, page)
      await before()
      return page
    },
  }
}

/** Another store for a process that dies where `before` throws; `torn` is the written part of the last line. */
export function fragileStore(inner: LineStore, before: () => void, torn = 0): LineStore {
  return wrappedStore(inner, (hold) => ({
    async append(line, isDurable) {
      try {
        before()
      } catch (error) {
        if (torn > 0) await hold.append(line.slice(0, Math.floor(line.length * torn)), false)
        throw error
      }
      await hold.append(line, isDurable)
      before()
    },
    async replace(lines) {
      before()
      await hold.replace(lines)
      before()
    },
  }))
}
