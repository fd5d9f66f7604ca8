/** Linear equations, each with its right side at the end, by elimination. Without one solution there are no numbers. */
export function solve(equations: readonly (readonly number[])[]): readonly number[] {
  const rows = equations.map((row) => [...row])
  for (const column of rows.keys()) {
    const [pivot = [], ...others] = rows
      .slice(column)
      .toSorted((one, other) => Math.abs(other[column] ?? 0) - Math.abs(one[column] ?? 0))
    rows.splice(column, rows.length, pivot, ...others)
    const divisor = pivot[column] ?? 0
    if (divisor === 0) return []
    for (const [at, row] of rows.entries()) {
      if (at === column) continue
      const factor = (row[column] ?? 0) / divisor
      for (const [place, number] of pivot.entries()) row[place] = (row[place] ?? 0) - factor * number
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1))
}
