import { withClient } from '@sealpost/testkit'
import { vacuum } from '../database.ts'

const BATCH = 50_000

/**
 * Copies of a signed document under other ids and customers, on one side of the module. Their ids are smaller than those of
 * real documents, so they fill the first pages of a list.
 */
export async function seedDocuments(databaseUrl: string, side: 'service' | 'customer', count: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (let from = 0; from < count; from += BATCH)
      await client.query(STATEMENTS[side], [from + 1, Math.min(count, from + BATCH)])
    if (side === 'service') {
      await client.query(COUNTERS, [count])
      await vacuum(client, 'documents_service.document', 'documents_service.signature')
    } else await vacuum(client, 'documents_customer.copy')
  })
}

const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))`
const OTHERS = `'connection_id', md5('connection ' || n % 20000)::uuid, 'customer_id', md5('customer ' || n % 20000)::uuid`

const STATEMENTS = {
  service: `
    with signed as (
      select d from documents_service.document d where status = 'active' and recipient = 'customer' limit 1
    ), numbers as (select n from generate_series($1::int, $2::int) n), documents as (
      insert into documents_service.document
      select (jsonb_populate_record(d, jsonb_build_object('id', ${ID}, ${OTHERS}))).* from signed, numbers
    )
    insert into documents_service.signature
    select (jsonb_populate_record(s, jsonb_build_object('document_id', ${ID}))).*
    from signed join documents_service.signature s on s.document_id = (d).id, numbers`,
  customer: `
    insert into documents_customer.copy
    select (jsonb_populate_record(c, jsonb_build_object('id', ${ID},
      'account_id', md5('customer ' || n % 20000)::uuid, 'connection_id', md5('connection ' || n % 20000)::uuid))).*
    from (select c from documents_customer.copy c where is_acted_on limit 1) signed, generate_series($1::int, $2::int) n`,
} as const

/** Those that the copied document is counted in. */
const COUNTERS = `update documents_service.counter set documents = documents + $1 where name in ('', 'status:active')`
