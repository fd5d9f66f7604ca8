export type { Command, Context, Given, Option } from './command.ts'
export { run } from './run.ts'
export { CliError, type Terminal, UsageError } from './terminal.ts'
