export interface DependencyOrder<Item> {
  /** Each item after everything it depends on, except for cut dependencies. */
  readonly order: readonly Item[]
  /** The dependencies that close a cycle. */
  readonly cut: readonly { readonly from: Item; readonly to: Item }[]
}

/**
 * Depth first, roots and dependencies in the order given; a dependency on an item that is still being visited is cut.
 * Visits every item once with its own stack, so that no input is too deep for it.
 */
export function dependencyOrder<Item>(
  roots: Iterable<Item>,
  dependenciesOf: (item: Item) => Iterable<Item>,
): DependencyOrder<Item> {
  const order: Item[] = []
  const cut: { from: Item; to: Item }[] = []
  const progress = new Map<Item, 'visiting' | 'visited'>()
  const path: { item: Item; pending: Iterator<Item> }[] = []
  const enter = (item: Item): void => {
    progress.set(item, 'visiting')
    path.push({ item, pending: dependenciesOf(item)[Symbol.iterator]() })
  }
  for (const root of roots) {
    if (!progress.has(root)) enter(root)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.pending.next()
      if (next.done === true) {
        progress.set(top.item, 'visited')
        order.push(top.item)
        path.pop()
      } else if (!progress.has(next.value)) {
        enter(next.value)
      } else if (progress.get(next.value) === 'visiting') {
        cut.push({ from: top.item, to: next.value })
      }
    }
  }
  return { order, cut }
}
