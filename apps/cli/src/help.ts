import { type Command, commonOptions, type Option } from './command.ts'
import { settings } from './config.ts'

/** One line for every command. */
export function overview(commands: readonly Command[]): readonly string[] {
  const rows = commands.map((command) => [usageOf(command), command.summary] as const)
  return [
    'sealpost: manage services, their request fields and webhooks, read what customers share, send documents, run flows and check plugins',
    '',
    ...columns(rows),
    '',
    'Settings, in sealpost.json (or ~/.config/sealpost/config.json, or --config FILE) or in the environment:',
    '',
    ...columns(Object.entries(settings).map(([name, { variable, about }]) => [`${name}, ${variable}`, about] as const)),
    '',
    '`sealpost COMMAND --help` describes one command.',
  ]
}

export function helpOf(command: Command): readonly string[] {
  const options = Object.entries<Option>({ ...command.options, ...commonOptions })
  const rows = options.map(([name, { value, about }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, about])
  return [
    `sealpost ${usageOf(command)}`,
    '',
    command.summary,
    ...(command.about === undefined ? [] : ['', command.about]),
    '',
    ...columns(rows.map(([left = '', right = '']) => [left, right] as const)),
  ]
}

function usageOf({ words, positionals }: Command): string {
  return [...words, ...positionals].join(' ')
}

export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}
