import { withClient } from '@sealpost/testkit'
import { type Client, escapeIdentifier } from 'pg'
import type { Piece } from './search.ts'

interface Column {
  readonly table_schema: string
  readonly table_name: string
  readonly column_name: string
  readonly data_type: string
}

/** Every column of every table of a database: bytes as they are, everything else as text. */
export async function readTables(name: string, url: string): Promise<readonly Piece[]> {
  return withClient(url, async (client) => {
    const { rows: columns } = await client.query<Column>(
      `select table_schema, table_name, column_name, data_type from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    )
    const pieces: Piece[] = []
    for (const column of columns) pieces.push(...(await readColumn(client, name, column)))
    return pieces
  })
}

async function readColumn(client: Client, database: string, column: Column): Promise<readonly Piece[]> {
  const { table_schema: schema, table_name: table, column_name: name, data_type: type } = column
  const value = type === 'bytea' ? escapeIdentifier(name) : `${escapeIdentifier(name)}::text`
  const from = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
  const { rows } = await client.query<{ value: string | Buffer | null }>(`select ${value} as value from ${from}`)
  const place = `database ${database}, ${schema}.${table}.${name}`
  return rows.flatMap((row) => (row.value === null ? [] : [{ place, content: row.value }]))
}
