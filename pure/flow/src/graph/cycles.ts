/** Key to the keys it leads to. Keys without outgoing edges may be missing. */
export type Dependencies = ReadonlyMap<string, readonly string[]>

/**
 * The groups whose members all lead to each other, each in the order of the map's keys. Tarjan's algorithm with its own
 * stack: a definition may chain thousands of keys, which would overflow the call stack.
 */
export function cyclesIn(dependencies: Dependencies): readonly (readonly string[])[] {
  const search: Search = { dependencies, visits: new Map(), path: [], cycles: [] }
  for (const key of dependencies.keys()) if (!search.visits.has(key)) searchFrom(search, key)
  const order = new Map([...dependencies.keys()].map((key, place) => [key, place]))
  const place = (key: string): number => order.get(key) ?? 0
  return search.cycles.map((cycle) => cycle.toSorted((one, other) => place(one) - place(other)))
}

interface Visit {
  readonly key: string
  readonly number: number
  /** The earliest key that can be reached back to. */
  lowest: number
  isOpen: boolean
  nextChild: number
}

interface Search {
  readonly dependencies: Dependencies
  readonly visits: Map<string, Visit>
  readonly path: Visit[]
  readonly cycles: string[][]
}

function searchFrom(search: Search, start: string): void {
  const calls = [enter(search, start)]
  for (let visit = calls.at(-1); visit !== undefined; visit = calls.at(-1)) {
    const child = nextChild(search, visit)
    if (child === undefined) {
      calls.pop()
      leave(search, visit, calls.at(-1))
      continue
    }
    const known = search.visits.get(child)
    if (known === undefined) calls.push(enter(search, child))
    else if (known.isOpen) visit.lowest = Math.min(visit.lowest, known.number)
  }
}

function enter(search: Search, key: string): Visit {
  const visit: Visit = { key, number: search.visits.size, lowest: search.visits.size, isOpen: true, nextChild: 0 }
  search.visits.set(key, visit)
  search.path.push(visit)
  return visit
}

function nextChild(search: Search, visit: Visit): string | undefined {
  const child = search.dependencies.get(visit.key)?.[visit.nextChild]
  visit.nextChild += 1
  return child
}

function leave(search: Search, visit: Visit, caller: Visit | undefined): void {
  if (caller !== undefined) caller.lowest = Math.min(caller.lowest, visit.lowest)
  if (visit.lowest !== visit.number) return
  const group = search.path.splice(search.path.lastIndexOf(visit)).map((member) => {
    member.isOpen = false
    return member.key
  })
  if (group.length > 1 || leadsToItself(search, visit.key)) search.cycles.push(group)
}

function leadsToItself(search: Search, key: string): boolean {
  return search.dependencies.get(key)?.includes(key) ?? false
}
