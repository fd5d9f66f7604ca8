import { StartRefusedError } from '@sealpost/kernel'
import { columns, type Columns } from './columns.ts'
import type { Database } from './database.ts'
import type { MigrationSet } from './migrations.ts'
import { runStatement } from './scope.ts'

const STEP: Columns<{ name: string }> = columns<{ name: string }>({ name: 'text' })

/**
 * Refuses a database that lacks a step of this release: its code would fail at the first call that needs it. Steps of a newer
 * release are no hindrance, because steps only add. `app` names the folder of the command to run.
 */
export async function requireSteps(database: Database, migrations: MigrationSet, app: string): Promise<void> {
  const applied = await readSteps(database)
  const missing = Object.keys(migrations).filter((name) => !applied.has(name))
  if (missing.length === 0) return
  const [first] = missing.toSorted()
  const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`
  throw new StartRefusedError(
    `its database lacks the step ${first}${others} of this release; run \`node apps/${app}/src/commands/migrate.ts\` first`,
  )
}

async function readSteps(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.read(async (read) => {
    const [table] = await runStatement<{ exists: boolean }>(
      read,
      `select to_regclass('public.migration') is not null as exists`,
      [],
    )
    if (table?.exists !== true) return []
    return runStatement(read, 'select name from public.migration', [], STEP)
  })
  return new Set(rows.map(({ name }) => name))
}
