import type { LineStore, StoreHold } from '../src/pump/line-store.ts'

/** The lines of another store, written in another way by whoever holds them. */
export function wrappedStore(inner: LineStore, wrap: (hold: StoreHold) => Omit<StoreHold, 'release'>): LineStore {
  return {
    name: inner.name,
    read: () => inner.read(),
    async acquire() {
      const taken = await inner.acquire()
      if ('heldBy' in taken) return taken
      const { hold } = taken
      return { hold: { ...wrap(hold), release: () => hold.release() } }
    },
  }
}
