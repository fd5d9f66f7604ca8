import {
  connectTo,
  decideOn,
  demand,
  drainFeed,
  drainEvents,
  type FeedEvent,
  fieldIdOf,
  newShopper,
  openSealed,
  openShop,
  type Owner,
  publishRows,
  sealTo,
  setField,
  type Shop,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const rows = [
  { slug: 'mail', type: 'email' },
  { slug: 'second_mail', type: 'email' },
  { slug: 'birthday', type: 'date', one_time: true },
]

let two: TwoRegions
let shop: Shop
let person: Owner
let id: string

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CHANGES: '60000' })
  shop = await openShop(two, rows)
  person = await newShopper(two)
  await setField(person, 'email', { text: 'first@mara.example' })
  id = await connectTo(shop, person, [
    { slug: 'mail', kind: 'linked', text: 'first@mara.example', source: 'email' },
    { slug: 'second_mail', kind: 'linked', text: 'first@mara.example', source: 'email' },
    { slug: 'birthday', kind: 'one_time', text: '1990-01-02' },
  ])
})
afterAll(() => two.close())

/** Members of every event of this person. */
function common(event: string) {
  return {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    event,
    person_user_id: person.user.userId,
    share_code: person.user.shareCode,
    at: expect.stringMatching(/\+00:00$/),
    connection_id: id,
    service_id: shop.service.serviceId,
  }
}

/** The person edits the field that feeds both slots. */
async function edit(text: string): Promise<void> {
  const share = async (slug: string) => ({ connection_id: id, slug, value: await sealTo(shop.service.publicKey, text) })
  await setField(person, 'email', { text }, [await share('mail'), await share('second_mail')])
}

function bySlug(events: readonly FeedEvent[]): readonly FeedEvent[] {
  return events.toSorted((left, right) => String(left['slug']).localeCompare(String(right['slug'])))
}

/** Waits until the slots of the connection show it. */
async function waitForValue(slug: string, text: string | null): Promise<void> {
  await waitUntil(`${slug} holds ${text}`, 20_000, async () => {
    const { values } = await demand(shop.data('GET', `/api/company-data/connections/${id}`))
    const value = (values as Record<string, Record<string, unknown>>)[slug]?.['value']
    return text === null ? value === undefined : value !== undefined && (await openSealed(shop, value)) === text
  })
}

describe('the feed of a service', () => {
  test('a connect is one event without values [EVENT-01] [EVENT-03]', async () => {
    expect(await drainFeed(shop)).toEqual([{ ...common('connection_created'), customer_type: 'person' }])
  })

  test('an edit is one event per live slot and none for a snapshot [EVENT-05] [FEED-09]', async () => {
    await edit('second@mara.example')
    const events = bySlug(await drainEvents(shop, 2))
    const shown = { type: 'email', live: true, value: expect.any(String) }
    expect(events).toEqual([
      { ...common('field_updated'), slug: 'mail', ...shown },
      { ...common('field_updated'), slug: 'second_mail', ...shown },
    ])
    for (const { value } of events) expect(await openSealed(shop, value)).toBe('second@mara.example')
    expect(JSON.stringify(events)).not.toContain(await fieldIdOf(person, 'email'))
  })

  test('an event shows the content of its slot at the time it is read [FEED-08]', async () => {
    await edit('third@mara.example')
    await waitForValue('mail', 'third@mara.example')
    await edit('fourth@mara.example')
    await waitForValue('second_mail', 'fourth@mara.example')
    await waitForValue('mail', 'fourth@mara.example')
    const events = await drainFeed(shop)
    expect(bySlug(events).map(({ event, slug }) => [event, slug])).toEqual([
      ['field_updated', 'mail'],
      ['field_updated', 'second_mail'],
    ])
    for (const { value } of events) expect(await openSealed(shop, value)).toBe('fourth@mara.example')
  })

  test('a withdrawn mapping or a deleted value is a deletion event without a value [EVENT-07]', async () => {
    const [kept] = await decideOn(shop, person, [{ slug: 'mail', kind: 'linked', source: 'email' }])
    const path = `/api/company-connections/${id}/services/${id}/mappings`
    await demand(person.call('PUT', path, { decisions: [kept] }))
    expect(await drainEvents(shop, 1)).toEqual([{ ...common('field_deleted'), slug: 'second_mail' }])
    await demand(person.call('DELETE', `/api/contact-data/${await fieldIdOf(person, 'email')}`), 204)
    expect(await drainEvents(shop, 1)).toEqual([{ ...common('field_deleted'), slug: 'mail' }])
    expect(await demand(shop.data('GET', `/api/company-data/connections/${id}`))).toMatchObject({
      values: { birthday: { live: false } },
      pending_consent: ['mail', 'second_mail'],
    })
  })

  test('an update whose value is deleted before it is read becomes a deletion [FEED-08]', async () => {
    await setField(person, 'email', { text: 'fifth@mara.example' })
    const [decision] = await decideOn(shop, person, [
      { slug: 'mail', kind: 'linked', text: 'fifth@mara.example', source: 'email' },
    ])
    await demand(person.call('POST', `/api/company-connections/consents/${id}/provide`, { decisions: [decision] }))
    await waitForValue('mail', 'fifth@mara.example')
    await demand(person.call('DELETE', `/api/contact-data/${await fieldIdOf(person, 'email')}`), 204)
    await waitForValue('mail', null)
    const events = await drainFeed(shop)
    expect(new Set(events.map(({ event, slug }) => `${event} ${String(slug)}`))).toEqual(
      new Set(['field_deleted mail']),
    )
    for (const event of events) expect(event).not.toHaveProperty('value')
  })

  test('a row published later raises an event when it is provided or declined [EVENT-08] [EVENT-09]', async () => {
    await publishRows(shop, [...rows, { slug: 'phone', type: 'phone' }, { slug: 'site', type: 'url' }])
    await waitUntil('the person is asked', 20_000, async () => {
      const { consents } = await demand(person.call('GET', '/api/company-connections/consents'))
      return JSON.stringify(consents).includes('"phone"')
    })
    const consent = `/api/company-connections/consents/${id}`
    const decisions = await decideOn(shop, person, [{ slug: 'phone', text: '+31201234567' }])
    await demand(person.call('POST', `${consent}/provide`, { decisions }))
    const [accepted] = await drainEvents(shop, 1)
    expect(accepted).toEqual({
      ...common('consent_accepted'),
      slug: 'phone',
      type: 'phone',
      live: true,
      value: expect.any(String),
    })
    expect(await openSealed(shop, accepted?.['value'])).toBe('+31201234567')
    await demand(person.call('POST', `${consent}/decline`))
    const declined = bySlug(await drainEvents(shop, 3))
    expect(declined).toEqual([
      { ...common('consent_declined'), slug: 'mail' },
      { ...common('consent_declined'), slug: 'second_mail' },
      { ...common('consent_declined'), slug: 'site' },
    ])
    expect(await demand(shop.data('GET', `/api/company-data/connections/${id}`))).toMatchObject({ pending_consent: [] })
  })

  test('a removed row is a deletion event for every customer who had answered it', async () => {
    await publishRows(shop, rows)
    const [gone] = await drainEvents(shop, 1)
    expect(gone).toEqual({ ...common('field_deleted'), slug: 'phone' })
    await waitUntil('the job is done', 20_000, async () => {
      const { state } = await demand(shop.portal('GET', `/api/services/${shop.service.serviceId}`))
      return state === 'active'
    })
    expect(await drainFeed(shop)).toEqual([])
  })

  test("events of a slug that moves to a new row keep showing the customer's value", async () => {
    const passing = await openShop(two, [{ slug: 'contact', type: 'email' }])
    const customer = await newShopper(two)
    const connected = await connectTo(passing, customer, [{ slug: 'contact', text: 'old@mara.example' }])
    await publishRows(passing, [])
    await publishRows(passing, [{ slug: 'contact', type: 'phone' }])
    await waitUntil('the person is asked', 20_000, async () => {
      const { consents } = await demand(customer.call('GET', '/api/company-connections/consents'))
      return JSON.stringify(consents).includes('"phone"')
    })
    const decisions = await decideOn(passing, customer, [{ slug: 'contact', text: '+31201234567' }])
    await demand(customer.call('POST', `/api/company-connections/consents/${connected}/provide`, { decisions }))
    const events = await drainEvents(passing, 3)
    const last = events.filter((event) => event['slug'] === 'contact' && event['value'] !== undefined).at(-1)
    expect(await openSealed(passing, last?.['value'])).toBe('+31201234567')
  })

  test('a disconnect is an event and removes the connection [EVENT-04]', async () => {
    await demand(person.call('DELETE', `/api/company-connections/${id}`), 204)
    expect(await drainEvents(shop, 1)).toEqual([{ ...common('connection_deleted'), customer_type: 'person' }])
    expect((await shop.data('GET', `/api/company-data/connections/${id}`)).status).toBe(404)
  })

  test('the event of a deleted account has no share code', async () => {
    const leaving = await newShopper(two)
    const connected = await connectTo(shop, leaving)
    await drainEvents(shop, 1)
    await two.us.operations.eraseAccount(leaving.user.userId)
    const [gone] = await drainEvents(shop, 1)
    expect(gone).toMatchObject({ event: 'connection_deleted', share_code: null, connection_id: connected })
  })
})

describe('the name of a customer', () => {
  test('reaches the service when it changes', async () => {
    const customer = await newShopper(two)
    const connected = await connectTo(shop, customer)
    await demand(customer.call('PUT', '/api/profile', { display_name: 'Mara New' }))
    await waitUntil('the service shows the name', 20_000, async () => {
      const record = await demand(shop.data('GET', `/api/company-data/connections/${connected}`))
      return record['display_name'] === 'Mara New'
    })
  })
})

describe('the verification of a field', () => {
  test('is an update with the same value when gained or lost [EVENT-06]', async () => {
    const customer = await newShopper(two)
    const { email } = customer.user
    await setField(customer, 'email', { text: email })
    const connected = await connectTo(shop, customer, [{ slug: 'mail', kind: 'linked', text: email, source: 'email' }])
    const { values } = await demand(shop.data('GET', `/api/company-data/connections/${connected}`))
    const { value } = (values as Record<string, Record<string, unknown>>)['mail'] ?? {}
    await drainFeed(shop)
    const path = `/api/contact-data/${await fieldIdOf(customer, 'email')}/verification`
    const begun = await demand(customer.call('POST', `${path}s`, { provider: 'platform_email' }), 201)
    const code = await two.mail.waitForCode(email, 'verify')
    await demand(customer.call('POST', `${path}s/${String(begun['verification_id'])}/confirm`, { code }))
    expect(await drainEvents(shop, 1)).toEqual([
      expect.objectContaining({
        event: 'field_updated',
        slug: 'mail',
        live: true,
        value,
        verified_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        verified_method: 'email_code',
        verified_provider: 'platform_email',
        verification_id: begun['verification_id'],
      }),
    ])
    await demand(customer.call('DELETE', path), 204)
    const [lost] = await drainEvents(shop, 1)
    expect(lost).toMatchObject({ event: 'field_updated', slug: 'mail', value })
    expect(lost).not.toHaveProperty('verified_hash')
  })
})
