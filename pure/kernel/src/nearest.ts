/** The known name that was probably meant; null when none is alike. */
export function nearest(name: string, known: readonly string[]): string | null {
  const bare = bareOf(name)
  const [best] = known
    .map((each) => ({ each, distance: editDistance(bare, bareOf(each)) }))
    .toSorted((a, b) => a.distance - b.distance)
  if (best === undefined) return null
  return best.distance <= Math.max(1, Math.floor(bare.length / 4)) ? best.each : null
}

/** `oneTime`, `one-time` and `one_time` are alike. */
function bareOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** The number of characters to insert, delete or replace, and of neighbours to swap. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1]
    for (let at = 0; at < to.length; at += 1) {
      const replaced = (row[at] ?? 0) + (from[line] === to[at] ? 0 : 1)
      const isSwapped = at > 0 && from[line] === to[at - 1] && from[line - 1] === to[at]
      const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
