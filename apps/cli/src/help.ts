import { type Command, commonOptions, type Option } from './command.ts'
import { settings } from './config.ts'

/** Every command with one line. */
export function overview(commands: readonly Command[]): readonly string[] {
  const rows = commands.map((command) => [usageOf(command), command.summary] as const)
  return [
    'sealpost: services, what they ask for, and what customers share with them',
    '',
    ...columns(rows),
    '',
    'Settings, in sealpost.json (or ~/.config/sealpost/config.json, or --config FILE) or in the environment:',
    '',
    ...columns(Object.entries(settings).map(([name, { variable, about }]) => [`${name}, ${variable}`, about] as const)),
    '',
    '`sealpost COMMAND --help` says more about one.',
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

/** Text in two columns. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}
