import {
  accountClientCalls,
  type Calls,
  clientCalls,
  harborline,
  keyOf,
  makeService,
  newCompany,
  northwind,
  portalOf,
  startWithoutLimits,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let portal: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  ;({ portal } = await newCompany(two))
})
afterAll(() => two.close())

describe('GET /api/services', () => {
  test('lists the company’s own, oldest first, in pages, with their number', async () => {
    const { portal: own } = await newCompany(two)
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
  test('a name and an audience; what is left out stays', async () => {
    const path = await makeService(portal, { name: 'Before' })
    expect((await portal('PUT', path, { body: { name: 'After' } })).body).toMatchObject({
      name: 'After',
      audience: 'both',
    })
    expect((await portal('PUT', path, { body: { audience: 'company' } })).body).toMatchObject({
      name: 'After',
      audience: 'company',
    })
    expect((await portal('GET', path)).body).toMatchObject({ name: 'After', audience: 'company' })
    for (const body of [{ name: '' }, { audience: 'nobody' }, { audience: null }]) {
      expect(keyOf(await portal('PUT', path, { body }))).toBe('request.invalid')
    }
  })

  test('a share code, which another service then cannot have [SERVICE-05] [SERVICE-06]', async () => {
    const [one, other] = [await makeService(portal), await makeService(portal)]
    const set = (path: string, share_code: unknown) => portal('PUT', `${path}/share-code`, { body: { share_code } })
    expect((await set(one, 'FRESH1')).body).toMatchObject({ share_code: 'FRESH1' })
    expect((await set(one, 'FRESH1')).status).toBe(200)
    const taken = await set(other, 'FRESH1')
    expect([taken.status, keyOf(taken)]).toEqual([409, 'services.share_code_taken'])
    for (const wrong of ['fresh2', 'NINECHARS', '', null, undefined, 5]) {
      const told = await set(one, wrong)
      expect([told.status, keyOf(told)]).toEqual([400, 'services.share_code_invalid'])
    }
    expect((await portal('GET', one)).body['share_code']).toBe('FRESH1')
    const race = await Promise.all([set(one, 'RACE'), set(other, 'RACE')])
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('an admin e-mail [SERVICE-02]', async () => {
    const path = `${await makeService(portal)}/admin-email`
    expect((await portal('PUT', path, { body: { admin_email: 'x@y.example' } })).body).toMatchObject({
      admin_email: 'x@y.example',
    })
    for (const body of [{}, { admin_email: null }, { admin_email: 'x' }]) {
      const told = await portal('PUT', path, { body })
      expect([told.status, keyOf(told)]).toEqual([400, 'services.admin_email_invalid'])
    }
  })

  test('number matching and the second factor, each without the other [SERVICE-07] [SERVICE-08] [SERVICE-09]', async () => {
    const asClient = await accountClientCalls(two, northwind, ['service_management'])
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
    const svc = await clientCalls(two, northwind.clientId, northwind.clientSecret)
    const told = await svc('PUT', `${path}/number-matching`, {
      body: { number_matching: true },
    })
    expect([told.status, keyOf(told)]).toEqual([403, 'auth.client_endpoint_forbidden'])
  })

  test('are written to the audit log, with who made them', async () => {
    const { user, portal: own } = await newCompany(two)
    const path = await makeService(own)
    await own('PUT', path, { body: { name: 'Renamed' } })
    // The same again changes nothing and is no act.
    await own('PUT', path, { body: { name: 'Renamed' } })
    const { body } = await own('GET', '/api/portal/audit')
    const acts = itemsOf(body)
      .map(({ action, actor_id, ref }) => [action, actor_id, ref])
      .slice(0, 2)
    const id = path.split('/').at(-1)
    expect(acts).toEqual([
      ['services.change', user.userId, id],
      ['services.create', user.userId, id],
    ])
  })
})

describe('somebody else’s service', () => {
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

  test('answers like a missing one, to portal and account client alike [SERVICE-12]', async () => {
    const theirs = await makeService(portal)
    const before = (await portal('GET', theirs)).body
    const client = await accountClientCalls(two, northwind, ['service_management'])
    for (const calls of [await portalOf(two, northwind), client]) {
      for (const [method, tail, body] of ROUTES) {
        const seen = await calls(method, `${theirs}${tail}`, { body })
        const missing = await calls(method, `/api/services/019a0000-0000-7000-8000-0000000000ff${tail}`, { body })
        expect([seen.status, seen.text]).toEqual([404, missing.text])
        expect(keyOf(seen)).toBe('services.not_found')
        expect((await calls(method, `/api/services/nonsense${tail}`, { body })).text).toBe(missing.text)
      }
    }
    expect((await portal('GET', theirs)).body).toEqual(before)
    const abroad = await (await portalOf(two, harborline))('GET', theirs)
    expect([abroad.status, keyOf(abroad)]).toEqual([404, 'services.not_found'])
  })
})

function itemsOf(body: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body['items']) ? body['items'] : expect.fail('no list')
}

function namesOf({ body }: { readonly body: Readonly<Record<string, unknown>> }): readonly unknown[] {
  return itemsOf(body).map(({ name }) => name)
}
