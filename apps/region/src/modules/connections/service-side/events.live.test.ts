import { type FeedEvent, membersOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const IN_TIME = { timeout: scaled(20_000) }
const rows = [
  { slug: 'mail', type: 'email' },
  { slug: 'second_mail', type: 'email' },
  { slug: 'birthday', type: 'date', one_time: true },
]

const world = await openWorld()
const service = await world.service(rows)
const { company } = service
const person = await world.person()
expect(await person.put('email', 'first@mara.example')).toMatchObject({ status: 200 })
const id = await person.connected(service, [
  { slug: 'mail', kind: 'linked', text: 'first@mara.example', source: 'email' },
  { slug: 'second_mail', kind: 'linked', text: 'first@mara.example', source: 'email' },
  { slug: 'birthday', kind: 'one_time', text: '1990-01-02' },
])
const consents = '/api/company-connections/consents'

/** Members of every event of this person. */
function common(event: string) {
  return {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event,
    person_user_id: person.userId,
    share_code: person.shareCode,
    at: expect.stringMatching(/\+00:00$/),
    connection_id: id,
    service_id: service.serviceId,
    customer_type: 'person',
  }
}

/** The person edits the field that feeds both slots. */
async function edit(text: string): Promise<void> {
  const shares = ['mail', 'second_mail'].map((slug) => ({ service, connectionId: id, slug }))
  expect(await person.put('email', text, shares)).toMatchObject({ status: 200 })
}

function bySlug(events: readonly FeedEvent[]): readonly FeedEvent[] {
  return events.toSorted((left, right) => String(left['slug']).localeCompare(String(right['slug'])))
}

async function waitForAsked(customer: typeof person, text: string): Promise<void> {
  await expect.poll(async () => (await customer.calls('GET', consents)).text, IN_TIME).toContain(`"${text}"`)
}

describe('the feed of a service', () => {
  test('a connect is one event without values [EVENT-03]', async () => {
    expect(await service.drain()).toEqual([common('connection_created')])
  })

  test('an edit is one event per live slot and none for a snapshot [EVENT-05] [FEED-09]', async () => {
    await edit('second@mara.example')
    const events = bySlug(await service.events(2))
    const shown = { type: 'email', live: true, value: expect.any(String) }
    expect(events).toEqual([
      { ...common('field_updated'), slug: 'mail', ...shown },
      { ...common('field_updated'), slug: 'second_mail', ...shown },
    ])
    for (const { value } of events) expect(await service.open(value)).toBe('second@mara.example')
    expect(JSON.stringify(events)).not.toContain(person.field('email'))
  })

  test('an event shows the content of its slot at the time it is read [FEED-08]', async () => {
    await edit('third@mara.example')
    await service.waitForValue(id, 'mail', 'third@mara.example')
    await edit('fourth@mara.example')
    await service.waitForValue(id, 'second_mail', 'fourth@mara.example')
    await service.waitForValue(id, 'mail', 'fourth@mara.example')
    const events = await service.drain()
    expect(bySlug(events).map(({ event, slug }) => [event, slug])).toEqual([
      ['field_updated', 'mail'],
      ['field_updated', 'second_mail'],
    ])
    for (const { value } of events) expect(await service.open(value)).toBe('fourth@mara.example')
  })

  test('a withdrawn mapping, a deleted value and a deleted field are a deletion event without a value [EVENT-07]', async () => {
    expect(await person.remap(service, id, [{ slug: 'second_mail', kind: 'none' }])).toMatchObject({ status: 200 })
    expect(await service.events(1)).toEqual([{ ...common('field_deleted'), slug: 'second_mail' }])
    expect(await person.calls('DELETE', `/api/contact-data/${person.field('email')}`)).toMatchObject({ status: 204 })
    expect(await service.events(1)).toEqual([{ ...common('field_deleted'), slug: 'mail' }])
    expect(await service.read(id)).toMatchObject({
      values: { birthday: { live: false } },
      pending_consent: ['mail', 'second_mail'],
    })
    const made = await person.calls('POST', '/api/contact-fields', { body: { label: 'Work', type: 'email' } })
    const source_field_id = String(made.body['id'])
    const sealed = { value: await person.sealToSelf('work@mara.example'), shares: [] }
    expect(await person.calls('PUT', `/api/contact-data/${source_field_id}`, { body: sealed })).toMatchObject({
      status: 200,
    })
    const value = await service.seal('work@mara.example')
    const decision = { request_field_id: service.row('mail'), kind: 'linked', source_field_id, value } as const
    expect(await person.provide(service, id, [decision])).toMatchObject({ status: 200 })
    expect(await service.events(1)).toMatchObject([{ event: 'consent_accepted', slug: 'mail' }])
    expect(await person.calls('DELETE', `/api/contact-fields/${source_field_id}`)).toMatchObject({ status: 204 })
    expect(await service.events(1)).toEqual([{ ...common('field_deleted'), slug: 'mail' }])
  })

  test('a provided value that is deleted before its event is read leaves the event its kind [FEED-08]', async () => {
    const text = 'fifth@mara.example'
    expect(await person.put('email', text)).toMatchObject({ status: 200 })
    expect(await person.provide(service, id, [{ slug: 'mail', kind: 'linked', text, source: 'email' }])).toMatchObject({
      status: 200,
    })
    await service.waitForValue(id, 'mail', 'fifth@mara.example')
    expect(await person.calls('DELETE', `/api/contact-data/${person.field('email')}`)).toMatchObject({ status: 204 })
    await service.waitForValue(id, 'mail', null)
    expect(await service.drain()).toEqual([
      { ...common('consent_accepted'), slug: 'mail', type: 'email', value: null },
      { ...common('field_deleted'), slug: 'mail' },
    ])
  })

  test('an update whose value is gone before it is read becomes a deletion [FEED-08]', async () => {
    const one = await world.service([{ slug: 'mail', type: 'email' }], { company })
    const customer = await world.person()
    expect(await customer.put('email', 'before@mara.example')).toMatchObject({ status: 200 })
    const connectionId = await customer.connected(one, [
      { slug: 'mail', kind: 'linked', text: 'before@mara.example', source: 'email' },
    ])
    await one.events(1)
    expect(
      await customer.put('email', 'after@mara.example', [{ service: one, connectionId, slug: 'mail' }]),
    ).toMatchObject({ status: 200 })
    await one.waitForValue(connectionId, 'mail', 'after@mara.example')
    expect(await customer.disconnect(connectionId)).toMatchObject({ status: 204 })
    const events = await one.drain()
    expect(events.map(({ event, slug }) => [event, slug])).toEqual([
      ['field_deleted', 'mail'],
      ['connection_deleted', undefined],
    ])
    for (const event of events) expect(event).not.toHaveProperty('value')
  })

  test('a row published later raises an event when it is provided or declined [EVENT-08] [EVENT-09]', async () => {
    await service.publish([...rows, { slug: 'phone', type: 'phone' }, { slug: 'site', type: 'url' }])
    await waitForAsked(person, 'phone')
    expect(await person.provide(service, id, [{ slug: 'phone', text: '+31201234567' }])).toMatchObject({ status: 200 })
    const [accepted] = await service.events(1)
    expect(accepted).toEqual({
      ...common('consent_accepted'),
      slug: 'phone',
      type: 'phone',
      live: true,
      value: expect.any(String),
    })
    expect(await service.open(accepted?.['value'])).toBe('+31201234567')
    expect(await person.calls('POST', `${consents}/${id}/decline`)).toMatchObject({ status: 200 })
    const declined = bySlug(await service.events(3))
    expect(declined).toEqual([
      { ...common('consent_declined'), slug: 'mail' },
      { ...common('consent_declined'), slug: 'second_mail' },
      { ...common('consent_declined'), slug: 'site' },
    ])
    expect(await service.read(id)).toMatchObject({ pending_consent: [] })
  })

  test('a removed row is a deletion event for every customer who had answered it', async () => {
    await service.publish(rows)
    const [gone] = await service.events(1)
    expect(gone).toEqual({ ...common('field_deleted'), slug: 'phone' })
    const state = async () => (await service.portal('GET', service.path)).body['state']
    await expect.poll(state, IN_TIME).toBe('active')
    expect(await service.drain()).toEqual([])
  })

  test('events of two rows that have one slug after each other are not collapsed', async () => {
    const passing = await world.service([{ slug: 'contact', type: 'email' }], { company })
    const state = async () => (await passing.portal('GET', passing.path)).body['state']
    const { person: customer, connectionId } = await world.customer(passing, [
      { slug: 'contact', text: 'old@mara.example' },
    ])
    await passing.publish([])
    await expect.poll(state, IN_TIME).toBe('active')
    await passing.publish([{ slug: 'contact', type: 'phone' }])
    await waitForAsked(customer, 'phone')
    expect(await customer.put('phone', '+31201234567')).toMatchObject({ status: 200 })
    const linked = { slug: 'contact', kind: 'linked', text: '+31201234567', source: 'phone' } as const
    expect(await customer.provide(passing, connectionId, [linked])).toMatchObject({ status: 200 })
    await passing.waitForValue(connectionId, 'contact', '+31201234567')
    const shares = [{ service: passing, connectionId, slug: 'contact' }]
    expect(await customer.put('phone', '+31207654321', shares)).toMatchObject({ status: 200 })
    await passing.waitForValue(connectionId, 'contact', '+31207654321')
    const events = await passing.drain()
    expect(events.map(({ event, slug }) => [event, slug])).toEqual([
      ['connection_created', undefined],
      ['field_deleted', 'contact'],
      ['consent_accepted', 'contact'],
      ['field_updated', 'contact'],
    ])
    for (const { value } of events.slice(2)) expect(await passing.open(value)).toBe('+31207654321')
  })

  test('a disconnect is an event and removes the connection [EVENT-04]', async () => {
    expect(await person.disconnect(id)).toMatchObject({ status: 204 })
    expect(await service.events(1)).toEqual([common('connection_deleted')])
    expect((await service.data('GET', `/api/company-data/connections/${id}`)).status).toBe(404)
  })

  test('the event of a deleted account has no share code', async () => {
    const { person: leaving, connectionId } = await world.customer(service)
    await service.events(1)
    await leaving.erase()
    const [gone] = await service.events(1)
    expect(gone).toMatchObject({ event: 'connection_deleted', share_code: null, connection_id: connectionId })
  })
})

describe('the name of a customer', () => {
  test('reaches the service when it changes', async () => {
    const { person: customer, connectionId } = await world.customer(service)
    expect(await customer.calls('PUT', '/api/profile', { body: { display_name: 'Mara New' } })).toMatchObject({
      status: 200,
    })
    const shown = async () => (await service.read(connectionId))?.['display_name']
    await expect.poll(shown, IN_TIME).toBe('Mara New')
  })
})

describe('the verification of a field', () => {
  test('is an update with the same value when gained or lost [EVENT-06]', async () => {
    const customer = await world.person()
    const { email } = customer
    expect(await customer.put('email', email)).toMatchObject({ status: 200 })
    const linked = { slug: 'mail', kind: 'linked', text: email, source: 'email' } as const
    const connected = await customer.connected(service, [linked])
    const { value } = membersOf(membersOf((await service.read(connected))?.['values'])['mail'])
    expect(await service.open(value)).toBe(email)
    await service.drain()
    const verification_id = await customer.verifyEmail()
    expect(await service.events(1)).toEqual([
      expect.objectContaining({
        event: 'field_updated',
        slug: 'mail',
        live: true,
        value,
        verified_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        verified_method: 'email_code',
        verified_provider: 'platform_email',
        verification_id,
      }),
    ])
    expect(await customer.calls('DELETE', `/api/contact-data/${customer.field('email')}/verification`)).toMatchObject({
      status: 204,
    })
    const [lost] = await service.events(1)
    expect(lost).toMatchObject({
      event: 'field_updated',
      slug: 'mail',
      value,
      verified_hash: null,
      verification_id: null,
    })
  })
})
