import { type Command, commonOptions, type Option } from './command.ts'
import { settings } from './settings.ts'

/** One line for every command. */
export function overview(commands: readonly Command[]): readonly string[] {
  return [
    'sealpost: manage services, their request fields and webhooks, read what customers share, send documents, run flows and check plugins',
    '',
    'New here: sealpost init. Something does not work: sealpost doctor.',
    '',
    ...columns(commands.map(rowOf)),
    '',
    'Settings, in sealpost.json (or ~/.config/sealpost/config.json, or --config FILE) or in the environment:',
    '',
    ...columns(Object.entries(settings).map(([name, { variable, about }]) => [`${name}, ${variable}`, about] as const)),
    '',
    'With --json results are JSON documents on standard output, notes and errors documents on standard error.',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    '',
    '`sealpost COMMAND --help` describes one command. `sealpost completion SHELL` prints the completion of a shell.',
  ]
}

/** For programs: the commands, their arguments and options. */
export function helpDocument(commands: readonly Command[]): string {
  const rows = commands.map(({ words, summary, about, json, positionals, options }) => {
    return { command: words.join(' '), summary, about, json, positionals, options: { ...options, ...commonOptions } }
  })
  return JSON.stringify({ commands: rows, settings })
}

/** The commands that begin with these words. */
export function groupHelp(words: readonly string[], commands: readonly Command[]): readonly string[] {
  return [
    `sealpost ${words.join(' ')}:`,
    '',
    ...columns(commands.map(rowOf)),
    '',
    `\`sealpost ${words.join(' ')} … --help\` describes one command.`,
  ]
}

function rowOf(command: Command): readonly [string, string] {
  return [usageOf(command), command.summary]
}

const JSON_ABOUT = {
  document: 'Print one JSON document',
  lines: 'Print JSON, one document per line',
} as const satisfies Readonly<Record<Command['json'], string>>

export function helpOf(command: Command): readonly string[] {
  const json = { ...commonOptions.json, about: JSON_ABOUT[command.json] }
  const options = Object.entries<Option>({ ...command.options, ...commonOptions, json })
  const rows = options.map(([name, { value, about }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, about])
  return [
    `sealpost ${usageOf(command)}`,
    '',
    command.summary,
    ...(command.about === undefined ? [] : ['', ...command.about.split('\n')]),
    '',
    ...columns(rows.map(([left = '', right = '']) => [left, right] as const)),
  ]
}

export function usageOf({ words, positionals }: Command): string {
  return [...words, ...positionals].join(' ')
}

/** Aligned; a column that is empty in all rows is left out. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.flatMap((cell, at) => (widths[at] === 0 ? [] : [cell.padEnd(widths[at] ?? 0)])).join('  ')
  return rows.map((row) => `  ${line(row)}`.trimEnd())
}
