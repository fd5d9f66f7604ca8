import { runStatement } from '@sealpost/postgres'
import type { World } from '@sealpost/testkit'

/** The rows of some tables of region eu, as a backup has them. */
export interface TableBackup {
  putBack(): Promise<void>
}

/** `tables` in the order in which rows can be put back. */
export async function backUpTables(world: World, tables: readonly string[]): Promise<TableBackup> {
  const copies = new Map<string, string>()
  for (const table of tables) {
    const sql = `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`
    const [found] = await world.rows<{ rows: string }>(sql)
    copies.set(table, found?.rows ?? '[]')
  }
  return {
    putBack: () =>
      world.eu.platform.database.transaction(async (tx) => {
        await runStatement(tx, `truncate ${tables.join(', ')}`, [])
        for (const [table, rows] of copies) {
          const sql = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`
          await runStatement(tx, sql, [rows])
        }
      }),
  }
}
