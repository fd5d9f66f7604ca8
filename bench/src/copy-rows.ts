import { withClient } from '@sealpost/testkit'
import type { Client } from 'pg'
import { vacuum } from './database.ts'

/** Copies of one row of a table that differ in some columns. */
export interface Copying {
  readonly table: string
  /** The column by which copies are told from real rows: ids below `FIRST_REAL_ID`. */
  readonly id: string
  /** Which row is copied. */
  readonly where: string
  /** Columns that differ, as expressions of the number `n`. */
  readonly changed: Readonly<Record<string, string>>
}

export interface Copies {
  add(count: number): Promise<void>
  remove(): Promise<void>
}

const BATCH = 50_000
/** The id of copy `n`, an expression of SQL. */
export const COPY_ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
/** Smaller than the id of every real row. */
export const FIRST_REAL_ID = '00000001-0000-7000-8000-000000000000'

/** `onChange`: with the number of copies that came or went, before the vacuum. */
export function openCopies(
  databaseUrl: string,
  tables: readonly Copying[],
  onChange: (client: Client, by: number) => Promise<void> = () => Promise.resolve(),
): Copies {
  let added = 0
  const change = (by: number, work: (client: Client) => Promise<void>): Promise<void> =>
    withClient(databaseUrl, async (client) => {
      // Copies refer to each other by construction; checking millions of references takes minutes.
      await client.query('set session_replication_role = replica')
      await work(client)
      added += by
      await onChange(client, by)
      await vacuum(client, ...new Set(tables.map(({ table }) => table)))
    })
  return {
    add: (count) =>
      change(count, async (client) => {
        for (const table of tables) await multiply(client, table, count)
      }),
    remove: () =>
      change(-added, async (client) => {
        for (const { table, id } of tables.toReversed())
          await client.query(`delete from ${table} where ${id} < $1`, [FIRST_REAL_ID])
      }),
  }
}

async function multiply(client: Client, { table, where, changed }: Copying, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
    order by attnum`,
    [table],
  )
  const values = rows.map(({ name }) => changed[name] ?? `one.${name}`)
  const { rowCount } = await client.query(`create temporary table one as select * from ${table} where ${where} limit 1`)
  if (rowCount !== 1) throw new Error(`${table} has no row to copy: ${where}`)
  for (let from = 0; from < count; from += BATCH)
    await client.query(
      `insert into ${table} select ${values.join(', ')} from one, generate_series($1::int, $2::int) n`,
      [from + 1, Math.min(count, from + BATCH)],
    )
  await client.query('drop table one')
}
