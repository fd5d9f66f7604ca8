import { type Database, type MigrationSet, openDatabase, runStatement } from '@sealpost/postgres'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import { atEnd } from './at-end.ts'
import { createTestDatabase } from './databases.ts'
import { type FixedClock, fixedClock, fixedIds } from './fixed.ts'

/** A database with some tables and no app around it, for tests of stores. It is dropped when the file or the test ends. */
export interface Tables {
  readonly url: string
  readonly database: Database
  readonly clock: FixedClock
  readonly ids: ReturnType<typeof fixedIds>
  readonly telemetry: RecordingTelemetry
  readonly log: RecordingTelemetry['log']
  /** One statement, in a transaction of its own. */
  readonly run: <Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ) => Promise<readonly Row[]>
}

export interface TablesOptions {
  readonly poolSize?: number
  readonly seed?: number
}

/** `template` names the set of migrations: databases are copied from it. */
export async function openTables(
  template: string,
  migrations: MigrationSet,
  { poolSize = 5, seed = 1 }: TablesOptions = {},
): Promise<Tables> {
  const made = await createTestDatabase({ template, migrations })
  const database = openDatabase({ url: made.url, poolSize })
  atEnd(async () => {
    await database.close()
    await made.drop()
  })
  const clock = fixedClock()
  const telemetry = recordingTelemetry()
  return {
    url: made.url,
    database,
    clock,
    ids: fixedIds(clock, seed),
    telemetry,
    log: telemetry.log,
    run: <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      database.transaction((tx) => runStatement<Row & Record<string, unknown>>(tx, sql, values)),
  }
}
