import { readSettings, type Settings, SettingsError, type SettingsTable } from '@sealpost/kernel'

const BAD_SETTINGS = 78

/** Reads the environment once; invalid settings end the process with every problem listed. */
export function readOrExit<Table extends SettingsTable>(table: Table): Settings<Table> {
  try {
    return readSettings(table, process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    exitForSettings(error)
  }
}

export function exitForSettings(error: SettingsError): never {
  process.stderr.write(`${error.message}\nEvery setting is described in docs/settings.md.\n`)
  process.exit(BAD_SETTINGS)
}
