import { createHash } from 'node:crypto'
import { bodyOf, flowAuthor, openWorld, sealTo, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'
const PDF = 'data:application/pdf;base64,JVBERi0xLjQK'
const DEED = { file: PDF, mime_type: 'application/pdf', size: 9 }
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

/** A staged copy for each reader, and its sealed text. */
async function stageAll(flow: Awaited<ReturnType<typeof published>>) {
  const sealed: string[] = []
  const files: { source_key: string; for_user_id: string; file: string }[] = []
  for (const { userId, publicKey } of readers) {
    const value = await sealTo(publicKey, JSON.stringify({ ...DEED, original_name: `for ${userId}.pdf` }))
    const { file } = await bodyOf(flow.stage({ source_user_id: them, value }), 201)
    files.push({ source_key: SOURCE, for_user_id: userId, file: String(file) })
    sealed.push(value)
  }
  return { files, sealed }
}

test('a copy of a shared file is staged for one reader, in the region of its customer [LIMIT-06] [REGION-09] [RUN-05] [RUN-06] [RUN-07] [RUN-51]', async () => {
  const { stage, managed } = await published(contract)
  const { calls } = await service.company.accountClient(['service_management'])
  const value = await service.seal('{}')
  const stageAsManager = (body: object) => calls('POST', `${managed}/run-files`, { body })
  const held = async (region: 'eu' | 'us') =>
    (await world.rows('select id from flows_customer.file where account_id = $1', [them], region)).length
  const before = await held('us')
  const stranger = await world.person()
  for (const post of [stage, stageAsManager]) {
    const staged = await post({ source_user_id: them, value })
    expect([staged.status, staged.body]).toEqual([201, { file: expect.stringMatching(/^rf_[0-9a-f-]{36}$/) }])
    for (const source_user_id of [undefined, MISSING, us, stranger.userId])
      expect(await keyOf(post({ source_user_id, value }))).toEqual([400, 'flows.source_user_invalid'])
  }
  expect([await held('us'), await held('eu')]).toEqual([before + 2, 0])
  const most = Math.floor((25 * 1_048_576 * 16) / 9) + 65_536
  const upload = (length: number) => keyOf(stage({ source_user_id: them, value: 'x'.repeat(length) }))
  expect(await upload(most)).toEqual([400, 'contact_data.encryption_required'])
  expect(await upload(most + 1)).toEqual([400, 'documents.too_large'])
})

test('a start takes exactly one staged copy per reader of each shared file, once, and else writes nothing [ERR-07] [RUN-23]', async () => {
  const flow = await published(contract)
  const { files } = await stageAll(flow)
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
  // Two copies for one reader, and one that was staged as a copy of what another customer shared.
  const twice = [{ ...files[0], file: files[1]?.file }, files[0], files[2]]
  expect((await flow.start({ source_files: twice })).body).toMatchObject({
    missing: [{ for_user_id: them }],
    unexpected: [files[0]?.file],
  })
  const value = await service.seal('{}')
  const { file } = await bodyOf(flow.stage({ source_user_id: partner.userId, value }), 201)
  const foreign = [{ ...files[0], file }, ...files.slice(1)]
  expect((await flow.start({ source_files: foreign })).body['unexpected']).toEqual([file])
  expect(await runs()).toEqual(before)
  expect((await flow.start({ source_files: files })).status).toBe(201)
  expect(await keyOf(flow.start({ source_files: files }))).toEqual([400, 'flows.source_files_invalid'])
})

test('each reader reads the own copy, which stays as it was at the start [RUN-24] [RUN-43] [RUN-52] [TURN-23] [TURN-27]', async () => {
  const flow = await published(contract)
  const { files, sealed } = await stageAll(flow)
  const run = await bodyOf(flow.start({ source_files: files }), 201)
  const id = String(run['id'])
  expect(run).toMatchObject({ status: 'awaiting_us', source_files: { [SOURCE]: files[0]?.file } })
  const shared = async () => (await service.read(connectionId))?.['values'] as { deed: { content_sha256: string } }
  const before = (await shared()).deed.content_sha256
  const newer = { file: 'data:application/pdf;base64,JVBERi0xLjcK', original_name: 'newer.pdf' }
  await bodyOf(person.remap(service, connectionId, [{ slug: 'deed', kind: 'typed', file: newer }]))
  await waitUntil('it has changed', DEADLINE_MS, async () => (await shared()).deed.content_sha256 !== before)

  const source = `${id}/source-files/${encodeURIComponent(SOURCE)}`
  const read = await service.download(`${RUNS}/${source}`)
  const envelope = JSON.parse(await service.open(read.bytes.toString())) as object
  expect(envelope).toEqual({ ...DEED, original_name: `for ${us}.pdf` })
  expect(read.bytes.toString()).toBe(sealed[0])
  const { calls } = await service.company.accountClient(['service_management'])
  const managed = await calls('GET', `${flow.managed}/runs/${source}`)
  expect([managed.status, managed.text]).toEqual([200, read.bytes.toString()])
  const stranger = await (await world.company()).accountClient(['service_management'])
  expect(await keyOf(stranger.calls('GET', `${flow.managed}/runs/${source}`))).toEqual([404, 'services.not_found'])

  const path = pathOf({ connectionId: partnerConnection }, id)
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await partner.calls('GET', path)).status === 200)
  const [ours, , theirs] = files
  expect((await partner.calls('GET', path)).body['source_files']).toEqual({ [SOURCE]: theirs?.file })
  const copy = await partner.calls('GET', `${path}/answer-files/${theirs?.file}`)
  expect([copy.status, copy.text]).toEqual([200, sealed[2]])
  expect(await keyOf(partner.calls('GET', `${path}/answer-files/${ours?.file}`))).toEqual([
    404,
    'company_data.file_not_found',
  ])
  const ended = await bodyOf(service.data('POST', `${RUNS}/${id}/answers`, { body: { answers: [], leaf: true } }))
  expect(ended).toMatchObject({ status: 'generating', current_node: 'end' })
  const none = await published(letter('Hello'))
  expect(await bodyOf(none.start({}), 201)).toMatchObject({
    source_files: {},
    tag_values: null,
    owner_tag_values: null,
  })
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

test('tag_values has one well-formed entry per reader, with the values that texts name [RUN-17] [RUN-18] [RUN-20]', async () => {
  const { start } = await published(letter(TEXT))
  const tags = await tagValues()
  const { company, ...others } = tags
  const { private: _private, ...open } = company
  const changed = [
    { public: 'clear' },
    { public_tags: 'x' },
    { public_tags: ['customer.none'] },
    { public_tags: ['customer.name', 'customer.name'] },
    { private: [] },
    { private: { 'customer.note': 'clear' } },
    { private: { 'customer.name': company.public } },
  ].map((members) => ({ tag_values: { ...tags, company: { ...company, ...members } } }))
  for (const body of [
    {},
    { tag_values: tags, flow_version: undefined },
    { tag_values: { ...tags, company: 'x' } },
    { tag_values: { ...tags, company: open } },
    { tag_values: others },
    { tag_values: { company, [them]: tags[them] } },
    { tag_values: { ...tags, [MISSING]: company } },
    ...changed,
  ])
    expect([body, await keyOf(start(body))]).toEqual([body, [400, 'flows.tag_values_invalid']])
  const without = Object.fromEntries(Object.entries(tags).map(([key, entry]) => [key, { ...entry, private: {} }]))
  for (const tag_values of [tags, without]) expect((await start({ tag_values })).status).toBe(201)
})

test('an entry names the SHA-256 of the reader’s DER key; another one is stale, and the answer says whose [ERR-07] [RUN-19] [RUN-21]', async () => {
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

test('a run shows each reader the own entry; a private value goes to its customer and the company only [RUN-42] [TEXT-06] [TEXT-10]', async () => {
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
  const entryOf = ({ recipient_pubkey_sha256: _key, ...entry }: typeof tags.company) => entry
  expect(run['tag_values']).toEqual(entryOf(tags.company))
  for (const [calls, connection, entry] of [
    [person.calls, connectionId, tags[them]],
    [partner.calls, partnerConnection, tags[partner.userId]],
  ] as const) {
    const path = pathOf({ connectionId: connection }, String(run['id']))
    await waitUntil('it has arrived', DEADLINE_MS, async () => (await calls('GET', path)).status === 200)
    if (entry === undefined) throw new Error('three readers')
    expect((await calls('GET', path)).body['tag_values']).toEqual(entryOf(entry))
  }
})

test('values of the company’s own profile are filled in at the start, in the clear [TEXT-07] [TEXT-08]', async () => {
  const own = await published(letter('By {{us.company_name}}, {{us.vat_number}}'))
  const run = await bodyOf(own.start({}), 201)
  const filled = { 'us.company_name': { v: 'Northern Lights', t: 'text' } }
  expect(run).toMatchObject({ owner_tag_values: filled, tag_values: null })
  expect(run['owner_tag_values']).toEqual(filled)
  await service.company.put('company_name', 'Northern Lights, renamed')
  const path = pathOf({ connectionId }, String(run['id']))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  for (const read of [await service.data('GET', `${RUNS}/${String(run['id'])}`), await person.calls('GET', path)])
    expect(read.body['owner_tag_values']).toEqual(filled)
})
