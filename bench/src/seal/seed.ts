import { withClient } from '@sealpost/testkit'
import type { Client } from 'pg'
import { vacuum } from '../database.ts'

const BATCH = 50_000
const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`
const CUSTOMER = `md5('customer ' || n % 20000)::uuid`
const CONNECTION = `md5('connection ' || n % 20000)::uuid`

/**
 * Copies of a signed document under other ids and customers, on one side of the module. Their ids are smaller than those of
 * real documents, so they fill the first pages of a list.
 */
export async function seedDocuments(databaseUrl: string, side: 'service' | 'customer', count: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    if (side === 'customer') {
      const changed = { id: ID, account_id: CUSTOMER, connection_id: CONNECTION }
      await multiply(client, { table: 'documents_customer.copy', where: 'is_acted_on', changed }, count)
      await vacuum(client, 'documents_customer.copy')
      return
    }
    const changed = { id: ID, customer_id: CUSTOMER, connection_id: CONNECTION }
    const where = `status = 'active' and recipient = 'customer'`
    await multiply(client, { table: 'documents_service.document', where, changed }, count)
    const signature = { table: 'documents_service.signature', where: 'true', changed: { document_id: ID } }
    await multiply(client, signature, count)
    await client.query(COUNTERS, [count])
    await vacuum(client, 'documents_service.document', 'documents_service.signature')
  })
}

/** Those that the copied document is counted in. */
const COUNTERS = `update documents_service.counter set documents = documents + $1 where name in ('', 'status:active')`

interface Copying {
  readonly table: string
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
