/** Ids of the cards that the person wants to answer later; they are listed on the page of sign-ins. */
let ids: readonly string[] = []
const listeners = new Set<() => void>()

function set(next: readonly string[]): void {
  ids = next
  for (const listener of listeners) listener()
}

export const postponed = {
  get: () => ids,
  add: (id: string) => set([...ids, id]),
  remove: (id: string) => set(ids.filter((each) => each !== id)),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
