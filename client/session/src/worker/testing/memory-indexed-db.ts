/** As much of IndexedDB as the store of a device uses, in memory, and what rests in it. Node has none. */
export interface MemoryIndexedDb {
  readonly factory: IDBFactory
  /** What a reader of the disk finds: the rows of each store by their keys. */
  rows(store: string): ReadonlyMap<string, unknown>
  /** All rows of all stores. */
  everything(): readonly unknown[]
}

type Rows = Map<string, unknown>

export function memoryIndexedDb(): MemoryIndexedDb {
  const stores = new Map<string, Rows>()
  let before = Promise.resolve()
  const names = { contains: (name: string) => stores.has(name) }
  const database = Object.assign(new EventTarget(), {
    objectStoreNames: names,
    createObjectStore: (name: string) => stores.set(name, new Map()),
    transaction(wanted: string | readonly string[]) {
      const { transaction, over } = openTransaction(stores, [wanted].flat(), before)
      before = over
      return transaction
    },
    close: () => {},
  })
  const factory = {
    open() {
      const request = Object.assign(new EventTarget(), { result: database, error: null })
      queueMicrotask(() => {
        request.dispatchEvent(new Event('upgradeneeded'))
        request.dispatchEvent(new Event('success'))
      })
      return request
    },
  }
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part of the interface
    factory: factory as unknown as IDBFactory,
    rows: (store) => stores.get(store) ?? new Map<string, unknown>(),
    everything: () => [...stores.values()].flatMap((rows) => [...rows.values()]),
  }
}

/** One transaction after another. One that has no further request is complete. */
function openTransaction(stores: ReadonlyMap<string, Rows>, wanted: readonly string[], before: Promise<void>) {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  const run = <T>(act: () => T) => {
    waiting += 1
    const request = Object.assign(new EventTarget(), { result: undefined as T | undefined })
    void before.then(() => {
      request.result = act()
      request.dispatchEvent(new Event('success'))
      waiting -= 1
      if (waiting > 0) return
      transaction.dispatchEvent(new Event('complete'))
      resolve()
    })
    return request
  }
  const storeOf = (rows: Rows) => ({
    get: (key: string) => run(() => rows.get(key)),
    put: (value: unknown, key: string) => run(() => rows.set(key, structuredClone(value))),
    delete: (key: string) => run(() => rows.delete(key)),
    clear: () => run(() => rows.clear()),
  })
  const transaction = Object.assign(new EventTarget(), {
    error: null,
    objectStore(name: string) {
      const rows = stores.get(name)
      if (rows === undefined || !wanted.includes(name)) throw new Error(`there is no store ${name}`)
      return storeOf(rows)
    },
  })
  return { transaction, over }
}
