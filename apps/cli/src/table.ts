import type { Terminal } from './terminal.ts'

/** Rows after these have the widths of these: a list of any length is printed while it is read. */
const ROWS_FOR_WIDTHS = 100

/**
 * Prints a list: for people a table with a heading and aligned columns, for programs one JSON document per line. Stops
 * after `limit` entries.
 */
export async function printList<Entry>(
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  heading: readonly string[],
  cellsOf: (entry: Entry) => readonly string[],
  limit = Infinity,
): Promise<void> {
  const table = openTable(terminal, heading)
  let left = limit
  for await (const entry of entries) {
    if (isJson) terminal.print(JSON.stringify(entry))
    else table.add(cellsOf(entry))
    left -= 1
    if (left === 0) break
  }
  if (!isJson) table.end()
}

function openTable(terminal: Terminal, heading: readonly string[]) {
  const waiting: (readonly string[])[] = []
  let widths: readonly number[] | null = null
  const print = (cells: readonly string[], own: readonly number[]): void =>
    terminal.print(
      cells
        .map((cell, at) => cell.padEnd(own[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  const flush = (): void => {
    const lines = [heading.map((name) => name.toUpperCase()), ...waiting]
    const measured = heading.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
    for (const line of lines) print(line, measured)
    widths = measured
  }
  return {
    add(cells: readonly string[]): void {
      if (widths !== null) return print(cells, widths)
      waiting.push(cells)
      if (waiting.length === ROWS_FOR_WIDTHS) flush()
    },
    end(): void {
      if (widths !== null) return
      if (waiting.length === 0) terminal.log('none')
      else flush()
    },
  }
}
