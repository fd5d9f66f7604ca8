import { randomBytes } from 'node:crypto'
import { readXml } from '@sealpost/http'
import { runStatement } from '@sealpost/postgres'
import { listConnections } from '@sealpost/protocol'
import { bodyOf, listOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openCompany } from './sharing/parties.ts'

const CONNECTIONS = '/api/company-data/connections'
const PAGE_KB = 400
const CUSTOMERS = 40
const ROWS = 6

const world = await openWorld({ settings: { PAGE_KB: String(PAGE_KB) } })
const { northwind } = await world.personas('northwind')
const company = await openCompany(world, northwind)
const published = await company.service.requestFields.update(() =>
  Array.from({ length: ROWS }, (_, row) => ({ slug: `row_${row}`, label: `Row ${row}`, type: 'text' })),
)
const fields = published.request_fields.flatMap(({ id }) => id ?? [])
/** Sealed text of the largest size; its content does not matter to a list. */
const wrapper = JSON.stringify({
  _enc: 1,
  k: randomBytes(256).toString('base64'),
  iv: randomBytes(12).toString('base64'),
  d: randomBytes(11_000).toString('base64'),
})
const ids = Array.from(
  { length: CUSTOMERS },
  (_, number) => `019b0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
)
await addConnections()

/** Past the routes: forty persons who connect would take a minute. */
async function addConnections(): Promise<void> {
  const { serviceId, companyId } = northwind
  await world.eu.platform.database.transaction(async (tx) => {
    await runStatement(
      tx,
      `insert into connections_service.connection (service_id, id, company_id, customer_id, customer_region, customer_type,
        share_code, display_name, public_key, connected_at)
      select $1, id, $2, gen_random_uuid(), 'us', 'person', 'C' || lpad(at::text, 7, '0'), 'A customer', $4, now()
      from unnest($3::uuid[]) with ordinality as wanted (id, at)`,
      [serviceId, companyId, ids, northwind.login.keys.publicKey],
    )
    await runStatement(
      tx,
      `insert into connections_service.slot (service_id, connection_id, request_field_id, state, rev, live, is_private, value,
        updated_at, provided_at)
      select $1, connection_id, field, 'answered', 1, true, true, $4, now(), now()
      from unnest($2::uuid[]) as connection_id, unnest($3::uuid[]) as field`,
      [serviceId, ids, fields, wrapper],
    )
    await runStatement(
      tx,
      `insert into connections_service.customer_region (service_id, region, customers, rev) values ($1, 'us', $2, 0)`,
      [serviceId, CUSTOMERS],
    )
  })
}

test('a page without offset ends at its size and leads on by its cursor until everything was read', async () => {
  const seen: string[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const answer = await northwind.data('GET', `${CONNECTIONS}?limit=500${query}`)
    expect(answer.status).toBe(200)
    expect(Buffer.byteLength(answer.text)).toBeLessThan(PAGE_KB * 1000 + 2000)
    expect(answer.body['total']).toBe(CUSTOMERS)
    seen.push(...listOf(answer.body['items']).map(({ id }) => String(id)))
    const { next_cursor: next } = answer.body
    cursor = typeof next === 'string' ? next : null
  }
  expect(seen).toEqual(ids)
  expect(pages).toBeGreaterThan(5)
})

test('a page by offset has what was asked for', async () => {
  const all = await bodyOf(northwind.data('GET', `${CONNECTIONS}?limit=500&offset=0`))
  expect(listOf(all['items']).map(({ id }) => id)).toEqual(ids)
  expect(all).toMatchObject({ total: CUSTOMERS, next_cursor: null })
  const part = await bodyOf(northwind.data('GET', `${CONNECTIONS}?limit=12&offset=20`))
  expect(listOf(part['items']).map(({ id }) => id)).toEqual(ids.slice(20, 32))
  const next = await bodyOf(northwind.data('GET', `${CONNECTIONS}?limit=2&cursor=${String(part['next_cursor'])}`))
  expect(listOf(next['items']).map(({ id }) => id)).toEqual(ids.slice(32, 34))
})

test('XML has the same items as JSON, by offset and by cursor', async () => {
  const token = await world.token(northwind)
  for (const query of ['limit=30&offset=5', 'limit=500']) {
    const read = async (accept: string): Promise<string> => {
      const headers = { accept, authorization: `Bearer ${token}` }
      return (await fetch(`${world.eu.url}${CONNECTIONS}?${query}`, { headers })).text()
    }
    expect(readXml(await read('application/xml'), listConnections.success.body)).toEqual(
      JSON.parse(await read('application/json')),
    )
  }
})

test('the SDK reads all connections of a list that has many pages', async () => {
  const seen: string[] = []
  for await (const { id } of company.service.connections.list()) seen.push(id)
  expect(seen).toEqual(ids)
})
