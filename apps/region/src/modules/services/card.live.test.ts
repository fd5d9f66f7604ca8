import { parseParty } from '@sealpost/bus'
import { type FieldId, parseUuid, type ServiceId } from '@sealpost/kernel'
import { runStatement, withAnswerStore } from '@sealpost/postgres'
import { readCardPhotoAsk } from '@sealpost/protocol'
import {
  type Calls,
  callsWith,
  keyOf,
  makeService,
  newCompany,
  newOwner,
  northwind,
  portalOf,
  startWithoutLimits,
  type TestCompany,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { platformFields } from '../registry/index.ts'
import { fieldDeleted } from '../vault/index.ts'
import { addSharePhoto } from './operations/share-config.ts'

const EMAIL = fieldId('email')
const PHONE = fieldId('phone')
/** A PNG of one pixel. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let two: TwoRegions
let company: TestCompany
let portal: Calls
let path: string
let person: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  company = await newCompany(two)
  ;({ portal } = company)
  const { apiUrl, token } = await newOwner(two, { region: 'us' })
  person = callsWith(apiUrl, token)
})
afterAll(() => two.close())
beforeEach(async () => {
  path = await makeService(portal)
})

function fieldId(slug: string): string {
  return platformFields.find((field) => field.slug === slug)?.id ?? expect.fail(`no field ${slug}`)
}

async function share(fields: readonly string[], calls = portal) {
  const { body } = await calls('GET', `${path}/share-fields`)
  const given = fields.map((field_id) => ({ field_id }))
  return calls('PUT', `${path}/share-fields`, { body: { config_token: body['config_token'], fields: given } })
}

const fill = (id: string, value: string) => portal('PUT', `/api/contact-data/${id}`, { body: { value } })

/** Connects the person of the other region; answers a function that reads the connection. */
async function connect(): Promise<() => Promise<Readonly<Record<string, unknown>>>> {
  const { body: account } = await portal('GET', '/api/account')
  const { body: service } = await portal('GET', path)
  const code = `${String(account['share_code'])}/${String(service['share_code'])}`
  const made = await person('POST', '/api/company-connections', { body: { code, decisions: [] } })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  return async () => (await person('GET', `/api/company-connections/${String(made.body['id'])}`)).body
}

/** Waits: facts reach the other region by the bus. */
async function waitFor(read: () => Promise<Readonly<Record<string, unknown>>>, wanted: object): Promise<void> {
  let last: unknown
  await waitUntil(`the customer sees ${JSON.stringify(wanted)}`, 15_000, async () => {
    last = await read()
    try {
      expect(last).toMatchObject(wanted)
      return true
    } catch {
      return false
    }
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}; last: ${JSON.stringify(last)}`)
  })
}

describe('share-fields', () => {
  test('sets the fields of the card in an order, and needs the current config_token', async () => {
    expect((await portal('GET', `${path}/share-fields`)).body).toEqual({
      config_token: expect.any(String),
      fields: [],
      photo_ids: [],
    })
    const set = await share([PHONE, EMAIL])
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
    const unknown = '019a0000-0000-7000-8000-0000000000ff'
    for (const fields of [[unknown], [fieldId('first_name')], [fieldId('passport')], [EMAIL, EMAIL]]) {
      const response = await share(fields)
      expect([fields, response.status, keyOf(response)]).toEqual([fields, 400, 'request.invalid'])
    }
    const body = { config_token: '', fields: [{ field_id: 'x' }] }
    expect(keyOf(await portal('PUT', `${path}/share-fields`, { body }))).toBe('request.invalid')
  })

  test('of another company’s service answer the same 404 as those of a missing one', async () => {
    const otherCompany = await portalOf(two, northwind)
    const missing = '/api/services/019a0000-0000-7000-8000-0000000000ff'
    for (const [method, tail, body] of [
      ['GET', '/share-fields', undefined],
      ['PUT', '/share-fields', { config_token: '', fields: [] }],
      ['POST', '/share-photos', { photo_id: '019a0000-0000-7000-8000-0000000000ff' }],
      ['DELETE', '/share-photos', { photo_id: '019a0000-0000-7000-8000-0000000000ff' }],
    ] as const) {
      const response = await otherCompany(method, `${path}${tail}`, { body })
      expect([response.status, response.text]).toEqual([
        404,
        (await otherCompany(method, `${missing}${tail}`, { body })).text,
      ])
      expect((await fetch(`${two.eu.url}${path}${tail}`, { method })).status).toBe(401)
    }
  })
})

describe('customers of another region see', () => {
  test('the values of the card, also after they change or are deleted', async () => {
    await fill(PHONE, '+49 30 1234')
    await share([PHONE, EMAIL])
    const read = await connect()
    await waitFor(read, { company_profile: [{ slug: 'phone', type: 'phone', value: '+49 30 1234' }] })
    await fill(EMAIL, 'hello@company.example')
    await waitFor(read, {
      company_profile: [
        { slug: 'phone', value: '+49 30 1234' },
        { slug: 'email', value: 'hello@company.example' },
      ],
    })
    expect((await portal('DELETE', `/api/contact-data/${PHONE}`)).status).toBe(204)
    await waitFor(read, { company_profile: [{ slug: 'email', value: 'hello@company.example' }] })
    await share([])
    await waitFor(read, { company_profile: [] })
  })

  test('the current names of company and service, and the current code', async () => {
    const read = await connect()
    await portal('PUT', path, { body: { name: 'Another name' } })
    await portal('PUT', `${path}/share-code`, { body: { share_code: 'OTHER' } })
    await portal('PUT', '/api/profile', { body: { display_name: 'Renamed Inc.' } })
    await waitFor(read, {
      company: { display_name: 'Renamed Inc.' },
      services: [{ service_name: 'Another name', service_code: 'OTHER' }],
    })
  })
})

describe('photos', () => {
  const add = (photo_id: unknown, key?: string) =>
    portal('POST', `${path}/share-photos`, { body: { photo_id }, ...(key === undefined ? {} : { key }) })
  const newPhoto = async () => String((await portal('POST', '/api/photos', { body: { file: PHOTO } })).body['id'])
  const ask = async (photoId: string) => {
    const body = { company_id: company.user.userId, service_id: path.split('/').at(-1) ?? '', photo_id: photoId }
    return (await two.us.platform.bus.ask(readCardPhotoAsk, { to: parseParty('eu'), body })).photo
  }

  test('are shown when added, fetched by the customer’s region, and gone when taken off or deleted', async () => {
    const [one, other] = [await newPhoto(), await newPhoto()]
    const added = await add(one, 'photo')
    expect([added.status, added.body['photo_ids']]).toEqual([201, [one]])
    expect((await add(one, 'photo')).body).toEqual(added.body)
    expect((await add(one)).body['photo_ids']).toEqual([one])
    expect((await add(other)).body['photo_ids']).toEqual([one, other])
    const photo = await ask(one)
    const bytes = new Uint8Array(await (await fetch(photo?.url ?? '')).arrayBuffer())
    expect([photo?.content_type, bytes.length]).toEqual(['image/jpeg', photo?.bytes])
    const removed = { body: { photo_id: one } }
    expect((await portal('DELETE', `${path}/share-photos`, removed)).status).toBe(204)
    expect((await portal('DELETE', `${path}/share-photos`, removed)).status).toBe(204)
    expect(await ask(one)).toBeNull()
    expect((await portal('DELETE', `/api/photos/${other}`)).status).toBe(204)
    expect((await portal('GET', `${path}/share-fields`)).body['photo_ids']).toEqual([])
    expect(await ask(other)).toBeNull()
  })

  test('that are deleted while they are added do not stay on the card', async () => {
    const photoId = await newPhoto()
    const { database } = two.eu.platform
    const { services } = two.eu.modules
    const serviceId = parseUuid<ServiceId>(path.split('/').at(-1) ?? '') ?? expect.fail('no service')
    const name = { companyId: company.user.userId, serviceId }
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
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const isWaiting = async () => (await database.read((tx) => runStatement(tx, waiting, []))).length > 0
    await expect.poll(async () => isDeleted || (await isWaiting())).toBe(true)
    finish.resolve()
    await adding
    expect(await deleting).toBe(204)
    expect((await portal('GET', `${path}/share-fields`)).body['photo_ids']).toEqual([])
  })

  test('of another company are refused', async () => {
    for (const wrong of ['019a0000-0000-7000-8000-0000000000ff', 'x', null, undefined]) {
      expect(keyOf(await add(wrong))).toBe('request.invalid')
    }
    const theirs = await (await portalOf(two, northwind))('POST', '/api/photos', { body: { file: PHOTO } })
    expect(theirs.status).toBe(201)
    expect(keyOf(await add(theirs.body['id']))).toBe('request.invalid')
  })
})

test('a call that makes a card too large for the bus is refused', async () => {
  const read = await connect()
  const ids: string[] = []
  for (let place = 0; place < 17; place += 1) {
    const made = await portal('POST', '/api/contact-fields', { body: { label: `Large ${place}`, type: 'text' } })
    const id = String(made.body['id'])
    expect([(await fill(id, 'x'.repeat(16_000))).status, made.status]).toEqual([200, 201])
    ids.push(id)
  }
  expect(keyOf(await share(ids))).toBe('request.invalid')
  const last = ids.at(-1) ?? ''
  for (const id of ids.slice(3)) expect((await fill(id, 'short')).status).toBe(200)
  expect((await share(ids)).status).toBe(200)
  expect((await fill(ids[3] ?? '', 'x'.repeat(10_000))).status).toBe(200)
  expect(keyOf(await fill(last, 'x'.repeat(16_000)))).toBe('request.invalid')
  expect((await portal('PUT', path, { body: { name: 'Renamed' } })).status).toBe(200)
  await waitUntil('the customer sees the new name', 15_000, async () =>
    JSON.stringify(await read()).includes('Renamed'),
  )
}, 60_000)

test('a value that is deleted while its field is put on the card is not shown', async () => {
  const read = await connect()
  const made = await portal('POST', '/api/contact-fields', { body: { label: 'Crossing', type: 'text' } })
  const id = parseUuid<FieldId>(String(made.body['id'])) ?? expect.fail(made.text)
  expect((await fill(id, 'taken away')).status).toBe(200)
  expect((await fill(EMAIL, 'here@company.example')).status).toBe(200)
  const { vault, services } = two.eu.modules
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
  const gone = { accountId: company.user.userId, fieldId: id, at: two.clock.now() }
  const removing = vault.database.transaction((tx) => fieldDeleted({ hooks }, tx, gone))
  await entered.promise
  let isShared = false
  const sharing = share([EMAIL, id]).finally(() => {
    isShared = true
  })
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('the other call has ended or waits for a lock', 10_000, async () => {
    return isShared || (await services.database.read((tx) => runStatement(tx, waits, []))).length > 0
  })
  leave.resolve()
  await removing
  expect((await sharing).status).toBe(200)
  await waitFor(read, { company_profile: [{ slug: 'email', value: 'here@company.example' }] })
}, 30_000)
