import { type Copies, COPY_ID, openCopies } from '../copy-rows.ts'

const CUSTOMER = `md5('customer ' || n % 20000)::uuid`
const CONNECTION = `md5('connection ' || n % 20000)::uuid`

/**
 * Copies of a signed document under other ids and customers, on one side of the module. Their ids are smaller than those
 * of real documents, so they fill the first pages of a list.
 */
export function openSeeds(databaseUrl: string, side: keyof typeof SIDES): Copies {
  return openCopies(databaseUrl, SIDES[side], async (client, by) => {
    if (side === 'service') await client.query(COUNTERS, [by])
  })
}

/** Those that the copied document is counted in. */
const COUNTERS = `update documents_service.counter set documents = documents + $1 where name in ('', 'status:active')`

const SIDES = {
  service: [
    {
      table: 'documents_service.document',
      id: 'id',
      where: `status = 'active' and recipient = 'customer'`,
      changed: { id: COPY_ID, customer_id: CUSTOMER, connection_id: CONNECTION },
    },
    { table: 'documents_service.signature', id: 'document_id', where: 'true', changed: { document_id: COPY_ID } },
  ],
  customer: [
    {
      table: 'documents_customer.copy',
      id: 'id',
      where: 'is_acted_on',
      changed: { id: COPY_ID, account_id: CUSTOMER, connection_id: CONNECTION },
    },
  ],
}
