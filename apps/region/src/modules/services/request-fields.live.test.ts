import { type Answer, type Calls, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const OWN = '/api/company-data/request-fields'
const MISSING = '/api/services/019a0000-0000-7000-8000-0000000000ff/request-fields'

const world = await openWorld()
const company = await world.company()
const { portal } = company

/** Its data client, and where the portal publishes. */
async function newService(): Promise<{ readonly service: Calls; readonly path: string }> {
  const { data, path } = await world.service([], { company })
  return { service: data, path: `${path}/request-fields` }
}

function rowsOf({ body, text }: Answer): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body['request_fields']) ? body['request_fields'] : expect.fail(`no rows: ${text}`)
}

async function publish(calls: Calls, request_fields: readonly object[], at = OWN): Promise<Answer> {
  const { body } = await calls('GET', at)
  return calls('PUT', at, { body: { config_token: body['config_token'], request_fields } })
}

const email = { slug: 'email', label: 'E-mail', type: 'email' }
const phone = { slug: 'phone', label: 'Phone', type: 'phone' }

describe('published rows', () => {
  test('have every member that a request field has [REQF-01] [REQF-03]', async () => {
    const { service } = await newService()
    expect((await service('GET', OWN)).body).toEqual({ request_fields: [], config_token: expect.any(String) })
    const rows = [
      { ...email, mandatory: true, verified: true, verified_max_age_days: 30, audience: 'person' },
      { ...phone, one_time: true },
    ]
    const response = await publish(service, rows)
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
      const refused = await publish(service, [{ ...email, ...wrong }])
      expect([wrong, keyOf(refused)]).toEqual([wrong, 'request.invalid'])
    }
    expect((await service('GET', OWN)).body).toEqual(response.body)
  })

  test('have an audience that only the portal reads [REQF-01] [REQF-04]', async () => {
    const { service, path } = await newService()
    const audiences = ['person', 'company', 'both']
    const rows = audiences.map((audience) => ({ slug: audience, label: audience, type: 'text', audience }))
    const response = await publish(portal, rows, path)
    expect(rowsOf(response).map(({ audience }) => audience)).toEqual(audiences)
    const own = rowsOf(await service('GET', OWN))
    expect(own.map((row) => Object.keys(row)).flat()).not.toContain('audience')
    // The backend publishes rows without audiences; the audiences stay.
    expect((await publish(service, own)).status).toBe(200)
    expect(rowsOf(await portal('GET', path)).map(({ audience }) => audience)).toEqual(audiences)
  })

  test('keep their id under another slug and never change their type [REQF-02]', async () => {
    const { service } = await newService()
    const [first] = rowsOf(await publish(service, [email]))
    const renamed = await publish(service, [{ ...email, id: first?.['id'], slug: 'contact_email' }])
    expect(rowsOf(renamed)).toMatchObject([{ id: first?.['id'], slug: 'contact_email' }])
    for (const wrong of [
      { ...email, id: first?.['id'], type: 'text' },
      { slug: 'contact_email', label: 'E-mail', type: 'text' },
    ]) {
      const response = await publish(service, [wrong])
      expect([response.status, keyOf(response)]).toEqual([409, 'services.request_field_type_locked'])
    }
  })

  test('never change between live and shared once; a new row may', async () => {
    const { service, path } = await newService()
    const before = await publish(service, [email, { ...phone, one_time: true }])
    for (const [calls, at] of [[service, OWN] as const, [portal, path] as const]) {
      for (const rows of [
        [{ ...email, one_time: true }, phone],
        [email, { ...phone, one_time: false }],
      ]) {
        const refused = await publish(calls, rows, at)
        expect([refused.status, keyOf(refused)]).toEqual([409, 'services.request_field_type_locked'])
        expect(refused.body['error']).toMatch(/^Nothing was published: .* never changes/)
      }
    }
    expect((await publish(service, [email, phone])).body).toEqual(before.body)
    await publish(service, [email])
    expect(rowsOf(await publish(service, [email, phone]))).toMatchObject([{}, { slug: 'phone', one_time: false }])
  })

  test('without a slug get one from their label', async () => {
    const { service } = await newService()
    const response = await publish(service, [
      { label: 'First name', type: 'text' },
      { label: 'First name', type: 'text', slug: ' ' },
    ])
    expect(rowsOf(response).map(({ slug }) => slug)).toEqual(['first_name', 'first_name_2'])
    expect(
      (
        await publish(service, [
          { label: 'First name', type: 'text' },
          { label: 'First name', type: 'text' },
        ])
      ).body,
    ).toEqual(response.body)
  })

  test('are replaced as a whole, in the order given', async () => {
    const { service } = await newService()
    await publish(service, [email, phone])
    expect(rowsOf(await publish(service, [phone, email])).map(({ slug }) => slug)).toEqual(['phone', 'email'])
    expect(rowsOf(await publish(service, [phone])).map(({ slug }) => slug)).toEqual(['phone'])
    expect(rowsOf(await publish(service, []))).toEqual([])
  })

  test('that were removed free their slug for a new row with a new id and any type', async () => {
    const { service } = await newService()
    const [first] = rowsOf(await publish(service, [email]))
    await publish(service, [])
    const [second] = rowsOf(await publish(service, [{ ...email, type: 'text' }]))
    expect(second).toMatchObject({ slug: 'email', type: 'text' })
    expect(second?.['id']).not.toBe(first?.['id'])
  })
})

describe('value_count', () => {
  test('is how many customers have given a value of a row, for callers of the portal that ask for it', async () => {
    const service = await world.service([{ slug: 'name' }, { slug: 'phone', type: 'phone' }, { slug: 'note' }], {
      company,
    })
    const other = await world.service([{ slug: 'name' }], { company })
    await world.customer(other, [{ slug: 'name', text: 'Ida' }])
    await world.customer(service, [{ slug: 'name', text: 'Ana' }])
    const { person, connectionId } = await world.customer(service, [
      { slug: 'name', text: 'Ben' },
      { slug: 'phone', text: '+4930123456' },
    ])
    await person.calls('POST', `/api/company-connections/consents/${connectionId}/decline`)
    const path = `${service.path}/request-fields`
    const counted = async () => {
      const rows = rowsOf(await portal('GET', `${path}?include=value_counts`))
      return rows.map(({ slug, value_count: count }) => [slug, count])
    }
    await expect.poll(() => service.read(connectionId)).toMatchObject({ pending_consent: [] })
    expect(await counted()).toEqual([
      ['name', 2],
      ['phone', 1],
      ['note', 0],
    ])
    const plain = await portal('GET', path)
    expect(plain.text).not.toContain('value_count')
    expect((await portal('GET', `${path}?include=value_counts`)).body['config_token']).toBe(plain.body['config_token'])
    expect(keyOf(await portal('GET', `${path}?include=values`))).toBe('request.invalid')
    expect((await service.data('GET', `${OWN}?include=value_counts`)).text).not.toContain('value_count')
    // Rows as they were read can be published.
    expect((await publish(portal, rowsOf(await portal('GET', `${path}?include=value_counts`)), path)).status).toBe(200)
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
    const { service } = await newService()
    const before = await publish(service, [phone])
    const response = await publish(service, [phone, row])
    expect([response.status, keyOf(response)]).toEqual([status, key])
    expect(response.body['error']).toMatch(/^Nothing was published: /)
    expect((await service('GET', OWN)).body).toEqual(before.body)
  })

  test('for more than 100 rows; 100 are accepted', async () => {
    const { service } = await newService()
    const rows = Array.from({ length: 101 }, (_, n) => ({ slug: `row_${n}`, label: `Row ${n}`, type: 'text' }))
    expect(keyOf(await publish(service, rows))).toBe('services.request_field_invalid')
    expect(rowsOf(await publish(service, rows.slice(1)))).toHaveLength(100)
  })

  test('for a body without a token or rows', async () => {
    const { service } = await newService()
    expect(keyOf(await service('PUT', OWN, { body: { request_fields: [] } }))).toBe('request.invalid')
    const { body } = await service('GET', OWN)
    expect(keyOf(await service('PUT', OWN, { body: { config_token: body['config_token'] } }))).toBe('request.invalid')
  })
})

describe('config_token', () => {
  test('that is outdated publishes nothing [REQF-06]', async () => {
    const { service } = await newService()
    const { body } = await service('GET', OWN)
    const published = await publish(service, [email])
    expect(published.body['config_token']).not.toBe(body['config_token'])
    for (const config_token of [body['config_token'], '', 'x']) {
      const stale = await service('PUT', OWN, { body: { config_token, request_fields: [phone] } })
      expect([stale.status, keyOf(stale)]).toEqual([409, 'services.config_conflict'])
    }
    expect((await service('GET', OWN)).body).toEqual(published.body)
  })

  test('lets one of several concurrent publications win, from portal and backend alike [REQF-06]', async () => {
    const { service, path } = await newService()
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
    const { service, path } = await newService()
    const first = await publish(service, [email])
    expect((await portal('GET', path)).body['config_token']).toBe(first.body['config_token'])
    const again = await publish(service, [email])
    expect(again.body).toEqual(first.body)
  })

  test('accepts the rows under their older name', async () => {
    const { service } = await newService()
    const { body } = await service('GET', OWN)
    const response = await service('PUT', OWN, { body: { config_token: body['config_token'], fields: [email] } })
    expect(rowsOf(response)).toMatchObject([{ slug: 'email' }])
  })
})

describe('publishing is allowed', () => {
  test('to a data client for its own service and to the company for each of its services', async () => {
    const { service, path } = await newService()
    await publish(service, [email])
    const other = await newService()
    expect(rowsOf(await portal('GET', other.path))).toEqual([])
    const { portal: otherCompany } = await world.company()
    for (const method of ['GET', 'PUT'] as const) {
      const body = method === 'PUT' ? { config_token: '', request_fields: [] } : undefined
      const theirs = await otherCompany(method, path, { body })
      expect([theirs.status, theirs.text]).toEqual([404, (await otherCompany(method, MISSING, { body })).text])
      expect(keyOf(await portal(method, OWN, { body }))).toBe('company_data.no_client')
      expect(keyOf(await service(method, path, { body }))).toBe('auth.client_endpoint_forbidden')
      expect((await world.anonymous(method, OWN)).status).toBe(401)
    }
  })
})
