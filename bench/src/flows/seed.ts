import { threePartySlugs } from '@sealpost/testkit'
import { type Copies, COPY_ID, type Copying, openCopies } from '../copy-rows.ts'

/** Copies of a completed run under other ids and customers, on one side of the module. */
export function openSeeds(databaseUrl: string, side: keyof typeof SIDES): Copies {
  return openCopies(databaseUrl, SIDES[side])
}

const PERSON = `md5('person ' || n % 20000)::uuid`
const PARTNER = `md5('partner ' || n % 20000)::uuid`
const CONNECTION = `md5('connection ' || n % 20000)::uuid`
const { amount, nick, reference } = threePartySlugs()

const SIDES = {
  service: [
    {
      table: 'flows_service.run',
      id: 'id',
      where: `status = 'completed'`,
      changed: { id: COPY_ID, connection_id: CONNECTION },
    },
    participant('us', {}),
    participant('customer', { user_id: PERSON, connection_id: CONNECTION }),
    participant('partner', { user_id: PARTNER, connection_id: `md5('of partner ' || n % 20000)::uuid` }),
    ...[amount, nick, reference].map((slug) => answer('flows_service.answer', slug, {})),
  ],
  customer: [
    {
      table: 'flows_customer.run',
      id: 'id',
      where: `state ->> 'status' = 'completed' and user_type = 'person'`,
      changed: { id: COPY_ID, account_id: PERSON, connection_id: CONNECTION },
    },
    ...[amount, nick, reference].map((slug) => answer('flows_customer.answer', slug, { account_id: PERSON })),
  ],
} satisfies Readonly<Record<string, readonly Copying[]>>

function participant(key: string, changed: Copying['changed']): Copying {
  const where = `party_key = '${key}'`
  return { table: 'flows_service.participant', id: 'run_id', where, changed: { run_id: COPY_ID, ...changed } }
}

function answer(table: string, slug: string, changed: Copying['changed']): Copying {
  return { table, id: 'run_id', where: `slug = '${slug}'`, changed: { run_id: COPY_ID, ...changed } }
}
