import { runStatement } from '@sealpost/postgres'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { choresOf } from '../region.ts'
import { runChores } from './upkeep.ts'

const ROWS = 5000
const OBJECTS = 700
const DAY_MS = 86_400_000

// Of its own: chores are for all tenants, and the clock passes days.
const world = await openWorld({ own: true })
const { platform } = world.eu
const old = new Date(platform.clock.now() - 100 * DAY_MS)

/** Expired rows, by the table that they are in. */
const EXPIRED = {
  'idempotency.claim': `insert into idempotency.claim (caller, id, body_hash, token, lease_until, expires_at)
    select 'a', decode(md5(n::text), 'hex'), '', gen_random_uuid(), $1, $1 from generate_series(1, $2::int) n`,
  'grants.result': `insert into grants.result (company_id, client_id, state_sha256, lapses_at, forgotten_at)
    select gen_random_uuid(), 'idw_a', decode(md5(n::text), 'hex'), $1, $1 from generate_series(1, $2::int) n`,
  'services.log': `insert into services.log (company_id, service_id, id, type, message, metadata, created_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'config', '', '{}', $1
    from generate_series(1, $2::int) n`,
  'connections_service.connect_request': `insert into connections_service.connect_request (service_id, customer_id, id,
      company_id, customer_region, share_code, state, created_at, expires_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'us', 'C', 'pending', $1, $1
    from generate_series(1, $2::int) n`,
  'connections_customer.connection': `insert into connections_customer.connection (account_id, id, user_type, state, service_id,
      company_id, company_region, service_public_key, display_name, rev, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'person', 'opening', gen_random_uuid(), gen_random_uuid(), 'us', '', '', 0, $1
    from generate_series(1, $2::int) n`,
  'connections_customer.connect_request': `insert into connections_customer.connect_request (account_id, id, company_id,
      company_region, service_id, company_name, service_name, service_code, created_at, expires_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'us', gen_random_uuid(), '', '', '', $1, $1
    from generate_series(1, $2::int) n`,
  'vault.garbage': `insert into vault.garbage (object_key, due_at)
    select md5(n::text) || substr(md5(n::text), 1, 16), $1 from generate_series(1, $2::int) n`,
} as const

async function countRows(): Promise<Record<string, unknown>> {
  const counts = Object.keys(EXPIRED).map(async (table) => {
    const [row] = await world.rows<{ rows: number }>(`select count(*)::int as rows from ${table}`)
    return [table, row?.rows] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

test(
  'one round of upkeep removes everything that has expired, however much that is',
  { timeout: scaled(60_000) },
  async () => {
    const before = await countRows()
    await platform.database.transaction(async (tx) => {
      for (const [table, sql] of Object.entries(EXPIRED)) {
        await runStatement(tx, sql, [old, table === 'vault.garbage' ? OBJECTS : ROWS])
      }
    })
    await runChores(platform, choresOf(world.eu))
    expect(world.telemetry.text()).not.toContain('could not be tidied up')
    expect(await countRows()).toEqual(before)
  },
)
