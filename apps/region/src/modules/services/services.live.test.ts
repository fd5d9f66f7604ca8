import { type Answer, keyOf, listOf, makeService, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const MISSING = '/api/services/019a0000-0000-7000-8000-0000000000ff'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const company = await world.company()
const { portal } = company

describe('GET /api/services', () => {
  test('lists the services of the company, oldest first, in pages, with their total', async () => {
    const { portal: own } = await world.company()
    expect((await own('GET', '/api/services')).body).toEqual({ total: 0, items: [], next_cursor: null })
    for (const name of ['One', 'Two', 'Three']) await makeService(own, { name })
    const first = await own('GET', '/api/services?limit=2')
    const rest = await own('GET', `/api/services?cursor=${String(first.body['next_cursor'])}`)
    expect([namesOf(first), first.body['total']]).toEqual([['One', 'Two'], 3])
    expect([namesOf(rest), rest.body['total'], rest.body['next_cursor']]).toEqual([['Three'], 3, null])
    expect(namesOf(await own('GET', '/api/services?offset=1&limit=1'))).toEqual(['Two'])
    expect((await own('GET', '/api/services?cursor=other')).status).toBe(400)
  })
})

describe('changes', () => {
  test('of name and audience leave absent members as they are', async () => {
    const { path } = await world.service([], { company, name: 'Before' })
    expect((await portal('PUT', path, { body: { name: 'After' } })).body).toMatchObject({
      name: 'After',
      audience: 'both',
    })
    expect((await portal('PUT', path, { body: { audience: 'company' } })).body).toMatchObject({
      name: 'After',
      audience: 'company',
    })
    expect((await portal('GET', path)).body).toMatchObject({ name: 'After', audience: 'company' })
    for (const body of [{ name: '' }, { audience: 'none' }, { audience: null }]) {
      expect(keyOf(await portal('PUT', path, { body }))).toBe('request.invalid')
    }
  })

  test('of a share code are refused when another service has the code [SERVICE-05] [SERVICE-06]', async () => {
    const { path: one } = await world.service([], { company })
    const { path: other } = await world.service([], { company })
    const set = (path: string, share_code: unknown) => portal('PUT', `${path}/share-code`, { body: { share_code } })
    expect((await set(one, 'FRESH1')).body).toMatchObject({ share_code: 'FRESH1' })
    expect((await set(one, 'FRESH1')).status).toBe(200)
    const taken = await set(other, 'FRESH1')
    expect([taken.status, keyOf(taken)]).toEqual([409, 'services.share_code_taken'])
    for (const wrong of ['fresh2', 'NINECHARS', '', null, undefined, 5]) {
      const response = await set(one, wrong)
      expect([response.status, keyOf(response)]).toEqual([400, 'services.share_code_invalid'])
    }
    expect((await portal('GET', one)).body['share_code']).toBe('FRESH1')
    const race = await Promise.all([set(one, 'RACE'), set(other, 'RACE')])
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('of an admin e-mail need a valid address [SERVICE-02]', async () => {
    const path = `${(await world.service([], { company })).path}/admin-email`
    expect((await portal('PUT', path, { body: { admin_email: 'x@y.example' } })).body).toMatchObject({
      admin_email: 'x@y.example',
    })
    for (const body of [{}, { admin_email: null }, { admin_email: 'x' }]) {
      const response = await portal('PUT', path, { body })
      expect([response.status, keyOf(response)]).toEqual([400, 'services.admin_email_invalid'])
    }
  })

  test('of number matching and of the second factor are independent [SERVICE-07] [SERVICE-08] [SERVICE-09]', async () => {
    const { calls: asClient } = await northwind.accountClient(['service_management'])
    const path = await makeService(asClient)
    const flags = async () => {
      const { body } = await asClient('GET', path)
      return [body['number_matching'], body['require_2fa']]
    }
    const set = (what: string, body: object) => asClient('PUT', `${path}/${what}`, { body })
    expect(await flags()).toEqual([false, false])
    expect((await set('number-matching', { number_matching: true })).status).toBe(200)
    expect(await flags()).toEqual([true, false])
    expect((await set('require-2fa', { require_2fa: true })).body).toMatchObject({
      number_matching: true,
      require_2fa: true,
    })
    expect((await set('number-matching', { number_matching: false })).status).toBe(200)
    expect(await flags()).toEqual([false, true])
    expect((await set('require-2fa', { require_2fa: false })).status).toBe(200)
    expect(await flags()).toEqual([false, false])
    for (const wrong of [{}, { number_matching: 'true' }, { number_matching: null }, { require_2fa: true }]) {
      expect(keyOf(await set('number-matching', wrong))).toBe('request.invalid')
    }
    const response = await northwind.data('PUT', `${path}/number-matching`, { body: { number_matching: true } })
    expect([response.status, keyOf(response)]).toEqual([403, 'auth.client_endpoint_forbidden'])
  })

  test('are recorded in the audit log with their actor', async () => {
    const { userId, portal: own } = await world.company()
    const path = await makeService(own)
    await own('PUT', path, { body: { name: 'Renamed' } })
    // A repeat changes nothing and is not recorded.
    await own('PUT', path, { body: { name: 'Renamed' } })
    const { body } = await own('GET', '/api/portal/audit')
    const entries = listOf(body['items'])
      .map(({ action, actor_id, ref }) => [action, actor_id, ref])
      .slice(0, 2)
    const id = path.split('/').at(-1)
    expect(entries).toEqual([
      ['services.change', userId, id],
      ['services.create', userId, id],
    ])
  })
})

describe('another company’s service', () => {
  const ROUTES: readonly (readonly ['GET' | 'PUT' | 'DELETE', string, object?])[] = [
    ['GET', ''],
    ['PUT', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['PUT', '/share-code', { share_code: 'MINE' }],
    ['PUT', '/admin-email', { admin_email: 'a@b.example' }],
    ['PUT', '/number-matching', { number_matching: true }],
    ['PUT', '/require-2fa', { require_2fa: true }],
    ['GET', '/private-key'],
  ]

  test('answers the same 404 as a missing one, to portal and account client [SERVICE-12]', async () => {
    const { path: theirs } = await world.service([], { company })
    const before = (await portal('GET', theirs)).body
    const client = await northwind.accountClient(['service_management'])
    for (const calls of [northwind.portal, client.calls]) {
      for (const [method, tail, body] of ROUTES) {
        const seen = await calls(method, `${theirs}${tail}`, { body })
        const missing = await calls(method, `${MISSING}${tail}`, { body })
        expect([seen.status, seen.text]).toEqual([404, missing.text])
        expect(keyOf(seen)).toBe('services.not_found')
        expect((await calls(method, `/api/services/nonsense${tail}`, { body })).text).toBe(missing.text)
      }
    }
    expect((await portal('GET', theirs)).body).toEqual(before)
    const abroad = await harborline.portal('GET', theirs)
    expect([abroad.status, keyOf(abroad)]).toEqual([404, 'services.not_found'])
  })
})

function namesOf({ body }: Answer): readonly unknown[] {
  return listOf(body['items']).map(({ name }) => name)
}
