import { runStatement } from '@sealpost/postgres'
import { bodyOf, keyOf, listOf, openWorld, photoEnvelope, scaled, type Service } from '@sealpost/testkit'
import { expect, test } from 'vitest'

// Unusual but valid inputs: none may fail unexpectedly or block the connection's lane.

const IN_TIME = { timeout: scaled(15_000) }
/** A wrapper slightly below the size limit of an inline value. */
const LONG = 'x'.repeat(47_000)
const MANY = Array.from({ length: 20 }, (_, index) => `field_${index}`)

const world = await openWorld()
const company = await world.company()
const person = await world.person()

async function waitForPending(id: string, count: number): Promise<void> {
  const pending = async () => (await person.connection(id))['pending_consent']
  await expect.poll(pending, IN_TIME).toHaveLength(count)
}

/** A connection to a service that asks for many values. */
async function connectToMany(): Promise<{ readonly service: Service; readonly id: string }> {
  const service = await world.service([{ slug: 'name' }], { company })
  const id = await person.connected(service, [{ slug: 'name', text: 'Ada' }])
  await service.publish([{ slug: 'name' }, ...MANY.map((slug) => ({ slug }))])
  await waitForPending(id, MANY.length)
  return { service, id }
}

test('all of many long values in one consent arrive', async () => {
  const { service, id } = await connectToMany()
  const decisions = MANY.map((slug) => ({ slug, text: LONG }))
  expect((await person.provide(service, id, decisions)).status).toBe(200)
  for (const slug of MANY) await service.waitForValue(id, slug, LONG)
})

test('values whose JSON escapes exceed the size of a bus message arrive at connect', async () => {
  const slugs = MANY.slice(0, 11)
  const service = await world.service(
    slugs.map((slug) => ({ slug })),
    { company },
  )
  const sealed = (await service.seal('Ada')).padStart(16_000, '\n')
  const answer = await person.connect(
    service,
    slugs.map((slug) => ({ request_field_id: service.row(slug), kind: 'typed', value: sealed })),
  )
  expect(answer.status).toBe(201)
  const id = String(answer.body['id'])
  for (const slug of slugs) expect(await service.value(id, slug)).toBe('Ada')
})

test('an edit of a field that feeds many slots of one service reaches them all', async () => {
  const { service, id } = await connectToMany()
  expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
  const decisions = MANY.map((slug) => ({ slug, kind: 'linked', source: 'first_name', text: 'Ada' }) as const)
  expect(await person.provide(service, id, decisions)).toMatchObject({ status: 200 })
  const shares = MANY.map((slug) => ({ service, connectionId: id, slug }))
  expect((await person.put('first_name', LONG, shares)).status).toBe(200)
  for (const slug of MANY) await service.waitForValue(id, slug, LONG)
})

test('an empty file is refused and does not block the lane', async () => {
  const service = await world.service([{ slug: 'name' }], { company })
  const id = await person.connected(service, [{ slug: 'name', text: 'Ada' }])
  await service.publish([{ slug: 'name' }, { slug: 'paper', type: 'document' }, { slug: 'town' }])
  await waitForPending(id, 2)
  const file = { file: 'data:text/plain;base64,', original_name: 'empty.txt' }
  expect((await person.provide(service, id, [{ slug: 'paper', file }])).status).toBe(400)
  expect(await person.provide(service, id, [{ slug: 'town', text: 'London' }])).toMatchObject({ status: 200 })
  await service.waitForValue(id, 'town', 'London')
})

test('the answer to a mandatory row that no longer asks persons stays, and can be withdrawn', async () => {
  const service = await world.service([{ slug: 'name' }, { slug: 'vat', mandatory_connected: true }], { company })
  const id = await person.connected(service, [
    { slug: 'name', text: 'Ada' },
    { slug: 'vat', text: '17' },
  ])
  await service.publish([{ slug: 'name' }, { slug: 'vat', mandatory_connected: true, audience: 'company' }])
  const asked = async () => listOf((await person.connection(id))['request_fields']).map(({ slug }) => slug)
  await expect.poll(asked, IN_TIME).toEqual(['name'])
  expect((await person.remap(service, id, [{ slug: 'name', text: 'Grace' }])).status).toBe(200)
  await service.waitForValue(id, 'name', 'Grace')
  const withdrawal = { slug: 'vat', kind: 'none' } as const
  expect(await person.remap(service, id, [withdrawal])).toMatchObject({ status: 200 })
  await expect.poll(async () => listOf((await person.connection(id))['mappings'])).toMatchObject([{ slug: 'name' }])
})

test('many verified files and long values, above the size of a bus message, arrive at connect', async () => {
  const files = Array.from({ length: 80 }, (_, index) => `photo_${index}`)
  const texts = MANY.slice(0, 12)
  const rows = [...files.map((slug) => ({ slug, type: 'photo' })), ...texts.map((slug) => ({ slug }))]
  const service = await world.service(rows, { company })
  expect(await person.put('photo', photoEnvelope(), [], { isPrivate: false, isClear: true })).toMatchObject({
    status: 200,
  })
  await world.us.platform.database.transaction((tx) =>
    runStatement(
      tx,
      `update vault.value set verified_hash = repeat('a', 64), verified_salt = repeat('b', 32), verified_at = $3,
        verified_method = 'id_document', verified_provider = repeat('p', 64), verification_id = $2
      where account_id = $1 and field_id = $2`,
      [person.userId, person.field('photo'), new Date(world.clock.now())],
    ),
  )
  const linked = files.map((slug) => ({ slug, kind: 'linked', source: 'photo' }) as const)
  const typed = texts.map((slug) => ({ slug, text: LONG }))
  const id = await person.connected(service, [...linked, ...typed])
  for (const slug of texts) expect(await service.value(id, slug)).toBe(LONG)
  const { fields } = (await service.read(id)) ?? {}
  expect(listOf(fields)).toHaveLength(rows.length)
})

test('a change that makes the facts of a service too large is refused, with and without customers', async () => {
  const wide = Array.from({ length: 100 }, (_, place) => ({
    slug: `field_${place}`.padEnd(64, '_'),
    label: '\u6f22'.repeat(200),
    type: 'address',
  }))
  const { portal, path, ...service } = await world.service([], { company })
  const publish = async (request_fields: readonly object[]) => {
    const { config_token } = await bodyOf(portal('GET', `${path}/request-fields`))
    return portal('PUT', `${path}/request-fields`, { body: { config_token, request_fields } })
  }
  const fields: { readonly field_id: string }[] = []
  for (let place = 0; place < 4; place += 1) {
    const body = { label: `Wide ${place}`, type: 'text' }
    const field_id = String((await bodyOf(portal('POST', '/api/contact-fields', { body }), 201))['id'])
    expect(await portal('PUT', `/api/contact-data/${field_id}`, { body: { value: 'x'.repeat(15_900) } })).toMatchObject(
      { status: 200 },
    )
    fields.push({ field_id })
  }
  const { config_token } = await bodyOf(portal('GET', `${path}/share-fields`))
  expect(await portal('PUT', `${path}/share-fields`, { body: { config_token, fields } })).toMatchObject({ status: 200 })
  expect(keyOf(await publish(wide))).toBe('request.invalid')
  expect(await publish(wide.slice(0, 60))).toMatchObject({ status: 200 })
  const id = await person.connected(service)
  expect(keyOf(await publish(wide))).toBe('request.invalid')
  expect(await publish(wide.slice(0, 50))).toMatchObject({ status: 200 })
  await waitForPending(id, 50)
})
