import {
  demand,
  type Desk,
  keyOf,
  listOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Inputs that a person can send, each of which must neither fail nor stop what follows on the connection's lane.

let two: TwoRegions
let person: TestCustomer

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
})
afterAll(() => two.close())

const CONNECTIONS = '/api/company-connections'
/** Sealed, some characters less than an inline value may have. */
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

test('many long values in one consent all arrive', async () => {
  const { desk, id } = await connectToMany()
  const decisions = await Promise.all(MANY.map((slug) => person.typed(desk, slug, LONG)))
  await demand(provide(id, decisions), 200)
  for (const slug of MANY) await desk.waitForValue(id, slug, LONG)
})

test('values that grow on their way are too many for one connect, and it says so', async () => {
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

test('an empty file is refused, and the lane goes on', async () => {
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

test('a mandatory field that is not asked of persons any more does not keep them from re-mapping', async () => {
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
