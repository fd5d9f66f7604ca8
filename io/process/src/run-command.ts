import type { Settings, SettingsTable } from '@sealpost/kernel'
import { readOrExit } from './read-or-exit.ts'
import { lacksTable } from './start-failure.ts'

/** Runs an operator's command: settings from the environment, one command, one line about its result. */
export async function runCommand<Table extends SettingsTable>(
  table: Table,
  command: (settings: Settings<Table>) => Promise<string>,
): Promise<void> {
  const settings = readOrExit(table)
  try {
    process.stdout.write(`${await command(settings)}\n`)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exitCode = 1
  }
}

function sentenceOf(error: unknown): string {
  if (lacksTable(error)) {
    return 'the database lacks tables: run migrate.ts of this app first (in development npm run dev does it)'
  }
  return error instanceof Error ? error.message : String(error)
}
