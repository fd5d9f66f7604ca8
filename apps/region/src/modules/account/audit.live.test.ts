import { actFor, bodyOf, callsWith, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
/** A tell crosses two regions. */
const SOON = { timeout: scaled(20_000) }
const company = await world.company({ region: 'eu', displayName: 'Northwind Clinic' })
const [first, second] = [await world.service([], { company }), await world.service([], { company })]
// At home in the other region.
const delegate = await world.person({ region: 'us', displayName: 'Mara Lindqvist' })

interface Entry {
  readonly action: string
  readonly actor_id: string
  readonly actor_name: string | null
  readonly service_id: string | null
}

async function entries(query = ''): Promise<readonly Entry[]> {
  return (await bodyOf(company.portal('GET', `/api/portal/audit${query}`)))['items'] as readonly Entry[]
}
const namesOf = async (actor: string) => [...new Set((await entries(`?actor=${actor}`)).map((row) => row.actor_name))]

test('names the company, its machine clients and its delegates, by their present names and beyond their end', async () => {
  const client = await company.accountClient(['service_management'])
  const setting = (serviceId: string) => `/api/services/${serviceId}/number-matching`
  await bodyOf(client.calls('PUT', setting(first.serviceId), { body: { number_matching: true } }))
  const body = { share_code: delegate.shareCode, role: 'admin', services: [first.serviceId] }
  const { id } = await bodyOf(company.portal('POST', '/api/delegates', { body }), 201)
  const acting = await actFor(world, company, delegate.cookies)
  const calls = callsWith(String(acting.body['api_url']), acting.token)
  await bodyOf(calls('PUT', setting(first.serviceId), { body: { number_matching: false } }))

  await expect.poll(() => namesOf(delegate.userId), SOON).toEqual(['Mara Lindqvist'])
  expect(await namesOf(company.userId)).toEqual(['Northwind Clinic'])
  expect(await namesOf(client.clientId)).toEqual([expect.any(String)])
  await bodyOf(delegate.calls('PUT', '/api/profile', { body: { display_name: 'Mara Holm' } }))
  await expect.poll(() => namesOf(delegate.userId), SOON).toEqual(['Mara Holm'])
  await bodyOf(company.portal('DELETE', `/api/delegates/${String(id)}`), 204)
  expect(await namesOf(delegate.userId)).toEqual(['Mara Holm'])
  await delegate.erase()
  await expect.poll(() => namesOf(delegate.userId), SOON).toEqual([null])
})

test('finds entries by action, actor, service and time, page by page with a cursor of that filter', async () => {
  const change = ({ serviceId }: { readonly serviceId: string }, isOn: boolean) =>
    bodyOf(company.portal('PUT', `/api/services/${serviceId}/number-matching`, { body: { number_matching: isOn } }))
  await change(first, true)
  await change(second, true)
  await change(second, false)
  const action = 'services.change_number_matching'
  const of = (service: { readonly serviceId: string }) => `?action=${action}&service_id=${service.serviceId}`
  const found = await entries(of(second))
  expect(found.map(({ action: name, service_id: id }) => [name, id])).toEqual(
    Array.from({ length: 2 }, () => [action, second.serviceId]),
  )
  expect((await entries(of(first))).map(({ service_id: id }) => id)).toContain(first.serviceId)
  expect((await entries(`?service_id=${second.serviceId}&actor=${delegate.userId}`)).length).toBe(0)
  expect((await entries(`?since=${encodeURIComponent(world.time(60_000))}`)).length).toBe(0)
  expect((await entries(`?since=${encodeURIComponent(world.time(-60_000))}`)).length).toBeGreaterThan(3)

  const page = await bodyOf(company.portal('GET', `/api/portal/audit${of(second)}&limit=1`))
  expect(page).toMatchObject({ total: 2, items: [found[0]] })
  const cursor = encodeURIComponent(String(page['next_cursor']))
  const rest = await bodyOf(company.portal('GET', `/api/portal/audit${of(second)}&limit=1&cursor=${cursor}`))
  expect(rest).toMatchObject({ items: [found[1]], next_cursor: null })
  for (const query of [`limit=1&cursor=${cursor}`, 'service_id=no', 'since=yesterday', 'action=', 'actor=']) {
    expect(await company.portal('GET', `/api/portal/audit?${query}`)).toMatchObject({
      status: 400,
      body: { error_key: 'request.invalid' },
    })
  }
})

test('of another company answers nothing', async () => {
  const other = await world.company({ region: 'eu' })
  const asked = await bodyOf(other.portal('GET', `/api/portal/audit?service_id=${first.serviceId}`))
  expect(asked).toEqual({ total: 0, items: [], next_cursor: null })
  expect(await bodyOf(other.portal('GET', `/api/portal/audit?actor=${company.userId}`))).toEqual(asked)
})
