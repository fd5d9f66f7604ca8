import { runStatement } from '@sealpost/postgres'
import { actFor, bodyOf, type Calls, callsWith, openWorld, refused, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'

// Of its own: days pass.
const world = await openWorld({ own: true })
const DAY_MS = 86_400_000
const SOON = { timeout: scaled(20_000) }
const PATH = '/api/portal/attention'

interface Item {
  readonly kind: string
  readonly service_id: string
  readonly ref: string | null
  readonly since: string
}

async function itemsOf(calls: Calls): Promise<readonly Item[]> {
  return (await bodyOf(calls('GET', PATH)))['items'] as readonly Item[]
}
const kindsOf = async (calls: Calls) => (await itemsOf(calls)).map(({ kind }) => kind)

test('says what is stopped, unread or set aside, and nothing of another company', async () => {
  const company = await world.company()
  const [service, other] = [await world.service([], { company }), await world.service([], { company })]
  expect(await itemsOf(company.portal)).toEqual([])

  const hook = await service.webhook({ auth_type: 'none' })
  await hook.post('pause')
  expect(await itemsOf(company.portal)).toEqual([
    { kind: 'webhook_paused', service_id: service.serviceId, ref: hook.id, since: expect.any(String) },
  ])
  await hook.post('resume')
  expect(await itemsOf(company.portal)).toEqual([])

  const { person, connectionId } = await world.customer(service, [])
  const body = { body: await service.seal('May I come later?'), sender_body: null }
  await bodyOf(person.calls('POST', `/api/company-connections/${connectionId}/messages`, { body }), 201)
  await expect.poll(() => kindsOf(company.portal), SOON).toEqual(['messages_unread'])
  expect(await itemsOf(company.portal)).toEqual([
    { kind: 'messages_unread', service_id: service.serviceId, ref: connectionId, since: world.time() },
  ])
  await setAside(company.companyId, other.serviceId)
  expect((await kindsOf(company.portal)).toSorted()).toEqual(['event_quarantined', 'messages_unread'])
  const stranger = await world.company()
  await world.service([], { company: stranger })
  expect(await itemsOf(stranger.portal)).toEqual([])
})

test('a delegate hears of its services only, in each role, and never of events that were set aside', async () => {
  const company = await world.company({ region: 'eu' })
  const [open, closed] = [await world.service([], { company }), await world.service([], { company })]
  const hooks = [await open.webhook({ auth_type: 'none' }), await closed.webhook({ auth_type: 'none' })] as const
  for (const hook of hooks) await hook.post('pause')
  await setAside(company.companyId, open.serviceId)
  for (const role of ['operator', 'admin']) {
    const delegate = await world.person({ region: 'us' })
    const body = { share_code: delegate.shareCode, role, services: [open.serviceId] }
    await bodyOf(company.portal('POST', '/api/delegates', { body }), 201)
    const acting = await actFor(world, company, delegate.cookies)
    const calls = callsWith(String(acting.body['api_url']), acting.token)
    expect((await itemsOf(calls)).map(({ kind, ref }) => [kind, ref])).toEqual([['webhook_paused', hooks[0].id]])
    // Of the own account there is no such page: a person has no services.
    expect(await delegate.calls('GET', PATH)).toMatchObject(refused(403, 'auth.client_endpoint_forbidden'))
  }
})

test('events that wait for more than a day are told once per reader, however many they are', async () => {
  const company = await world.company()
  const service = await world.service([], { company })
  await world.customer(service, [])
  await service.drain()
  await expect.poll(() => kindsOf(company.portal), SOON).toEqual([])
  await world.customer(service, [])
  await world.passDays(2 * DAY_MS)
  const { apiUrl, token } = await company.logIn()
  const late = callsWith(apiUrl, token)
  expect(await itemsOf(late)).toEqual([
    { kind: 'backlog_old', service_id: service.serviceId, ref: null, since: expect.any(String) },
  ])
  await service.drain()
  expect(await itemsOf(late)).toEqual([])
})

/** As the reader of the feed does with an event that misses its schema. */
function setAside(companyId: string, serviceId: string): Promise<unknown> {
  const sql = `insert into feed.quarantined_event (owner_id, no, account_id, owner_kind, event_id, kind, payload, at, reader, reason,
      quarantined_at)
    values ($2, 1, $1, 'service', gen_random_uuid(), 'connected', '{}', now(), 'webhook', 'test', now())`
  return world.eu.platform.database.transaction((tx) => runStatement(tx, sql, [companyId, serviceId]))
}
