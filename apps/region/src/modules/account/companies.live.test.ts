import { runStatement } from '@sealpost/postgres'
import { bodyOf, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { eraseAccount } from './operations/accounts.ts'
import { sealToRecoveryKey } from './operations/sealing.ts'
import { tellUntold } from './operations/tell-delegations.ts'
import { deleteMembership } from './store/memberships.ts'

const UNKNOWN = '019a0000-0000-7000-8000-0000000000ff'

const world = await openWorld()
/** A tell crosses two regions. */
const SOON = { timeout: scaled(20_000) }
const company = await world.company({ region: 'eu', displayName: 'Northwind Clinic' })
const [first, second] = [await world.service([], { company }), await world.service([], { company })]
// At home in the other region.
const person = await world.person({ region: 'us' })

const companiesOf = async (user: { readonly calls: typeof person.calls } = person) =>
  (await bodyOf(user.calls('GET', '/api/companies')))['items']

async function add(services: readonly string[], role = 'operator'): Promise<string> {
  const body = { share_code: person.shareCode, role, services }
  return String((await bodyOf(company.calls('POST', '/api/delegates', { body }), 201))['id'])
}

const path = (id: string) => `/api/delegates/${id}`
const membership = (change: object = {}) => ({
  company_id: company.userId,
  display_name: 'Northwind Clinic',
  region: 'eu',
  role: 'operator',
  services: [first.serviceId],
  ...change,
})

test('a user reads at home for which companies it may act, from the first day to the last', async () => {
  expect(await companiesOf()).toEqual([])
  const id = await add([first.serviceId])
  await expect.poll(() => companiesOf(), SOON).toEqual([membership()])

  const body = { role: 'admin', services: [second.serviceId, first.serviceId] }
  const changed = await bodyOf(company.calls('PUT', path(id), { body }))
  expect(changed).toMatchObject({ id, role: 'admin', services: [first.serviceId, second.serviceId].toSorted() })
  await expect
    .poll(() => companiesOf(), SOON)
    .toEqual([membership({ role: 'admin', services: [first.serviceId, second.serviceId].toSorted() })])

  await bodyOf(company.calls('PUT', '/api/profile', { body: { display_name: 'Northwind Hospital' } }))
  await expect.poll(async () => JSON.stringify(await companiesOf()), SOON).toContain('Northwind Hospital')
  await bodyOf(company.calls('PUT', '/api/profile', { body: { display_name: 'Northwind Clinic' } }))

  expect((await company.calls('DELETE', path(id))).status).toBe(204)
  await expect.poll(() => companiesOf(), SOON).toEqual([])
})

test('a delegate loses the passphrase of a service with it, and keeps that of the others', async () => {
  const id = await add([first.serviceId, second.serviceId])
  const sealed = await sealToRecoveryKey(first.publicKey, 'a passphrase')
  for (const service of [first, second])
    await bodyOf(company.calls('PUT', `${path(id)}/services/${service.serviceId}/key`, { body: { sealed } }))
  const change = (services: readonly string[]) =>
    bodyOf(company.calls('PUT', path(id), { body: { role: 'operator', services } }))
  expect(await change([second.serviceId])).toMatchObject({ keyed_services: [second.serviceId] })
  // The same call again changes nothing.
  expect(await change([second.serviceId])).toMatchObject({ keyed_services: [second.serviceId] })
  expect(await change([first.serviceId, second.serviceId])).toMatchObject({ keyed_services: [second.serviceId] })
  await bodyOf(company.calls('DELETE', path(id)), 204)
})

test('the deletion of a service and of a company reaches the homes of their delegates', async () => {
  const owner = await world.company({ region: 'eu', displayName: 'Vasa Fitness' })
  const [kept, deleted] = [await world.service([], { company: owner }), await world.service([], { company: owner })]
  const body = { share_code: person.shareCode, role: 'admin', services: [kept.serviceId, deleted.serviceId] }
  await bodyOf(owner.calls('POST', '/api/delegates', { body }), 201)
  const services = async () => (await companiesOf()) as { readonly services: readonly string[] }[]
  await expect.poll(async () => (await services())[0]?.services, SOON).toHaveLength(2)
  await bodyOf(owner.calls('DELETE', `/api/services/${deleted.serviceId}`), 204)
  await expect.poll(async () => (await services())[0]?.services, SOON).toEqual([kept.serviceId])
  await eraseAccount(world.eu.modules.account, owner.userId)
  await expect.poll(() => companiesOf(), SOON).toEqual([])
})

test('what an earlier release has not told is told by a chore', async () => {
  const id = await add([first.serviceId])
  await expect.poll(() => companiesOf(), SOON).toHaveLength(1)
  // As that release leaves it: a row, and nothing at the other home.
  await world.eu.modules.account.database.transaction((tx) =>
    runStatement(tx, 'update account.delegate set is_told = false where company_id = $1', [company.userId]),
  )
  await world.us.modules.account.database.transaction((tx) => deleteMembership(tx, person.userId, company.userId, 'eu'))
  expect(await companiesOf()).toEqual([])
  await tellUntold(world.eu.modules.account)
  await expect.poll(() => companiesOf(), SOON).toEqual([membership()])
  await bodyOf(company.calls('DELETE', path(id)), 204)
})

test('a change is refused for foreign services and invalid bodies; a foreign delegate is a missing one', async () => {
  const id = await add([first.serviceId])
  const other = await world.company({ region: 'eu' })
  const foreign = await world.service([], { company: other })
  const put = (on: string, body: object, by = company) => by.calls('PUT', path(on), { body })
  for (const service of [foreign.serviceId, UNKNOWN])
    expect(await put(id, { role: 'admin', services: [service] })).toMatchObject({
      status: 404,
      body: { error_key: 'services.not_found' },
    })
  for (const wrong of [{}, { role: 'owner', services: [] }, { role: 'admin', services: 'all' }])
    expect(await put(id, wrong)).toMatchObject({ status: 400, body: { error_key: 'request.invalid' } })
  const good = { role: 'admin', services: [] }
  const [strange, missing] = [await put(id, good, other), await put(UNKNOWN, good, other)]
  expect(missing).toMatchObject({ status: 404, body: { error_key: 'delegates.not_found' } })
  expect(strange.text).toBe(missing.text)
  expect(await bodyOf(company.calls('GET', path(id)))).toMatchObject({ role: 'operator', services: [first.serviceId] })
  for (const [method, at] of [
    ['PUT', path(id)],
    ['GET', '/api/companies'],
  ] as const)
    expect(await world.anonymous(method, at)).toMatchObject({ status: 401 })
  expect(await bodyOf(other.calls('GET', '/api/companies'))).toEqual({ total: 0, items: [], next_cursor: null })
  await bodyOf(company.calls('DELETE', path(id)), 204)
})
