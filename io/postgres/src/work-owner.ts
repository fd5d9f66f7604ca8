import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<string>()

/** Runs work for this owner, which gets its share of the connections at most: see [Note: shared places]. */
export function workFor<T>(owner: string, work: () => T): T {
  return owners.run(owner, work)
}

/** Null for work of the platform itself. */
export function workOwner(): string | null {
  return owners.getStore() ?? null
}
