import { createServiceKey, generateKeyPair } from '@sealpost/crypto'
import { seedRows } from '@sealpost/field-types'
import { beforeAll, expect, test } from 'vitest'
import { optionsFor, refusal, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { AccountKey, CustomerClient, type KeyPins, memoryPins, ServiceKey } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'

const id = (no: number): string => `0196a8c4-5e6f-7a10-8b2c-${String(no).padStart(12, '0')}`
const [PERSON, FIELD, FILE_FIELD, SERVICE, CONNECTION, ROW] = [id(1), id(2), id(3), id(4), id(5), id(6)]

let ownPublicKey = ''
let ownKey: AccountKey
let servicePublicKey = ''
let serviceKey: ServiceKey

beforeAll(async () => {
  const own = await generateKeyPair(hostPlatform())
  ownPublicKey = own.publicKey
  ownKey = await AccountKey.fromPkcs8(own.privateKey.reveal())
  const service = await createServiceKey(hostPlatform())
  servicePublicKey = service.publicKey
  serviceKey = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase.reveal())
})

const row = (slug: string, type: string, lane: string, more = {}) => ({
  id: ROW,
  slug,
  label: slug,
  type,
  field_type: 'text',
  resolved_type: {},
  lane,
  one_time: false,
  plugin: null,
  ...more,
})

function connectionWith(slots: readonly string[]): unknown {
  const mappings = slots.map((slug) => ({
    slug,
    live: true,
    source_field_id: FIELD,
    request_field_id: ROW,
    kind: 'linked',
  }))
  return { id: CONNECTION, services: [{ service_id: SERVICE, public_key: servicePublicKey, mappings }] }
}

/** A platform with one person and two fields; the test gives the other answers. */
async function startPerson(
  reply: (received: Received, count: number) => Reply | undefined,
  pins: KeyPins = memoryPins(),
) {
  const items = [
    { id: FIELD, slug: 'site', label: 'Site', type: 'url' },
    { id: FILE_FIELD, slug: 'photo', label: 'Photo', type: 'photo' },
  ]
  const region = await startRegion((received, count) => {
    const own = reply(received, count)
    if (own !== undefined) return own
    const { path } = received
    if (path.startsWith('/api/account')) {
      const me = { id: PERSON, user_type: 'person', email: 'a@b.example', level: 'free', display_name: 'Ana' }
      return { status: 200, json: { ...me, share_code: 'ABCDEF', region: 'us', public_key: ownPublicKey } }
    }
    if (path.startsWith('/api/contact-field-types')) return { status: 200, json: seedRows }
    if (path.startsWith('/api/contact-fields')) return { status: 200, json: { total: 2, items, next_cursor: null } }
    return refusal(404, 'request.not_found')
  })
  const frontDoor = await startFrontDoor(() => region.url)
  return {
    region,
    pins,
    app: new CustomerClient({ ...optionsFor(frontDoor), key: ownKey, pins }),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

/** As if this device had made the connection. */
async function rememberConnection(pins: KeyPins, links: Readonly<Record<string, string>>): Promise<void> {
  const record = { binding: 'b'.repeat(22), code: 'ACME/MAIN', service_key: serviceKey.fingerprint, rev: 1, links }
  await pins.set(`connection:${CONNECTION}`, JSON.stringify(record))
}

const kept = { field_id: FIELD, slug: 'site', label: 'Site', type: 'url', is_private: true, updated_at: 'then' }

test('an edit is sealed to the own key and to every service, and repeated when another service follows meanwhile', async () => {
  let slots = ['a']
  await using person = await startPerson(({ method, path, body }) => {
    if (path.startsWith('/api/company-connections')) {
      return { status: 200, json: { connections: [connectionWith(slots)], total: 1, next_cursor: null } }
    }
    if (method !== 'PUT') return undefined
    slots = ['a', 'b']
    if (slugsOf(body).length === 2) return { status: 200, json: kept }
    return refusal(400, 'contact_data.shares_incomplete', { missing: [{ connection_id: CONNECTION, slug: 'b' }] })
  })

  await rememberConnection(person.pins, { a: FIELD, b: FIELD })
  await person.app.contactData.put(FIELD, 'ana.example')

  const puts = person.region.received.flatMap(({ method, body }) => (method === 'PUT' ? [body] : []))
  expect(puts.map(slugsOf)).toEqual([['a'], ['a', 'b']])
  const { value, shares } = JSON.parse(puts[1] ?? '')
  expect(await ownKey.open(value)).toBe('https://ana.example')
  for (const share of shares) expect(await serviceKey.open(share.value)).toBe('https://ana.example')
  expect(puts.join()).not.toContain('ana.example')
})

test('an answer of a flow that follows the field is no mapping: the refusal names it, and the record must know it', async () => {
  const missing = [{ connection_id: CONNECTION, slug: 'nick' }]
  await using person = await startPerson(({ method, path, body }) => {
    if (path.startsWith('/api/company-connections'))
      return { status: 200, json: { connections: [connectionWith([])], total: 1, next_cursor: null } }
    if (method !== 'PUT') return undefined
    const isWhole = slugsOf(body).length === 1
    return isWhole ? { status: 200, json: kept } : refusal(400, 'contact_data.shares_incomplete', { missing })
  })

  await rememberConnection(person.pins, {})
  const unknown = person.app.contactData.put(FIELD, 'ana.example')
  await expect(unknown).rejects.toMatchObject({ reason: 'mapping_unknown' })
  await rememberConnection(person.pins, { nick: FIELD })
  await person.app.contactData.put(FIELD, 'ana.example')
  const puts = person.region.received.flatMap(({ method, body }) => (method === 'PUT' ? [body] : []))
  expect(puts.map(slugsOf)).toEqual([[], [], ['nick']])
})

test('what was typed for one service alone opens on every device of the customer, and for no server', async () => {
  const typed = { slug: 'hobby', live: true, source_field_id: null, request_field_id: ROW, kind: 'typed' }
  let record: unknown
  const connection = () => ({
    id: CONNECTION,
    company_connection_id: CONNECTION,
    customer_type: 'person',
    connected_at: 'then',
    company: {},
    company_profile: [],
    documents: [],
    device_record: record,
    services: [
      {
        service_id: SERVICE,
        service_link_id: id(7),
        public_key: servicePublicKey,
        request_fields: [row('hobby', 'text', 'inline')],
        mappings: [typed],
      },
    ],
  })
  const reply = ({ method, path, body }: Received): Reply | undefined => {
    if (!path.startsWith('/api/company-connections')) return undefined
    if (method !== 'GET') record = JSON.parse(body).device_record
    return { status: 200, json: connection() }
  }
  await using person = await startPerson(reply)
  await rememberConnection(person.pins, {})
  await person.app.connections.remap(CONNECTION, { hobby: { value: 'chess' } })

  await using elsewhere = await startPerson(reply)
  const { connections } = elsewhere.app
  expect(await connections.typedValues(await connections.get(CONNECTION))).toEqual({ hobby: 'chess' })
  const [, content = ''] = String(record).split('.')
  expect(Buffer.from(content, 'base64url').toString()).toContain('hobby')
  expect(Buffer.from(content, 'base64url').toString()).not.toContain('chess')

  await person.app.connections.remap(CONNECTION, { hobby: null })
  expect(await connections.typedValues(await connections.get(CONNECTION))).toEqual({})
})

test('a private file is staged sealed, one call per service, and a public one is sent as its envelope', async () => {
  const photo = { file: { bytes: Buffer.from('pixels'), mimeType: 'image/png', originalName: 'me.png' } }
  await using person = await startPerson(({ method, path }) => {
    if (path.startsWith('/api/company-connections')) {
      const mapping = { slug: 'face', live: true, source_field_id: FILE_FIELD, request_field_id: ROW, kind: 'linked' }
      const services = [{ service_id: SERVICE, public_key: servicePublicKey, mappings: [mapping] }]
      return { status: 200, json: { connections: [{ id: CONNECTION, services }], total: 1, next_cursor: null } }
    }
    if (path.endsWith('/shares')) return { status: 201, json: { file: 'sh_1' } }
    return method === 'PUT' ? { status: 200, json: kept } : undefined
  })

  await rememberConnection(person.pins, { face: FILE_FIELD })
  await person.app.contactData.put(FILE_FIELD, photo)
  await person.app.contactData.put(FILE_FIELD, photo, { is_private: false })

  const staged = person.region.received.filter(({ path }) => path.endsWith('/shares'))
  expect(staged).toHaveLength(1)
  const full = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`
  expect(JSON.parse(await serviceKey.open(JSON.parse(staged[0]?.body ?? '').value))).toEqual({ full })
  const puts = person.region.received.filter(({ method }) => method === 'PUT').map(({ body }) => JSON.parse(body))
  const signature = { sender_signature: expect.stringMatching(/^v1\./) }
  expect(puts[0]?.shares).toEqual([{ connection_id: CONNECTION, slug: 'face', file: 'sh_1', ...signature }])
  expect(puts[0]).not.toHaveProperty('is_private')
  expect(puts[1]).toEqual({ value: JSON.stringify({ full }), is_private: false })
})

test('a field that changes while it is shared is read and sealed again', async () => {
  const own = await sealToSelf('first')
  let edits = 0
  await using person = await startPerson(({ method, path }) => {
    if (path.includes('/lookup/')) return { status: 200, json: offer([row('site', 'url', 'inline')]) }
    if (path === `/api/contact-data/${FIELD}`)
      return { status: 200, json: { ...kept, value: own, updated_at: `${edits}` } }
    if (method !== 'POST') return undefined
    edits += 1
    if (edits < 3) return refusal(409, 'company_connections.source_changed')
    return { status: 201, json: { id: CONNECTION, ...connectedMembers } }
  })

  await person.app.connect('acme/main', { site: { from: FIELD } })

  const sent = person.region.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  expect(sent.map(({ decisions }) => decisions[0].source_updated_at)).toEqual(['0', '1', '2'])
  expect(await serviceKey.open(sent[2].decisions[0].value)).toBe('first')
  expect(sent[2].decisions[0]).toMatchObject({ kind: 'linked', request_field_id: ROW, source_field_id: FIELD })
})

test('each kind of answer is sealed in its own way: snapshot, typed value, typed file, file in the clear', async () => {
  const rows = [
    row('once', 'text', 'inline', { one_time: true }),
    row('age', 'integer', 'inline'),
    row('lease', 'pdf_document', 'document'),
    row('open', 'photo', 'photo'),
    row('deed', 'legal_document', 'document'),
  ]
  await using person = await startPerson(({ method, path }) => {
    if (path.includes('/lookup/')) return { status: 200, json: offer(rows) }
    return method === 'POST' ? { status: 201, json: { id: CONNECTION, ...connectedMembers } } : undefined
  })
  const pdf = { bytes: Buffer.from('%PDF-1.7'), mimeType: 'application/pdf', originalName: 'a.pdf' }

  await person.app.connect('ACME/MAIN', {
    once: { value: 'only now' },
    age: { value: 42 },
    lease: { value: { file: pdf } },
    open: { value: { file: { ...pdf, mimeType: 'image/png' } }, clear: true },
    deed: { value: { file: pdf, entries: { document_number: '7' } }, clear: true },
  })

  const { decisions } = JSON.parse(person.region.received.at(-1)?.body ?? '')
  const [once, age, lease, open, deed] = decisions
  expect(once.kind).toBe('one_time')
  expect(await serviceKey.open(once.value)).toBe('only now')
  expect(age.kind).toBe('typed')
  expect(await serviceKey.open(age.value)).toBe('42')
  expect(JSON.parse(await serviceKey.open(lease.file.value))).toMatchObject({ original_name: 'a.pdf', size: 8 })
  expect(open.file).toEqual({ file: expect.stringMatching(/^data:image\/png;base64,/), original_name: 'a.pdf' })
  expect(JSON.parse(deed.file.envelope)).toMatchObject({ document_number: '7' })
})

test('an answer that is not requested or does not fit its type is refused before a request is sent', async () => {
  await using person = await startPerson(({ path }) =>
    path.includes('/lookup/') ? { status: 200, json: offer([row('age', 'integer', 'inline')]) } : undefined,
  )
  const { app, region } = person
  await expect(app.connect('ACME/MAIN', { iban: { value: 'x' } })).rejects.toThrow('it requests age')
  await expect(app.connect('ACME/MAIN', { age: { value: 'many' } })).rejects.toMatchObject({
    name: 'ValueError',
    problems: [{ reason: 'not_an_integer' }],
  })
  expect(region.received.filter(({ method }) => method === 'POST')).toEqual([])
})

function slugsOf(body: string): readonly string[] {
  const { shares = [] }: { readonly shares?: readonly { readonly slug: string }[] } = JSON.parse(body)
  return shares.map(({ slug }) => slug)
}

const connectedMembers = {
  company_connection_id: CONNECTION,
  customer_type: 'person',
  connected_at: 'now',
  company: {},
  company_profile: [],
  services: [],
  documents: [],
}

function offer(rows: readonly unknown[]): unknown {
  const service = { service_id: SERVICE, name: 'Main', code: 'MAIN', audience: 'both' }
  return { company: { share_code: 'ACME' }, service, public_key: servicePublicKey, request_fields: rows }
}

async function sealToSelf(text: string): Promise<string> {
  const { PublicKey } = await import('../index.ts')
  return (await PublicKey.import(ownPublicKey)).seal(text)
}

test('a client of a customer is refused without pins, with the remedy', async () => {
  await using frontDoor = await startFrontDoor(() => '')
  const options = { ...optionsFor(frontDoor), key: ownKey }
  // @ts-expect-error -- the compiler refuses it too
  expect(() => new CustomerClient(options)).toThrow(/filePins\(folder\).*memoryPins\(\)/)
})

test('a server that says company, shows another own key, or a public field gets no plaintext', async () => {
  const photo = { file: { bytes: Buffer.from('pixels'), mimeType: 'image/png', originalName: 'me.png' } }
  const about = { email: 'a@b.example', level: 'free', display_name: 'Ana', share_code: 'ABCDEF', region: 'us' }
  const me = { ...about, id: PERSON, user_type: 'person', public_key: ownPublicKey }
  let account: Readonly<Record<string, unknown>> = { ...me, user_type: 'company' }
  await using person = await startPerson(({ path }) => {
    if (path.startsWith('/api/account')) return { status: 200, json: account }
    if (path.startsWith('/api/contact-data/')) return { status: 200, json: { ...kept, is_private: false } }
    return undefined
  })
  const { contactData } = person.app
  await expect(contactData.put(FIELD, 'ana.example')).rejects.toMatchObject({ reason: 'account_type' })
  account = { ...me, public_key: servicePublicKey }
  await expect(contactData.put(FIELD, 'ana.example')).rejects.toMatchObject({ reason: 'own_key' })
  await expect(contactData.put(FILE_FIELD, photo)).rejects.toMatchObject({ reason: 'privacy' })
  expect(person.region.received.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a field that this device has made public stays public without a word, and private as soon as the server says so', async () => {
  const photo = { file: { bytes: Buffer.from('pixels'), mimeType: 'image/png', originalName: 'me.png' } }
  let isPrivate = false
  await using person = await startPerson(({ method, path }) => {
    if (method === 'PUT') return { status: 200, json: kept }
    if (path.startsWith('/api/company-connections')) return { status: 200, json: noConnections }
    if (path.startsWith('/api/contact-data/')) return { status: 200, json: { ...kept, is_private: isPrivate } }
    return undefined
  })
  const { contactData } = person.app
  await contactData.put(FILE_FIELD, photo, { is_private: false })
  await contactData.put(FILE_FIELD, photo)
  isPrivate = true
  await contactData.put(FILE_FIELD, photo)
  const sent = person.region.received.flatMap(({ method, body }) => (method === 'PUT' ? [JSON.parse(body).value] : []))
  expect(sent.map((value: string) => value.includes('data:image/png'))).toEqual([true, true, false])
})

const noConnections = { connections: [], total: 0, next_cursor: null }
