import { withClient } from '@sealpost/testkit'
import type { Client } from 'pg'
import { vacuum } from '../database.ts'

const BATCH = 50_000
const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
const CUSTOMER = `md5('customer ' || n % 20000)::uuid`
const CONNECTION = `md5('connection ' || n % 20000)::uuid`

/** Copies of a signed document under other ids and customers, on one side of the module. */
export interface Seeds {
  add(count: number): Promise<void>
  remove(): Promise<void>
}

/** Their ids are smaller than those of real documents, so they fill the first pages of a list. */
export async function openSeeds(databaseUrl: string, side: keyof typeof SIDES): Promise<Seeds> {
  const tables = SIDES[side]
  let added = 0
  const change = (by: number, work: (client: Client) => Promise<void>): Promise<void> =>
    withClient(databaseUrl, async (client) => {
      await work(client)
      added += by
      if (side === 'service') await client.query(COUNTERS, [by])
      await vacuum(client, ...tables.map(({ table }) => table))
    })
  return {
    add: (count) =>
      change(count, async (client) => {
        for (const table of tables) await multiply(client, table, count)
      }),
    remove: () =>
      change(-added, async (client) => {
        for (const { table, id } of tables.toReversed())
          await client.query(`delete from ${table} where ${id} < $1`, [FIRST])
      }),
  }
}

/** Smaller than the id of every real document. */
const FIRST = '00000001-0000-7000-8000-000000000000'

/** Those that the copied document is counted in. */
const COUNTERS = `update documents_service.counter set documents = documents + $1 where name in ('', 'status:active')`

interface Copying {
  readonly table: string
  /** The column with the id of the document. */
  readonly id: string
  /** Which row is copied. */
  readonly where: string
  /** Columns that differ, as expressions of the number `n`. */
  readonly changed: Readonly<Record<string, string>>
}

async function multiply(client: Client, { table, where, changed }: Copying, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
    order by attnum`,
    [table],
  )
  const values = rows.map(({ name }) => changed[name] ?? `one.${name}`)
  await client.query(`create temporary table one as select * from ${table} where ${where} limit 1`)
  for (let from = 0; from < count; from += BATCH)
    await client.query(
      `insert into ${table} select ${values.join(', ')} from one, generate_series($1::int, $2::int) n`,
      [from + 1, Math.min(count, from + BATCH)],
    )
  await client.query('drop table one')
}

const SIDES = {
  service: [
    {
      table: 'documents_service.document',
      id: 'id',
      where: `status = 'active' and recipient = 'customer'`,
      changed: { id: ID, customer_id: CUSTOMER, connection_id: CONNECTION },
    },
    { table: 'documents_service.signature', id: 'document_id', where: 'true', changed: { document_id: ID } },
  ],
  customer: [
    {
      table: 'documents_customer.copy',
      id: 'id',
      where: 'is_acted_on',
      changed: { id: ID, account_id: CUSTOMER, connection_id: CONNECTION },
    },
  ],
} satisfies Readonly<Record<string, readonly Copying[]>>
