import type { LineStore, StoreHold } from '../src/pump/line-store.ts'

/** Another store whose holder writes through `wrap`. */
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
