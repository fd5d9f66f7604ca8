import { runStatement } from '@sealpost/postgres'
import {
  demand,
  type Desk,
  keyOf,
  listOf,
  openCustomer,
  openDesk,
  photoEnvelope,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Unusual but valid inputs: none may fail unexpectedly or block the connection's lane.

let two: TwoRegions
let person: TestCustomer

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
})
afterAll(() => two.close())

const CONNECTIONS = '/api/company-connections'
/** A wrapper slightly below the size limit of an inline value. */
const LONG = 'x'.repeat(11_000)
const MANY = Array.from({ length: 20 }, (_, index) => `field_${index}`)

function provide(id: string, decisions: readonly unknown[]) {
  return person.calls('POST', `${CONNECTIONS}/consents/${id}/provide`, { body: { decisions } })
}

async function waitForPending(id: string, count: number): Promise<void> {
  await waitUntil(`${count} rows are pending`, 15_000, async () => {
    const { pending_consent: pending } = await person.read(id)
    return Array.isArray(pending) && pending.length === count
  })
}

/** A connection to a service that asks for many values. */
async function connectToMany(): Promise<{ readonly desk: Desk; readonly id: string }> {
  const desk = await openDesk(two, [{ slug: 'name' }])
  const id = await person.connected(desk, [await person.typed(desk, 'name', 'Ada')])
  await desk.publish([{ slug: 'name' }, ...MANY.map((slug) => ({ slug }))])
  await waitForPending(id, MANY.length)
  return { desk, id }
}

test('all of many long values in one consent arrive', async () => {
  const { desk, id } = await connectToMany()
  const decisions = await Promise.all(MANY.map((slug) => person.typed(desk, slug, LONG)))
  await demand(provide(id, decisions), 200)
  for (const slug of MANY) await desk.waitForValue(id, slug, LONG)
})

test('values whose JSON escapes exceed the size of one connect are refused as too large', async () => {
  const slugs = MANY.slice(0, 11)
  const desk = await openDesk(
    two,
    slugs.map((slug) => ({ slug })),
  )
  const decisions = await Promise.all(slugs.map((slug) => person.typed(desk, slug, 'Ada')))
  const padded = decisions.map((decision) => ({ ...decision, value: decision.value.padStart(16_000, '\n') }))
  const answer = await person.connect(desk, padded)
  expect([answer.status, keyOf(answer)]).toEqual([413, 'request.too_large'])
})

test('an edit of a field that feeds many slots of one service reaches them all', async () => {
  const { desk, id } = await connectToMany()
  await demand(person.put('first_name', 'Ada'))
  const decisions = await Promise.all(MANY.map((slug) => person.linked(desk, slug, 'first_name', 'Ada')))
  await demand(provide(id, decisions), 200)
  const shares = MANY.map((slug) => ({ desk, connectionId: id, slug }))
  await demand(person.put('first_name', LONG, shares))
  for (const slug of MANY) await desk.waitForValue(id, slug, LONG)
})

test('an empty file is refused and does not block the lane', async () => {
  const desk = await openDesk(two, [{ slug: 'name' }])
  const id = await person.connected(desk, [await person.typed(desk, 'name', 'Ada')])
  await desk.publish([{ slug: 'name' }, { slug: 'paper', type: 'document' }, { slug: 'town' }])
  await waitForPending(id, 2)
  const file = { file: 'data:text/plain;base64,', original_name: 'empty.txt' }
  const answer = await provide(id, [{ request_field_id: desk.row('paper'), kind: 'typed', file }])
  expect(answer.status).toBe(400)
  await demand(provide(id, [await person.typed(desk, 'town', 'London')]), 200)
  await desk.waitForValue(id, 'town', 'London')
})

test('a mandatory row that no longer asks persons does not prevent a re-map', async () => {
  const desk = await openDesk(two, [{ slug: 'name' }, { slug: 'vat', mandatory_connected: true }])
  const id = await person.connected(desk, [
    await person.typed(desk, 'name', 'Ada'),
    await person.typed(desk, 'vat', '17'),
  ])
  await desk.publish([{ slug: 'name' }, { slug: 'vat', mandatory_connected: true, audience: 'company' }])
  await waitUntil('the row is not asked any more', 15_000, async () => {
    return listOf((await person.read(id))['request_fields']).length === 1
  })
  const body = { decisions: [await person.typed(desk, 'name', 'Grace')] }
  await demand(person.calls('PUT', `${CONNECTIONS}/${id}/services/${id}/mappings`, { body }), 200)
  await desk.waitForValue(id, 'name', 'Grace')
  await desk.waitForValue(id, 'vat', null)
})

test('verified files and long values above the size of one connect are refused as too large', async () => {
  const files = Array.from({ length: 80 }, (_, index) => `photo_${index}`)
  const texts = MANY.slice(0, 12)
  const rows = [...files.map((slug) => ({ slug, type: 'photo' })), ...texts.map((slug) => ({ slug }))]
  const desk = await openDesk(two, rows)
  const photo = photoEnvelope()
  const field = person.field('photo')
  await demand(person.calls('PUT', `/api/contact-data/${field}`, { body: { value: photo, is_private: false } }), 200)
  await two.us.platform.database.transaction((tx) =>
    runStatement(
      tx,
      `update vault.value set verified_hash = repeat('a', 64), verified_salt = repeat('b', 32), verified_at = $3,
        verified_method = 'id_document', verified_provider = repeat('p', 64), verification_id = $2
      where account_id = $1 and field_id = $2`,
      [person.owner.user.userId, field, new Date(two.clock.now())],
    ),
  )
  const linked = files.map((slug) => ({ request_field_id: desk.row(slug), kind: 'linked', source_field_id: field }))
  const typed = await Promise.all(texts.map((slug) => person.typed(desk, slug, LONG)))
  const answer = await person.connect(desk, [...linked, ...typed])
  expect([answer.status, keyOf(answer)]).toEqual([413, 'request.too_large'])
  expect(await person.list()).not.toContainEqual(expect.objectContaining({ service_id: desk.serviceId }))
  await person.connected(desk, typed)
}, 60_000)

test('a change that makes the facts of a service too large is refused, with and without customers', async () => {
  const wide = Array.from({ length: 100 }, (_, place) => ({
    slug: `field_${place}`.padEnd(64, '_'),
    label: '\u6f22'.repeat(200),
    type: 'address',
  }))
  const desk = await openDesk(two, [])
  const at = `/api/services/${desk.serviceId}`
  const publish = async (request_fields: readonly object[]) => {
    const { config_token } = await demand(desk.portal('GET', `${at}/request-fields`))
    return desk.portal('PUT', `${at}/request-fields`, { body: { config_token, request_fields } })
  }
  const fields: { readonly field_id: string }[] = []
  for (let place = 0; place < 4; place += 1) {
    const body = { label: `Wide ${place}`, type: 'text' }
    const field_id = String((await demand(desk.portal('POST', '/api/contact-fields', { body }), 201))['id'])
    const value = 'x'.repeat(15_900)
    await demand(desk.portal('PUT', `/api/contact-data/${field_id}`, { body: { value } }), 200)
    fields.push({ field_id })
  }
  const { config_token } = await demand(desk.portal('GET', `${at}/share-fields`))
  await demand(desk.portal('PUT', `${at}/share-fields`, { body: { config_token, fields } }), 200)
  expect(keyOf(await publish(wide))).toBe('request.invalid')
  await demand(publish(wide.slice(0, 60)), 200)
  const id = await person.connected(desk, [])
  expect(keyOf(await publish(wide))).toBe('request.invalid')
  await demand(publish(wide.slice(0, 50)), 200)
  await waitForPending(id, 50)
}, 60_000)
