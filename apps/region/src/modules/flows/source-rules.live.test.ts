import { createHash } from 'node:crypto'
import { bodyOf, flowAuthor, openWorld, sealTo, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'
const PDF = 'data:application/pdf;base64,JVBERi0xLjQK'
const SOURCE = 'conn:customer:deed'

const service = await world.service([{ slug: 'deed', type: 'pdf_document' }, { slug: 'name' }, { slug: 'note' }])
const us = service.company.companyId
const person = await world.person()
const connectionId = await person.connected(service, [
  { slug: 'deed', kind: 'typed', file: { file: PDF, original_name: 'deed.pdf' } },
  { slug: 'name', text: 'Mara' },
])
const them = person.user.userId
const partner = await world.company({ region: 'us' })
const partnerConnection = await partner.connected(service)
const targets = { customer: { connection_id: connectionId }, partner: { connection_id: partnerConnection } }
await service.company.put('company_name', 'Northern Lights')

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

const parties = [
  { key: 'us', label: 'Us', type: 'owner' },
  { key: 'customer', label: 'Customer', type: 'person' },
  { key: 'partner', label: 'Partner', type: 'company' },
]

/** One step of the company; `more` are members of it. */
const oneStep = (output_mode: string, more: object) => ({
  entry: 'end',
  output_mode,
  parties,
  nodes: [{ key: 'end', party: 'us', title: 'End', elements: [], ...more }],
  edges: [],
  constants: [],
})
const source_connection = { party: 'customer', request_slug: 'deed' }
const contract = oneStep('document', {
  language_party: 'customer',
  outputs: [{ output_key: 'deed', name: 'Deed', rules: [{ source_connection, condition: null, languages: 'all' }] }],
})
const letter = (body: string) => oneStep('data_only', { elements: [{ kind: 'text', body }] })

async function published(definition: object) {
  const { flowId } = await flowAuthor(service).published(definition)
  const path = `/api/company-data/flows/${flowId}`
  return {
    path,
    managed: `/api/services/${service.serviceId}/flows/${flowId}`,
    start: (body: object) => service.data('POST', `${path}/runs`, { body: { targets, flow_version: 1, ...body } }),
    stage: (body: object) => service.data('POST', `${path}/run-files`, { body }),
  }
}

const readers = [
  { userId: us, publicKey: service.publicKey },
  { userId: them, publicKey: person.user.keys.publicKey },
  { userId: partner.userId, publicKey: partner.user.keys.publicKey },
]

/** A staged copy for each reader. */
async function stageAll(flow: Awaited<ReturnType<typeof published>>) {
  const files: { source_key: string; for_user_id: string; file: string }[] = []
  for (const { userId, publicKey } of readers) {
    const value = await sealTo(publicKey, `deed for ${userId}`)
    const { file } = await bodyOf(flow.stage({ source_user_id: them, value }), 201)
    files.push({ source_key: SOURCE, for_user_id: userId, file: String(file) })
  }
  return files
}

test('a copy of a shared file is staged for one reader [RUN-05]', async () => {
  const { stage } = await published(contract)
  const staged = await stage({ source_user_id: them, value: await service.seal('{}') })
  expect([staged.status, staged.body]).toEqual([201, { file: expect.stringMatching(/^af_[0-9a-f]{32}$/) }])
})

test('a staged file needs a connected customer of the service [RUN-06]', async () => {
  const { stage } = await published(contract)
  const value = await service.seal('{}')
  const stranger = await world.person()
  for (const source_user_id of [undefined, MISSING, us, stranger.userId])
    expect(await keyOf(stage({ source_user_id, value }))).toEqual([400, 'flows.source_user_invalid'])
})

test('a staged file above the budget answers documents.too_large [RUN-07]', async () => {
  const { stage } = await published(contract)
  const length = Math.floor((25 * 1_048_576 * 16) / 9) + 65_536
  const upload = (more: number) => keyOf(stage({ source_user_id: them, value: 'x'.repeat(length + more) }))
  expect(await upload(0)).toEqual([400, 'contact_data.encryption_required'])
  expect(await upload(1)).toEqual([400, 'documents.too_large'])
})

test('a start takes exactly one staged copy per reader of each shared file, and else writes nothing [RUN-23]', async () => {
  const flow = await published(contract)
  const files = await stageAll(flow)
  const runs = () => world.rows('select id from flows_service.run where service_id = $1', [service.serviceId])
  const before = await runs()
  const refused = await flow.start({ source_files: files.slice(1) })
  expect([refused.status, refused.body['error_key']]).toEqual([400, 'flows.source_files_invalid'])
  expect(refused.body).toMatchObject({
    missing: [{ source_key: SOURCE, for_user_id: us, source_user_id: them }],
    unexpected: [],
  })
  const more = { source_key: 'conn:partner:deed', for_user_id: us, file: files[0]?.file }
  for (const source_files of [undefined, [], [...files, more], [files[0], files[0], files[2]], 'x'])
    expect(await keyOf(flow.start({ source_files }))).toEqual([400, 'flows.source_files_invalid'])
  // Staged as a copy of what another customer shared.
  const value = await service.seal('{}')
  const { file } = await bodyOf(flow.stage({ source_user_id: partner.userId, value }), 201)
  const foreign = [{ ...files[0], file }, ...files.slice(1)]
  expect((await flow.start({ source_files: foreign })).body['unexpected']).toEqual([file])
  expect(await runs()).toEqual(before)
  expect((await flow.start({ source_files: files })).status).toBe(201)
})

test('source_files names the own copy of each reader, an empty object where there is none [RUN-43]', async () => {
  const flow = await published(contract)
  const files = await stageAll(flow)
  const run = await bodyOf(flow.start({ source_files: files }), 201)
  const id = String(run['id'])
  expect(run['source_files']).toEqual({ [SOURCE]: files[0]?.file })
  const read = await service.download(`${RUNS}/${id}/source-files/${encodeURIComponent(SOURCE)}`)
  expect(await service.open(read.bytes.toString())).toBe(`deed for ${us}`)
  const { calls } = await service.company.accountClient(['service_management'])
  const managed = await calls('GET', `${flow.managed}/runs/${id}/source-files/${encodeURIComponent(SOURCE)}`)
  expect([managed.status, managed.text]).toEqual([200, read.bytes.toString()])
  const path = pathOf({ connectionId: partnerConnection }, id)
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await partner.calls('GET', path)).status === 200)
  expect((await partner.calls('GET', path)).body['source_files']).toEqual({ [SOURCE]: files[2]?.file })
  const none = await published(letter('Hello'))
  expect((await bodyOf(none.start({}), 201))['source_files']).toEqual({})
})

test('a copy of a shared file stays as it was at the start', async () => {
  const flow = await published(contract)
  const files = await stageAll(flow)
  const id = String((await bodyOf(flow.start({ source_files: files }), 201))['id'])
  const source = () => service.download(`${RUNS}/${id}/source-files/${encodeURIComponent(SOURCE)}`)
  const before = (await source()).bytes.toString()
  const file = { file: 'data:application/pdf;base64,JVBERi0xLjcK', original_name: 'newer.pdf' }
  await bodyOf(person.remap(service, connectionId, [{ slug: 'deed', kind: 'typed', file }]))
  expect((await source()).bytes.toString()).toBe(before)
})

test('an account client stages files, too [RUN-51]', async () => {
  const flow = await published(contract)
  const { calls } = await service.company.accountClient(['service_management'])
  const body = { source_user_id: them, value: await service.seal('{}') }
  const staged = await calls('POST', `${flow.managed}/run-files`, { body })
  expect([staged.status, staged.body]).toEqual([201, { file: expect.stringMatching(/^af_[0-9a-f]{32}$/) }])
})

const fingerprint = (key: string) => createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex')

/** Entries for all readers; `note` is private to the person. */
async function tagValues() {
  const named = JSON.stringify({ 'customer.name': { v: 'Mara', t: 'text' } })
  const entry = async ({ userId, publicKey }: (typeof readers)[number]) => ({
    recipient_pubkey_sha256: fingerprint(publicKey),
    public: await sealTo(publicKey, named),
    public_tags: ['customer.name'],
    private: (userId === partner.userId
      ? {}
      : { 'customer.note': await sealTo(publicKey, '{"v":"x","t":"text"}') }) as Record<string, string>,
  })
  const [company, customer, other] = await Promise.all(readers.map(entry))
  if (company === undefined || customer === undefined || other === undefined) throw new Error('three readers')
  return { company, [them]: customer, [partner.userId]: other }
}

const TEXT = 'Dear {{customer.name}}, {{customer.note}}'

test('values of customers in texts need flow_version and well-formed tag_values [RUN-17]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const invalid = [400, 'flows.tag_values_invalid']
  expect(await keyOf(start({}))).toEqual(invalid)
  expect(await keyOf(start({ tag_values: tags, flow_version: undefined }))).toEqual(invalid)
  for (const entry of [
    { ...tags.company, public: 'clear' },
    { ...tags.company, public_tags: 'x' },
    { ...tags.company, private: [] },
    'x',
  ])
    expect(await keyOf(start({ tag_values: { ...tags, company: entry } }))).toEqual(invalid)
  expect((await start({ tag_values: tags })).status).toBe(201)
})

test('tag_values has an entry for the company and each customer, and for no other [RUN-18]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const { company, ...others } = tags
  const invalid = [400, 'flows.tag_values_invalid']
  expect(await keyOf(start({ tag_values: others }))).toEqual(invalid)
  expect(await keyOf(start({ tag_values: { company, [them]: tags[them] } }))).toEqual(invalid)
  expect(await keyOf(start({ tag_values: { ...tags, [MISSING]: company } }))).toEqual(invalid)
})

test('an entry names the SHA-256 of the reader’s DER key; another one is stale, and the answer says whose [RUN-19] [RUN-21]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const older = { ...tags.company, recipient_pubkey_sha256: fingerprint(person.user.keys.publicKey) }
  const upper = { ...tags[them], recipient_pubkey_sha256: fingerprint(person.user.keys.publicKey).toUpperCase() }
  const stale = await start({ tag_values: { ...tags, company: older, [them]: upper } })
  expect([stale.status, stale.body['error_key'], stale.body['stale']]).toEqual([
    409,
    'flows.tag_values_stale',
    ['company', them],
  ])
})

test('an entry has one wrapper for public values with their names, and one for each private value [RUN-20]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const invalid = [400, 'flows.tag_values_invalid']
  const changed = (members: object) =>
    keyOf(start({ tag_values: { ...tags, company: { ...tags.company, ...members } } }))
  expect(await changed({ public_tags: ['customer.none'] })).toEqual(invalid)
  expect(await changed({ public_tags: ['customer.name', 'customer.name'] })).toEqual(invalid)
  expect(await changed({ private: { 'customer.note': 'clear' } })).toEqual(invalid)
  expect(await changed({ private: { 'customer.name': tags.company.public } })).toEqual(invalid)
})

test('a run shows each reader its own entry, null where no text names a value [RUN-42] [TEXT-06]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const run = await bodyOf(start({ tag_values: tags }), 201)
  const { recipient_pubkey_sha256: _ours, ...ours } = tags.company
  expect(run['tag_values']).toEqual(ours)
  const path = pathOf({ connectionId: partnerConnection }, String(run['id']))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await partner.calls('GET', path)).status === 200)
  expect((await partner.calls('GET', path)).body['tag_values']).toMatchObject({
    private: {},
    public_tags: ['customer.name'],
  })
  const none = await published(letter('Hello'))
  expect((await bodyOf(none.start({}), 201))['tag_values']).toBeNull()
})

test('a value that is absent is left out of tag_values', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const without = Object.fromEntries(Object.entries(tags).map(([key, entry]) => [key, { ...entry, private: {} }]))
  expect((await start({ tag_values: without })).status).toBe(201)
})

test('the private value of a customer goes to that customer and the company only [TEXT-10]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const leaked = {
    ...tags[partner.userId],
    private: { 'customer.note': await sealTo(partner.user.keys.publicKey, '{}') },
  }
  expect(await keyOf(start({ tag_values: { ...tags, [partner.userId]: leaked } }))).toEqual([
    400,
    'flows.tag_values_invalid',
  ])
  const run = await bodyOf(start({ tag_values: tags }), 201)
  const seen = async (calls: typeof person.calls, connection: string) => {
    const path = pathOf({ connectionId: connection }, String(run['id']))
    await waitUntil('it has arrived', DEADLINE_MS, async () => (await calls('GET', path)).status === 200)
    return Object.keys(((await calls('GET', path)).body['tag_values'] as { private: object }).private)
  }
  expect(await seen(person.calls, connectionId)).toEqual(['customer.note'])
  expect(await seen(partner.calls, partnerConnection)).toEqual([])
  expect(run['tag_values']).toMatchObject({ private: { 'customer.note': expect.any(String) } })
})

test('values of the company’s own profile are filled in by the platform, in the clear; null where none is named [TEXT-07] [TEXT-08]', async () => {
  const own = await published(letter('By {{us.company_name}}, {{us.vat_number}}'))
  const run = await bodyOf(own.start({}), 201)
  expect(run['owner_tag_values']).toEqual({ 'us.company_name': { v: 'Northern Lights', t: 'text' } })
  const path = pathOf({ connectionId }, String(run['id']))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  expect((await person.calls('GET', path)).body['owner_tag_values']).toEqual(run['owner_tag_values'])
  const none = await published(letter('Hello'))
  expect((await bodyOf(none.start({}), 201))['owner_tag_values']).toBeNull()
})
