import type { Terminal } from './terminal.ts'

/** A table for people: a heading and aligned columns. Nothing else reads it, programs use `--json`. */
export function printTable(terminal: Terminal, heading: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return terminal.log('none')
  const lines = [heading.map((name) => name.toUpperCase()), ...rows]
  const widths = heading.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  for (const line of lines) {
    terminal.print(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}
