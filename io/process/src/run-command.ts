import type { Settings, SettingsTable } from '@sealpost/kernel'
import { readOrExit } from './read-or-exit.ts'

/** The life of an operator's command: settings from the environment, one act, one line about what it did. */
export async function runCommand<Table extends SettingsTable>(
  table: Table,
  act: (settings: Settings<Table>) => Promise<string>,
): Promise<void> {
  const settings = readOrExit(table)
  try {
    process.stdout.write(`${await act(settings)}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
