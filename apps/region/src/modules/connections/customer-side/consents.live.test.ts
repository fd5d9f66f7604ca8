import {
  demand,
  type Desk,
  keyOf,
  listOf,
  membersOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let person: TestCustomer
let desk: Desk
let id: string

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  desk = await openDesk(two, [{ slug: 'name' }])
  id = await person.connected(desk, [await person.typed(desk, 'name', 'Ada')])
  await desk.drain()
})
afterAll(() => two.close())

async function pending(): Promise<readonly string[]> {
  const { body } = await person.calls('GET', '/api/company-connections/consents')
  const [consent] = listOf(body['consents'])
  return listOf(consent?.['request_fields']).map(({ slug }) => String(slug))
}

async function waitForPending(wanted: readonly string[]): Promise<void> {
  const text = JSON.stringify(wanted)
  await waitUntil(`${text} is pending`, 15_000, async () => JSON.stringify(await pending()) === text)
}

function decide(what: 'provide' | 'decline', body?: unknown) {
  return person.calls('POST', `/api/company-connections/consents/${id}/${what}`, body === undefined ? {} : { body })
}

describe('a new request row at a live connection', () => {
  test('is pending until it is decided', async () => {
    await desk.publish([
      { slug: 'name' },
      { slug: 'town', mandatory_provide: true },
      { slug: 'street', mandatory_connected: true },
      { slug: 'vat', audience: 'company' },
    ])
    await waitForPending(['town', 'street'])
    const { body } = await person.calls('GET', '/api/company-connections/consents')
    expect(body).toMatchObject({
      consents: [{ id, connection_id: id, service_link_id: id, created_at: expect.any(String) }],
      total: 1,
      next_cursor: null,
    })
    expect(await person.read(id)).toMatchObject({ pending_consent: ['town', 'street'] })
    expect(await desk.read(id)).toMatchObject({ pending_consent: ['town', 'street'] })
  })

  test('can be provided in part; the rest stays pending and a repeated call has no effect', async () => {
    const decisions = [await person.typed(desk, 'town', 'London')]
    await demand(decide('provide', { decisions }), 200)
    await desk.waitForValue(id, 'town', 'London')
    expect(await pending()).toEqual(['street'])
    await demand(decide('provide', { decisions: [await person.typed(desk, 'town', 'Paris')] }), 200)
    expect(await desk.events(1)).toEqual([
      expect.objectContaining({ event: 'consent_accepted', slug: 'town', live: true }),
    ])
    expect(await desk.value(id, 'town')).toBe('London')
  })

  test('can be declined although it is mandatory, and the connection stays [REQF-08]', async () => {
    await demand(decide('decline'), 200)
    expect(await pending()).toEqual([])
    expect(await person.read(id)).toMatchObject({ pending_consent: [], declined: ['street'] })
    expect(await desk.events(1)).toEqual([expect.objectContaining({ event: 'consent_declined', slug: 'street' })])
    await demand(decide('decline'), 200)
    expect(await desk.drain()).toEqual([])
    expect((await desk.read(id))?.['status']).toBe('connected')
  })

  test('can be provided after it was declined', async () => {
    await demand(decide('provide', { decisions: [await person.typed(desk, 'street', 'Lane')] }), 200)
    await desk.waitForValue(id, 'street', 'Lane')
    expect(await desk.events(1)).toEqual([expect.objectContaining({ event: 'consent_accepted', slug: 'street' })])
  })

  test('loses its slot, mapping and pending consent when the row is removed', async () => {
    await desk.publish([{ slug: 'name' }, { slug: 'town' }])
    await desk.waitForValue(id, 'street', null)
    expect(await desk.events(1)).toEqual([expect.objectContaining({ event: 'field_deleted', slug: 'street' })])
    await waitUntil('the mapping is gone', 15_000, async () => {
      const { mappings } = await person.read(id)
      return listOf(mappings).length === 2
    })
    expect(await pending()).toEqual([])
  })
})

describe('a consent is refused', () => {
  test('if it is unsealed, for an unknown row, or twice for one row', async () => {
    const row = desk.row('town')
    const clear = await decide('provide', { decisions: [{ request_field_id: row, kind: 'typed', value: 'clear' }] })
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    const decision = await person.typed(desk, 'town', 'x')
    const twice = await decide('provide', { decisions: [decision, decision] })
    expect([twice.status, keyOf(twice)]).toEqual([400, 'request.invalid'])
    const unknown = await decide('decline', { request_field_ids: ['019a0000-0000-7000-8000-000000000000'] })
    expect([unknown.status, keyOf(unknown)]).toEqual([400, 'request.invalid'])
    const answered = await decide('decline', { request_field_ids: [row] })
    expect([answered.status, keyOf(answered)]).toEqual([400, 'request.invalid'])
  })

  test('without a login', async () => {
    for (const path of ['consents', `consents/${id}/provide`, `consents/${id}/decline`]) {
      const method = path === 'consents' ? 'GET' : 'POST'
      const answer = await fetch(`${person.owner.apiUrl}/api/company-connections/${path}`, { method })
      expect(answer.status).toBe(401)
    }
  })
})

describe('the verification of a field', () => {
  async function verify(): Promise<void> {
    const at = `/api/contact-data/${person.field('email')}/verifications`
    const begun = await demand(person.calls('POST', at, { body: { provider: 'platform_email' } }), 201)
    const code = await two.mail.waitForCode(person.owner.user.email, 'verif')
    const confirm = `${at}/${String(begun['verification_id'])}/confirm`
    await demand(person.calls('POST', confirm, { body: { code } }), 200)
  }

  async function waitForVerified(wanted: boolean): Promise<void> {
    await waitUntil(`the slot is ${wanted ? '' : 'not '}verified`, 15_000, async () => {
      const slot = membersOf(membersOf((await desk.read(id))?.['values'])['mail'])
      return (typeof slot['verified_hash'] === 'string') === wanted
    })
  }

  test('changes the slot but not its value when gained or lost [CONN-23]', async () => {
    const { email } = person.owner.user
    await demand(person.put('email', email), 200)
    await desk.publish([{ slug: 'name' }, { slug: 'town' }, { slug: 'mail', type: 'email' }])
    await waitForPending(['mail'])
    await demand(decide('provide', { decisions: [await person.linked(desk, 'mail', 'email', email)] }), 200)
    await desk.waitForValue(id, 'mail', email)
    await desk.drain()
    await verify()
    await waitForVerified(true)
    expect(await desk.value(id, 'mail')).toBe(email)
    expect(await desk.events(1)).toEqual([
      expect.objectContaining({ event: 'field_updated', slug: 'mail', verified_method: 'email_code' }),
    ])
    await demand(person.calls('DELETE', `/api/contact-data/${person.field('email')}/verification`), 204)
    await waitForVerified(false)
    expect(await desk.value(id, 'mail')).toBe(email)
    const [lost] = await desk.events(1)
    expect(lost).toMatchObject({ event: 'field_updated', slug: 'mail' })
    expect(lost?.['verified_hash'] ?? null).toBeNull()
  })

  test('is required by a verified row', async () => {
    const strict = await openDesk(two, [{ slug: 'mail', type: 'email', verified: true, verified_max_age_days: 30 }])
    const decision = await person.linked(strict, 'mail', 'email', person.owner.user.email)
    const refused = await person.connect(strict, [decision])
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error_key: 'request.invalid', details: [{ path: '/body/decisions/0/source_field_id' }] },
    ])
    await verify()
    const connected = await person.connected(strict, [decision])
    expect(membersOf(membersOf((await strict.read(connected))?.['values'])['mail'])).toMatchObject({
      verified_method: 'email_code',
    })
  })
})
