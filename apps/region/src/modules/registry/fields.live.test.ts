import { type Answer, type Calls, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { listContactFields } from './operations/fields.ts'
import { platformFields } from './rules/platform-fields.ts'

const PATH = '/api/contact-fields'
const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64')
/** A wrapper of the right form; no test opens it. */
const WRAPPER = JSON.stringify({ _enc: 1, k: base64(256), iv: base64(12), d: base64(40) })
const MISSING = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const portal = northwind.calls
const person = mara.calls
const otherPortal = harborline.calls
const service = northwind.data

interface Field {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly usertype: string
  readonly is_system: boolean
  readonly owner: string | null
}

async function list(calls: Calls, query = ''): Promise<readonly Field[]> {
  const answer = await calls('GET', `${PATH}${query}`)
  expect(answer.status).toBe(200)
  const { items, total } = answer.body as { items: Field[]; total: number }
  expect(total).toBe(items.length)
  return items
}

async function create(calls: Calls, body: object): Promise<Field> {
  const made = await calls('POST', PATH, { body })
  expect(made).toMatchObject({ status: 201 })
  return made.body as unknown as Field
}

const detailOf = ({ status, body }: Answer) => [
  status,
  body['error_key'],
  (body['details'] as { path: string }[])[0]?.path,
]

describe('the catalog', () => {
  test('is the fields of the platform and the own ones, whatever their usertype [FTYPE-45]', async () => {
    const own = await create(portal, { label: 'Fleet size', type: 'integer' })
    const theirs = await create(otherPortal, { label: 'Harbour', type: 'text' })
    const hers = await create(person, { label: 'Shoe size', type: 'number' })
    for (const [calls, mine, others] of [
      [portal, own, [theirs, hers]],
      [service, own, [theirs, hers]],
      [otherPortal, theirs, [own, hers]],
      [person, hers, [own, theirs]],
    ] as const) {
      const fields = await list(calls)
      expect(fields.filter(({ owner }) => owner === null).map(({ id }) => id)).toEqual(
        platformFields.map(({ id }) => id),
      )
      expect(fields).toContainEqual(mine)
      for (const { id } of others) expect(fields.some((field) => field.id === id)).toBe(false)
      expect(new Set(fields.map(({ usertype }) => usertype))).toEqual(new Set(['person', 'company', 'any']))
    }
  })

  test('is filtered by usertype into views that together are the whole [FTYPE-46]', async () => {
    await create(portal, { label: 'For persons', type: 'text', usertype: 'person' })
    const all = await list(portal)
    for (const usertype of ['person', 'company', 'any']) {
      const view = await list(portal, `?usertype=${usertype}`)
      expect(view).toEqual(all.filter((field) => field.usertype === usertype))
      expect(view.length).toBeGreaterThan(3)
    }
    const refused = await portal('GET', `${PATH}?usertype=robot`)
    expect(detailOf(refused)).toEqual([400, 'request.invalid', '/query/usertype'])
  })

  test('comes in pages, by offset and by cursor, and a cursor belongs to its view', async () => {
    const all = await list(service, '?usertype=person')
    const seen: Field[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await service('GET', `${PATH}?usertype=person&limit=4${query}`)
      seen.push(...(body['items'] as Field[]))
      cursor = body['next_cursor'] as string | null
    }
    expect(seen).toEqual(all)
    const { body } = await service('GET', `${PATH}?usertype=person&limit=2&offset=3`)
    expect(body['items']).toEqual(all.slice(3, 5))
    const foreign = await service('GET', `${PATH}?usertype=any&cursor=${String(body['next_cursor'])}`)
    expect(detailOf(foreign)).toEqual([400, 'request.invalid', '/query/cursor'])
  })

  test('shows one field: of the platform to everybody, an own one to its account alone', async () => {
    const own = await create(portal, { label: 'Shown alone', type: 'text' })
    for (const calls of [portal, service]) {
      expect(await calls('GET', `${PATH}/${own.id}`)).toMatchObject({ status: 200, body: own })
    }
    const [first] = platformFields
    expect(await person('GET', `${PATH}/${first?.id}`)).toMatchObject({ status: 200, body: { slug: first?.slug } })
    const [foreign, missing] = [await person('GET', `${PATH}/${own.id}`), await person('GET', `${PATH}/${MISSING}`)]
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  })

  test('a data client reads it and changes nothing, though its patterns match [WHITELIST-25]', async () => {
    const { id } = await create(portal, { label: 'Not for services', type: 'text' })
    expect((await service('GET', PATH)).status).toBe(200)
    const body = { label: 'Theirs', type: 'text' }
    for (const refused of [
      await service('POST', PATH, { body }),
      await service('PUT', `${PATH}/${id}`, { body }),
      await service('DELETE', `${PATH}/${id}`),
      await service('POST', '/api/contact-field-types', { body }),
      await service('DELETE', '/api/contact-field-types/text'),
    ]) {
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    expect((await list(portal)).find((field) => field.id === id)?.label).toBe('Not for services')
  })
})

describe('a field of one’s own', () => {
  test('is made by an account client with the group, the portal and a person', async () => {
    const client = await northwind.accountClient(['company_profile_fields'])
    const made = await create(client.calls, { label: 'Größe in cm', type: 'decimal' })
    expect(made).toMatchObject({
      slug: 'gro_e_in_cm',
      usertype: 'company',
      is_system: false,
      owner: northwind.companyId,
    })
    expect(await create(person, { label: 'Hat', type: 'text' })).toMatchObject({ usertype: 'person' })
    const bare = await northwind.accountClient(['oauth_apps'])
    const refused = await bare.calls('POST', PATH, { body: { label: 'x', type: 'text' } })
    expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    expect((await world.anonymous('POST', PATH, { body: { label: 'x', type: 'text' } })).status).toBe(401)
  })

  test('gets a slug of its own, and never one that is taken', async () => {
    const first = await create(portal, { label: 'Branch', type: 'text' })
    const second = await create(portal, { label: 'Branch', type: 'text', slug: '' })
    expect([first.slug, second.slug]).toEqual(['branch', 'branch_2'])
    expect((await create(portal, { label: 'Email', type: 'email' })).slug).toBe('email_2')
    for (const slug of ['branch', 'email']) {
      const refused = await portal('POST', PATH, { body: { label: 'Other', type: 'text', slug } })
      expect(detailOf(refused)).toEqual([400, 'request.invalid', '/body/slug'])
    }
  })

  test.each([
    [{ label: 'x', type: 'nonsense' }, '/body/type'],
    [{ label: 'x', type: 'plugin' }, '/body/type'],
    [{ label: 'x', type: '__proto__' }, '/body/type'],
    [{ label: '', type: 'text' }, '/body/label'],
    [{ label: ' x', type: 'text' }, '/body/label'],
    [{ label: 'x', type: 'text', usertype: 'robot' }, '/body/usertype'],
    [{ label: 'x', type: 'text', slug: 'No' }, '/body/slug'],
  ])('%j is refused', async (body, path) => {
    expect(detailOf(await portal('POST', PATH, { body }))).toEqual([400, 'request.invalid', path])
  })

  test('is made once for one Idempotency-Key', async () => {
    const sent = { body: { label: 'Once', type: 'text' }, key: 'field-once' }
    const [first, second] = [await portal('POST', PATH, sent), await portal('POST', PATH, sent)]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('is changed and removed, and then it is missing', async () => {
    const { id } = await create(portal, { label: 'Old', type: 'text' })
    const body = { label: 'New', type: 'integer', usertype: 'any', slug: 'renewed' }
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await portal('PUT', `${PATH}/${id}`, { body })).toMatchObject({ status: 200, body: { ...body, id } })
    }
    expect((await list(portal)).find((field) => field.id === id)).toMatchObject(body)
    expect(detailOf(await portal('PUT', `${PATH}/${id}`, { body: { type: 'nonsense' } }))[2]).toBe('/body/type')
    expect(detailOf(await portal('PUT', `${PATH}/${id}`, { body: { slug: 'email' } }))[2]).toBe('/body/slug')
    expect((await portal('DELETE', `${PATH}/${id}`)).status).toBe(204)
    const gone = await portal('DELETE', `${PATH}/${id}`)
    expect([gone.status, keyOf(gone)]).toEqual([404, 'request.not_found'])
  })

  test('of another account, or of the platform, answers like a missing one', async () => {
    const { id } = await create(portal, { label: 'Ours', type: 'text' })
    for (const calls of [otherPortal, person]) {
      for (const [method, body] of [
        ['PUT', { label: 'Mine' }],
        ['DELETE', undefined],
      ] as const) {
        const answers = await Promise.all(
          [id, platformFields[0]?.id ?? '', MISSING].map((each) => calls(method, `${PATH}/${each}`, { body })),
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        expect(answers[0]).toMatchObject({ status: 404, body: { error_key: 'request.not_found' } })
      }
    }
    expect((await list(portal)).find((field) => field.id === id)?.label).toBe('Ours')
  })
})

describe('a field that holds a value', () => {
  test('keeps its type and usertype, may be renamed, and takes its value along when it goes', async () => {
    const { id } = await create(portal, { label: 'Slogan', type: 'text' })
    const path = `/api/contact-data/${id}`
    expect((await portal('PUT', path, { body: { value: 'We sail' } })).status).toBe(200)
    for (const [member, value] of [
      ['type', 'number'],
      ['usertype', 'person'],
    ] as const) {
      const refused = await portal('PUT', `${PATH}/${id}`, { body: { [member]: value } })
      expect(detailOf(refused)).toEqual([400, 'request.invalid', `/body/${member}`])
    }
    expect((await portal('PUT', `${PATH}/${id}`, { body: { label: 'Motto', type: 'text' } })).status).toBe(200)
    expect((await portal('GET', path)).body['value']).toBe('We sail')
    expect((await portal('DELETE', `${PATH}/${id}`)).status).toBe(204)
    expect((await portal('GET', path)).status).toBe(404)
  })

  test('was filled by the kind of profile that its usertype names, and by no other [FTYPE-44]', async () => {
    const idOf = (slug: string) => platformFields.find((field) => field.slug === slug)?.id ?? ''
    const put = (slug: string) => portal('PUT', `/api/contact-data/${idOf(slug)}`, { body: { value: 'Northwind' } })
    expect((await put('company_name')).status).toBe(200)
    const website = { value: 'https://northwind.example' }
    expect((await portal('PUT', `/api/contact-data/${idOf('website')}`, { body: website })).status).toBe(200)
    const refused = await put('first_name')
    expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
    const own = await create(portal, { label: 'Of persons', type: 'text', usertype: 'person' })
    expect((await portal('PUT', `/api/contact-data/${own.id}`, { body: { value: 'x' } })).status).toBe(400)
    const sealed = (slug: string) => person('PUT', `/api/contact-data/${idOf(slug)}`, { body: { value: WRAPPER } })
    expect((await sealed('first_name')).status).toBe(200)
    expect((await sealed('website')).status).toBe(200)
    const hers = await sealed('company_name')
    expect([hers.status, keyOf(hers)]).toEqual([400, 'request.invalid'])
  })
})

describe('at the same time', () => {
  const ROUNDS = Array.from({ length: 10 }, (_, round) => round)

  test('fields of one label get slugs of their own', async () => {
    for (const round of ROUNDS) {
      const twins = await Promise.all([1, 2].map(() => create(portal, { label: `Twin ${round}`, type: 'text' })))
      expect(twins.map(({ slug }) => slug).toSorted()).toEqual([`twin_${round}`, `twin_${round}_2`])
    }
  })

  test('of two fields that want one slug one gets it and the other is refused', async () => {
    for (const round of ROUNDS) {
      const rivals = [
        await create(portal, { label: `One ${round}`, type: 'text' }),
        await create(portal, { label: `Other ${round}`, type: 'text' }),
      ]
      const body = { slug: `wanted_${round}` }
      const answers = await Promise.all(rivals.map(({ id }) => portal('PUT', `${PATH}/${id}`, { body })))
      const [won, lost] = answers.toSorted((one, other) => one.status - other.status)
      expect(won?.status).toBe(200)
      expect(lost === undefined ? null : detailOf(lost)).toEqual([400, 'request.invalid', '/body/slug'])
    }
  })
})

test('an account that is erased leaves no field behind', async () => {
  const { database } = world.us.platform
  const owner = await world.person()
  await create(owner.calls, { label: 'Left behind', type: 'text' })
  const left = () => database.read((read) => listContactFields(read, owner.userId))
  expect(await left()).toHaveLength(platformFields.length + 1)
  await owner.erase()
  expect(await left()).toEqual(platformFields)
})
