import { runStatement } from '@sealpost/postgres'
import { type FeedEvent, membersOf, openWorld, type ReceivedHook, scaled, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const person = await world.person()
const field = await person.calls('POST', '/api/contact-fields', { body: { label: 'Alias', type: 'text' } })
/** A custom field of the person: its id occurs nowhere else. */
const fieldId = String(field.body['id'])

async function decide(slug: string, text: string) {
  const value = await service.seal(text)
  return { request_field_id: service.row(slug), kind: 'linked', source_field_id: fieldId, value } as const
}

async function edit(text: string, shares: readonly object[] = []): Promise<void> {
  const body = { value: await person.sealToSelf(text), shares }
  expect(await person.calls('PUT', `/api/contact-data/${fieldId}`, { body })).toMatchObject({ status: 200 })
}

test("no event and no other data in the service's region contains the id of the source field [EVENT-02]", async () => {
  const events: FeedEvent[] = []
  const hear = (kind: string) =>
    waitUntil(`${kind} has come`, 20_000, async () => {
      events.push(...(await service.drain()))
      return events.some(({ event }) => event === kind)
    })
  await edit('Ada')
  const id = await person.connected(service, [await decide('name', 'Ada')])
  await hear('connection_created')
  await edit('Grace', [{ connection_id: id, slug: 'name', value: await service.seal('Grace') }])
  await hear('field_updated')
  await service.publish([{ slug: 'name' }, { slug: 'alias' }, { slug: 'other' }])
  const pending = async () => (await person.connection(id))['pending_consent']
  await expect.poll(pending, { timeout: scaled(20_000) }).toEqual(['alias', 'other'])
  expect(await person.provide(service, id, [await decide('alias', 'Grace')])).toMatchObject({ status: 200 })
  await hear('consent_accepted')
  expect(await person.calls('POST', `/api/company-connections/consents/${id}/decline`, { body: {} })).toMatchObject({
    status: 200,
  })
  await hear('consent_declined')
  expect(await person.calls('DELETE', `/api/contact-data/${fieldId}`)).toMatchObject({ status: 204 })
  await hear('field_deleted')
  expect(await person.disconnect(id)).toMatchObject({ status: 204 })
  await hear('connection_deleted')
  expect(JSON.stringify(events)).not.toContain(fieldId)
  expect(await tablesWith(fieldId, 'us')).not.toEqual([])
  expect(await tablesWith(fieldId, 'eu')).toEqual([])
  // Control: the search finds an id that is present.
  expect(await tablesWith(service.row('name'), 'eu')).toContain('services.request_row')
  await person.connected(service)
})

test('delivered data has the slug and the type of the request row, and nothing of the field behind it [FTYPE-18]', async () => {
  const asking = await world.service([{ slug: 'reference', label: 'Your reference' }])
  const hook = await asking.webhook()
  const label = 'Number in the old register'
  const body = { label, slug: 'old_register', type: 'personal_number' }
  const own = await person.calls('POST', '/api/contact-fields', { body })
  const source_field_id = String(own.body['id'])
  const path = `/api/contact-data/${source_field_id}`
  const put = async (text: string, shares: readonly object[]) =>
    person.calls('PUT', path, { body: { value: await person.sealToSelf(text), shares } })
  expect(await put('4711', [])).toMatchObject({ status: 200 })
  const row = { request_field_id: asking.row('reference'), kind: 'linked', source_field_id } as const
  const id = await person.connected(asking, [{ ...row, value: await asking.seal('4711') }])
  const edited = { connection_id: id, slug: 'reference', value: await asking.seal('4712') }
  expect(await put('4712', [edited])).toMatchObject({ status: 200 })
  await asking.waitForValue(id, 'reference', '4712')

  const record = await asking.read(id)
  expect(Object.keys(membersOf(record?.['values']))).toEqual(['reference'])
  expect(record?.['values_private']).toEqual({ reference: true })
  expect(record?.['fields']).toMatchObject([{ slug: 'reference', label: 'Your reference', type: 'text' }])
  const listed = await asking.data('GET', '/api/company-data/connections')
  const [, update] = await asking.events(2)
  expect(update).toMatchObject({ event: 'field_updated', slug: 'reference', type: 'text', live: true })
  const hooks = await hook.receiver.take(2)
  expect(hooks[1]?.json).toMatchObject({ event: 'field_updated', slug: 'reference', type: 'text' })

  const delivered = [JSON.stringify(record), listed.text, JSON.stringify(update), ...hooks.map(bytesOfHook)]
  for (const text of delivered) {
    for (const hidden of [source_field_id, 'old_register', label, 'personal_number']) expect(text).not.toContain(hidden)
  }
})

function bytesOfHook({ headers, body }: ReceivedHook): string {
  return JSON.stringify(headers) + body.toString()
}

async function tablesWith(text: string, region: 'eu' | 'us'): Promise<readonly string[]> {
  return world[region].platform.database.read(async (read) => {
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
