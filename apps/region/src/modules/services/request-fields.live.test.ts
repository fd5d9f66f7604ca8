import {
  type Answer,
  type Calls,
  dataClientOf,
  keyOf,
  makeService,
  newCompany,
  northwind,
  portalOf,
  startWithoutLimits,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const OWN = '/api/company-data/request-fields'
let two: TwoRegions
let portal: Calls
let path: string
let service: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  ;({ portal } = await newCompany(two))
})
afterAll(() => two.close())

beforeEach(async () => {
  const made = await makeService(portal)
  path = `${made}/request-fields`
  service = await dataClientOf(two, portal, made)
})

type Row = Readonly<Record<string, unknown>>

function rowsOf({ body }: Answer): readonly Row[] {
  return Array.isArray(body['request_fields']) ? body['request_fields'] : expect.fail('no rows')
}

async function publish(request_fields: readonly object[], calls = service, at = OWN): Promise<Answer> {
  const { body } = await calls('GET', at)
  return calls('PUT', at, { body: { config_token: body['config_token'], request_fields } })
}

const email = { slug: 'email', label: 'E-mail', type: 'email' }
const phone = { slug: 'phone', label: 'Phone', type: 'phone' }

describe('published rows', () => {
  test('have every member that a request field has [REQF-01] [REQF-03]', async () => {
    expect((await service('GET', OWN)).body).toEqual({ request_fields: [], config_token: expect.any(String) })
    const rows = [
      { ...email, mandatory: true, verified: true, verified_max_age_days: 30, audience: 'person' },
      { ...phone, one_time: true },
    ]
    const response = await publish(rows)
    expect(response.status).toBe(200)
    expect(rowsOf(response)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug: 'email',
        label: 'E-mail',
        type: 'email',
        one_time: false,
        mandatory: true,
        mandatory_provide: true,
        mandatory_connected: false,
        verified: true,
        verified_max_age_days: 30,
        plugin: null,
      },
      expect.objectContaining({ slug: 'phone', one_time: true, verified_max_age_days: null }),
    ])
    expect((await service('GET', OWN)).body).toEqual(response.body)
    for (const wrong of [
      { one_time: 'true' },
      { mandatory: 1 },
      { verified: null },
      { verified_max_age_days: '30' },
      { verified_max_age_days: 1.5 },
      { verified_max_age_days: 0 },
      { label: '' },
      { label: 5 },
      { audience: 'all' },
    ]) {
      const refused = await publish([{ ...email, ...wrong }])
      expect([wrong, keyOf(refused)]).toEqual([wrong, 'request.invalid'])
    }
    expect((await service('GET', OWN)).body).toEqual(response.body)
  })

  test('have an audience that only the portal reads [REQF-04]', async () => {
    const audiences = ['person', 'company', 'both']
    const rows = audiences.map((audience) => ({ slug: audience, label: audience, type: 'text', audience }))
    const response = await publish(rows, portal, path)
    expect(rowsOf(response).map(({ audience }) => audience)).toEqual(audiences)
    const own = rowsOf(await service('GET', OWN))
    expect(own.map((row) => Object.keys(row)).flat()).not.toContain('audience')
    // The backend publishes rows without audiences; the audiences stay.
    expect((await publish(own)).status).toBe(200)
    expect(rowsOf(await portal('GET', path)).map(({ audience }) => audience)).toEqual(audiences)
  })

  test('keep their id under another slug and never change their type [REQF-02]', async () => {
    const [first] = rowsOf(await publish([email]))
    const renamed = await publish([{ ...email, id: first?.['id'], slug: 'contact_email' }])
    expect(rowsOf(renamed)).toMatchObject([{ id: first?.['id'], slug: 'contact_email' }])
    for (const wrong of [
      { ...email, id: first?.['id'], type: 'text' },
      { slug: 'contact_email', label: 'E-mail', type: 'text' },
    ]) {
      const response = await publish([wrong])
      expect([response.status, keyOf(response)]).toEqual([409, 'services.request_field_type_locked'])
    }
  })

  test('without a slug get one from their label', async () => {
    const response = await publish([
      { label: 'First name', type: 'text' },
      { label: 'First name', type: 'text', slug: ' ' },
    ])
    expect(rowsOf(response).map(({ slug }) => slug)).toEqual(['first_name', 'first_name_2'])
    expect(
      (
        await publish([
          { label: 'First name', type: 'text' },
          { label: 'First name', type: 'text' },
        ])
      ).body,
    ).toEqual(response.body)
  })

  test('are replaced as a whole, in the order given', async () => {
    await publish([email, phone])
    expect(rowsOf(await publish([phone, email])).map(({ slug }) => slug)).toEqual(['phone', 'email'])
    expect(rowsOf(await publish([phone])).map(({ slug }) => slug)).toEqual(['phone'])
    expect(rowsOf(await publish([]))).toEqual([])
  })

  test('that were removed free their slug for a new row with a new id and any type', async () => {
    const [first] = rowsOf(await publish([email]))
    await publish([])
    const [second] = rowsOf(await publish([{ ...email, type: 'text' }]))
    expect(second).toMatchObject({ slug: 'email', type: 'text' })
    expect(second?.['id']).not.toBe(first?.['id'])
  })
})

describe('publishing is refused and changes nothing', () => {
  test.each([
    [{ ...email, slug: '1st' }, 400, 'services.request_field_slug_invalid'],
    [{ ...email, slug: 5 }, 400, 'services.request_field_slug_invalid'],
    [{ ...phone, label: 'Twice' }, 400, 'services.request_field_slug_duplicate'],
    [{ ...email, type: 'no_such_type' }, 400, 'services.request_field_type_invalid'],
    [{ ...email, type: 'select' }, 400, 'services.request_field_type_invalid'],
    [{ ...email, type: undefined }, 400, 'services.request_field_type_invalid'],
    [{ ...email, one_time: true, mandatory_connected: true }, 400, 'services.request_field_invalid'],
    [{ ...email, type: 'plugin', one_time: true }, 400, 'services.request_field_plugin_invalid'],
    [{ ...email, plugin: { plugin_name: 'x', field_type: 'y' } }, 400, 'services.request_field_plugin_invalid'],
  ])('for %j', async (row, status, key) => {
    const before = await publish([phone])
    const response = await publish([phone, row])
    expect([response.status, keyOf(response)]).toEqual([status, key])
    expect(response.body['error']).toMatch(/^Nothing was published: /)
    expect((await service('GET', OWN)).body).toEqual(before.body)
  })

  test('for more than 100 rows; 100 are accepted', async () => {
    const rows = Array.from({ length: 101 }, (_, n) => ({ slug: `row_${n}`, label: `Row ${n}`, type: 'text' }))
    expect(keyOf(await publish(rows))).toBe('services.request_field_invalid')
    expect(rowsOf(await publish(rows.slice(1)))).toHaveLength(100)
  })

  test('for a body without a token or rows', async () => {
    expect(keyOf(await service('PUT', OWN, { body: { request_fields: [] } }))).toBe('request.invalid')
    const { body } = await service('GET', OWN)
    expect(keyOf(await service('PUT', OWN, { body: { config_token: body['config_token'] } }))).toBe('request.invalid')
  })
})

describe('config_token', () => {
  test('that is outdated publishes nothing [REQF-06]', async () => {
    const { body } = await service('GET', OWN)
    const published = await publish([email])
    expect(published.body['config_token']).not.toBe(body['config_token'])
    for (const config_token of [body['config_token'], '', 'x']) {
      const stale = await service('PUT', OWN, { body: { config_token, request_fields: [phone] } })
      expect([stale.status, keyOf(stale)]).toEqual([409, 'services.config_conflict'])
    }
    expect((await service('GET', OWN)).body).toEqual(published.body)
  })

  test('lets one of several concurrent publications win, from portal and backend alike [REQF-06]', async () => {
    const { body } = await service('GET', OWN)
    const config_token = body['config_token']
    const rivals = Array.from({ length: 8 }, (_, n) => {
      const [calls, at] = n % 2 === 0 ? ([service, OWN] as const) : ([portal, path] as const)
      return calls('PUT', at, { body: { config_token, request_fields: [{ ...email, slug: `rival_${n}` }] } })
    })
    const response = await Promise.all(rivals)
    const won = response.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(response.filter((answer) => keyOf(answer) === 'services.config_conflict')).toHaveLength(7)
    const [winner] = won
    expect((await service('GET', OWN)).body['config_token']).toBe(winner?.body['config_token'])
  })

  test('is the same on both routes, and for the same rows again', async () => {
    const first = await publish([email])
    expect((await portal('GET', path)).body['config_token']).toBe(first.body['config_token'])
    const again = await publish([email])
    expect(again.body).toEqual(first.body)
  })

  test('accepts the rows under their older name', async () => {
    const { body } = await service('GET', OWN)
    const response = await service('PUT', OWN, { body: { config_token: body['config_token'], fields: [email] } })
    expect(rowsOf(response)).toMatchObject([{ slug: 'email' }])
  })
})

describe('publishing is allowed', () => {
  test('to a data client for its own service and to the company for each of its services', async () => {
    await publish([email])
    const other = await makeService(portal)
    expect(rowsOf(await portal('GET', `${other}/request-fields`))).toEqual([])
    const otherCompany = await portalOf(two, northwind)
    for (const method of ['GET', 'PUT'] as const) {
      const body = method === 'PUT' ? { config_token: '', request_fields: [] } : undefined
      const theirs = await otherCompany(method, path, { body })
      const missing = '/api/services/019a0000-0000-7000-8000-0000000000ff/request-fields'
      expect([theirs.status, theirs.text]).toEqual([404, (await otherCompany(method, missing, { body })).text])
      expect(keyOf(await portal(method, OWN, { body }))).toBe('company_data.no_client')
      expect(keyOf(await service(method, path, { body }))).toBe('auth.client_endpoint_forbidden')
      const unknown = await fetch(`${two.eu.url}${OWN}`, { method })
      expect(unknown.status).toBe(401)
    }
  })
})
