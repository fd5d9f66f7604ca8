import { parseParty } from '@sealpost/bus'
import { type FieldId, parseUuid } from '@sealpost/kernel'
import { withAnswerStore } from '@sealpost/postgres'
import { readCardPhotoAsk } from '@sealpost/protocol'
import { keyOf, openWorld, scaled, type Service } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { fieldDeleted } from '../vault/index.ts'
import { addSharePhoto } from './operations/share-config.ts'

/** A PNG of one pixel. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const UNKNOWN = '019a0000-0000-7000-8000-0000000000ff'
const LOCK_WAITS = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
/** Facts reach the other region by the bus. */
const IN_TIME = { timeout: scaled(15_000) }

const world = await openWorld()
const company = await world.company()
const person = await world.person()
const { portal } = company
const [EMAIL, PHONE] = [company.field('email'), company.field('phone')]

const newService = (): Promise<Service> => world.service([], { company })

async function share({ path }: Service, fields: readonly string[]) {
  const { body } = await portal('GET', `${path}/share-fields`)
  const given = fields.map((field_id) => ({ field_id }))
  return portal('PUT', `${path}/share-fields`, { body: { config_token: body['config_token'], fields: given } })
}

const fill = (id: string, value: string) => portal('PUT', `/api/contact-data/${id}`, { body: { value } })

/** Connects the person of the other region; answers a function that reads the connection. */
async function connect(service: Service): Promise<() => Promise<Readonly<Record<string, unknown>>>> {
  const connectionId = await person.connected(service)
  return async () => (await person.calls('GET', `/api/company-connections/${connectionId}`)).body
}

const isWaiting = async (): Promise<boolean> => (await world.rows(LOCK_WAITS)).length > 0

describe('share-fields', () => {
  test('sets the fields of the card in an order, and needs the current config_token', async () => {
    const service = await newService()
    const { path } = service
    expect((await portal('GET', `${path}/share-fields`)).body).toEqual({
      config_token: expect.any(String),
      fields: [],
      photo_ids: [],
    })
    const set = await share(service, [PHONE, EMAIL])
    expect(set.status).toBe(200)
    expect(set.body['fields']).toEqual([
      { field_id: PHONE, slug: 'phone', label: expect.any(String), type: 'phone' },
      { field_id: EMAIL, slug: 'email', label: expect.any(String), type: 'email' },
    ])
    expect((await portal('GET', `${path}/share-fields`)).body).toEqual(set.body)
    const stale = await portal('PUT', `${path}/share-fields`, { body: { config_token: 'x', fields: [] } })
    expect([stale.status, keyOf(stale)]).toEqual([409, 'services.config_conflict'])
    const { body } = await portal('GET', `${path}/share-fields`)
    const race = await Promise.all(
      [[EMAIL], [PHONE]].map((ids) =>
        portal('PUT', `${path}/share-fields`, {
          body: { config_token: body['config_token'], fields: ids.map((field_id) => ({ field_id })) },
        }),
      ),
    )
    expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('refuses unknown fields, fields of persons, files and duplicates', async () => {
    const service = await newService()
    for (const fields of [[UNKNOWN], [company.field('first_name')], [company.field('passport')], [EMAIL, EMAIL]]) {
      const response = await share(service, fields)
      expect([fields, response.status, keyOf(response)]).toEqual([fields, 400, 'request.invalid'])
    }
    const body = { config_token: '', fields: [{ field_id: 'x' }] }
    expect(keyOf(await portal('PUT', `${service.path}/share-fields`, { body }))).toBe('request.invalid')
  })

  test('of another company’s service answer the same 404 as those of a missing one', async () => {
    const { path } = await newService()
    const { portal: otherCompany } = await world.company()
    const missing = `/api/services/${UNKNOWN}`
    for (const [method, tail, body] of [
      ['GET', '/share-fields', undefined],
      ['PUT', '/share-fields', { config_token: '', fields: [] }],
      ['POST', '/share-photos', { photo_id: UNKNOWN }],
      ['DELETE', '/share-photos', { photo_id: UNKNOWN }],
    ] as const) {
      const response = await otherCompany(method, `${path}${tail}`, { body })
      expect([response.status, response.text]).toEqual([
        404,
        (await otherCompany(method, `${missing}${tail}`, { body })).text,
      ])
      expect((await world.anonymous(method, `${path}${tail}`)).status).toBe(401)
    }
  })
})

describe('customers of another region see', () => {
  test('the values of the card, also after they change or are deleted', async () => {
    const service = await newService()
    await fill(PHONE, '+49 30 1234')
    await share(service, [PHONE, EMAIL])
    const read = await connect(service)
    const phone = { slug: 'phone', type: 'phone', value: '+49 30 1234' }
    await expect.poll(read, IN_TIME).toMatchObject({ company_profile: [phone] })
    await fill(EMAIL, 'hello@company.example')
    await expect.poll(read, IN_TIME).toMatchObject({
      company_profile: [
        { slug: 'phone', value: '+49 30 1234' },
        { slug: 'email', value: 'hello@company.example' },
      ],
    })
    expect((await portal('DELETE', `/api/contact-data/${PHONE}`)).status).toBe(204)
    const left = [{ slug: 'email', value: 'hello@company.example' }]
    await expect.poll(read, IN_TIME).toMatchObject({ company_profile: left })
    await share(service, [])
    await expect.poll(read, IN_TIME).toMatchObject({ company_profile: [] })
  })

  test('the current names of company and service, and the current code', async () => {
    const service = await newService()
    const { path } = service
    const read = await connect(service)
    await portal('PUT', path, { body: { name: 'Another name' } })
    await portal('PUT', `${path}/share-code`, { body: { share_code: 'OTHER' } })
    await portal('PUT', '/api/profile', { body: { display_name: 'Renamed Inc.' } })
    await expect.poll(read, IN_TIME).toMatchObject({
      company: { display_name: 'Renamed Inc.' },
      services: [{ service_name: 'Another name', service_code: 'OTHER' }],
    })
  })
})

describe('photos', () => {
  const add = ({ path }: Service, photo_id: unknown, key?: string) =>
    portal('POST', `${path}/share-photos`, { body: { photo_id }, ...(key === undefined ? {} : { key }) })
  const newPhoto = async () => String((await portal('POST', '/api/photos', { body: { file: PHOTO } })).body['id'])
  const ask = async ({ serviceId }: Service, photoId: string) => {
    const body = { company_id: company.userId, service_id: serviceId, photo_id: photoId }
    return (await world.us.platform.bus.ask(readCardPhotoAsk, { to: parseParty('eu'), body })).photo
  }

  test('are shown when added, fetched by the customer’s region, and gone when taken off or deleted', async () => {
    const service = await newService()
    const { path } = service
    const [one, other] = [await newPhoto(), await newPhoto()]
    const added = await add(service, one, 'photo')
    expect([added.status, added.body['photo_ids']]).toEqual([201, [one]])
    expect((await add(service, one, 'photo')).body).toEqual(added.body)
    expect((await add(service, one)).body['photo_ids']).toEqual([one])
    expect((await add(service, other)).body['photo_ids']).toEqual([one, other])
    const photo = await ask(service, one)
    const bytes = new Uint8Array(await (await fetch(photo?.url ?? '')).arrayBuffer())
    expect([photo?.content_type, bytes.length]).toEqual(['image/jpeg', photo?.bytes])
    const removed = { body: { photo_id: one } }
    expect((await portal('DELETE', `${path}/share-photos`, removed)).status).toBe(204)
    expect((await portal('DELETE', `${path}/share-photos`, removed)).status).toBe(204)
    expect(await ask(service, one)).toBeNull()
    expect((await portal('DELETE', `/api/photos/${other}`)).status).toBe(204)
    expect((await portal('GET', `${path}/share-fields`)).body['photo_ids']).toEqual([])
    expect(await ask(service, other)).toBeNull()
  })

  test('that are deleted while they are added do not stay on the card', async () => {
    const { path, serviceId } = await newService()
    const photoId = await newPhoto()
    const { services } = world.eu.modules
    const name = { companyId: company.userId, serviceId }
    const [added, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const delayCommit = async (): Promise<void> => {
      added.resolve()
      await finish.promise
    }
    const adding = withAnswerStore(delayCommit, () =>
      addSharePhoto(services, { ...name, actorId: name.companyId }, name, photoId),
    )
    await added.promise
    let isDeleted = false
    const deleting = portal('DELETE', `/api/photos/${photoId}`).then(({ status }) => {
      isDeleted = true
      return status
    })
    await expect.poll(async () => isDeleted || (await isWaiting()), IN_TIME).toBe(true)
    finish.resolve()
    await adding
    expect(await deleting).toBe(204)
    expect((await portal('GET', `${path}/share-fields`)).body['photo_ids']).toEqual([])
  })

  test('of another company are refused', async () => {
    const service = await newService()
    for (const wrong of [UNKNOWN, 'x', null, undefined]) {
      expect(keyOf(await add(service, wrong))).toBe('request.invalid')
    }
    const otherCompany = await world.company()
    const theirs = await otherCompany.portal('POST', '/api/photos', { body: { file: PHOTO } })
    expect(theirs.status).toBe(201)
    expect(keyOf(await add(service, theirs.body['id']))).toBe('request.invalid')
  })
})

test('a call that makes a card too large for the bus is refused', async () => {
  const service = await newService()
  const read = await connect(service)
  const ids: string[] = []
  for (let place = 0; place < 17; place += 1) {
    const made = await portal('POST', '/api/contact-fields', { body: { label: `Large ${place}`, type: 'text' } })
    const id = String(made.body['id'])
    expect([(await fill(id, 'x'.repeat(16_000))).status, made.status]).toEqual([200, 201])
    ids.push(id)
  }
  expect(keyOf(await share(service, ids))).toBe('request.invalid')
  const last = ids.at(-1) ?? ''
  for (const id of ids.slice(3)) expect((await fill(id, 'short')).status).toBe(200)
  expect((await share(service, ids)).status).toBe(200)
  expect((await fill(ids[3] ?? '', 'x'.repeat(10_000))).status).toBe(200)
  expect(keyOf(await fill(last, 'x'.repeat(16_000)))).toBe('request.invalid')
  expect((await portal('PUT', service.path, { body: { name: 'Renamed' } })).status).toBe(200)
  await expect.poll(read, IN_TIME).toMatchObject({ services: [{ service_name: 'Renamed' }] })
})

test('a value that is deleted while its field is put on the card is not shown', async () => {
  const service = await newService()
  const read = await connect(service)
  const made = await portal('POST', '/api/contact-fields', { body: { label: 'Crossing', type: 'text' } })
  const id = parseUuid<FieldId>(String(made.body['id'])) ?? expect.fail(made.text)
  expect((await fill(id, 'taken away')).status).toBe(200)
  expect((await fill(EMAIL, 'here@company.example')).status).toBe(200)
  const { vault } = world.eu.modules
  const entered = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<void>()
  const hooks: typeof vault.hooks = {
    ...vault.hooks,
    async onPlainValueChanged(tx, change) {
      await vault.hooks.onPlainValueChanged(tx, change)
      entered.resolve()
      await leave.promise
    },
  }
  const gone = { accountId: company.userId, fieldId: id, at: world.clock.now() }
  const removing = vault.database.transaction((tx) => fieldDeleted({ hooks }, tx, gone))
  await entered.promise
  let isShared = false
  const sharing = share(service, [EMAIL, id]).finally(() => {
    isShared = true
  })
  await expect.poll(async () => isShared || (await isWaiting()), IN_TIME).toBe(true)
  leave.resolve()
  await removing
  expect((await sharing).status).toBe(200)
  const profile = [{ slug: 'email', value: 'here@company.example' }]
  await expect.poll(read, IN_TIME).toMatchObject({ company_profile: profile })
})
