/** One request of IndexedDB in a transaction of its own. */
export type RunStored = <T>(
  store: string,
  mode: IDBTransactionMode,
  act: (rows: IDBObjectStore) => IDBRequest<T>,
) => Promise<T>
