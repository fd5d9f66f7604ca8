import { runStatement } from '@sealpost/postgres'
import {
  connectTo,
  demand,
  drainFeed,
  type FeedEvent,
  listOf,
  newShopper,
  openShop,
  type Owner,
  publishRows,
  rowIdOf,
  sealTo,
  sealToSelf,
  type Shop,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let two: TwoRegions
let shop: Shop
let person: Owner
/** A custom field of the person: its id occurs nowhere else. */
let fieldId: string

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CHANGES: '60000' })
  shop = await openShop(two, [{ slug: 'name', type: 'text' }])
  person = await newShopper(two)
  fieldId = String(
    (await demand(person.call('POST', '/api/contact-fields', { label: 'Alias', type: 'text' }), 201))['id'],
  )
})
afterAll(() => two.close())

async function decide(slug: string, text: string): Promise<object> {
  const value = await sealTo(shop.service.publicKey, text)
  return { request_field_id: await rowIdOf(shop, slug), kind: 'linked', source_field_id: fieldId, value }
}

async function edit(text: string, shares: readonly object[] = []): Promise<void> {
  await demand(person.call('PUT', `/api/contact-data/${fieldId}`, { value: await sealToSelf(person, text), shares }))
}

test("no event and no other data in the service's region contains the id of the source field [EVENT-02]", async () => {
  const events: FeedEvent[] = []
  const hear = (kind: string) =>
    waitUntil(`${kind} has come`, 20_000, async () => {
      events.push(...(await drainFeed(shop)))
      return events.some(({ event }) => event === kind)
    })
  await edit('Ada')
  const body = { code: shop.code, decisions: [await decide('name', 'Ada')] }
  const id = String((await demand(person.call('POST', '/api/company-connections', body), 201))['id'])
  await hear('connection_created')
  await edit('Grace', [{ connection_id: id, slug: 'name', value: await sealTo(shop.service.publicKey, 'Grace') }])
  await hear('field_updated')
  await publishRows(shop, [
    { slug: 'name', type: 'text' },
    { slug: 'alias', type: 'text' },
    { slug: 'other', type: 'text' },
  ])
  const consents = '/api/company-connections/consents'
  await waitUntil('the rows are pending', 20_000, async () => {
    const { services } = await demand(person.call('GET', `/api/company-connections/${id}`))
    const [link] = listOf(services)
    return Array.isArray(link?.['pending_consent']) && link['pending_consent'].length === 2
  })
  await demand(person.call('POST', `${consents}/${id}/provide`, { decisions: [await decide('alias', 'Grace')] }))
  await hear('consent_accepted')
  await demand(person.call('POST', `${consents}/${id}/decline`, {}))
  await hear('consent_declined')
  await demand(person.call('DELETE', `/api/contact-data/${fieldId}`), 204)
  await hear('field_deleted')
  await demand(person.call('DELETE', `/api/company-connections/${id}`), 204)
  await hear('connection_deleted')
  expect(JSON.stringify(events)).not.toContain(fieldId)
  expect(await tablesWith(fieldId, 'us')).not.toEqual([])
  expect(await tablesWith(fieldId, 'eu')).toEqual([])
  // Control: the search finds an id that is present.
  expect(await tablesWith(await rowIdOf(shop, 'name'), 'eu')).toContain('services.request_row')
  await connectTo(shop, person)
}, 60_000)

async function tablesWith(text: string, region: 'eu' | 'us'): Promise<readonly string[]> {
  return two[region].platform.database.read(async (read) => {
    const tables = await runStatement<{ name: string }>(
      read,
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      [],
    )
    const found: string[] = []
    for (const { name } of tables) {
      const sql = `select 1 from ${name} x where x::text like '%' || $1 || '%' limit 1`
      if ((await runStatement(read, sql, [text])).length > 0) found.push(name)
    }
    return found
  })
}
