import { createHash } from 'node:crypto'
import { bodyOf, flowAuthor, openWorld, sealTo, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000
const MISSING = '019a0000-0000-7000-8000-00000000dead'
const PDF = 'data:application/pdf;base64,JVBERi0xLjQK'

const service = await world.service([{ slug: 'deed', type: 'pdf_document' }, { slug: 'name' }])
const us = service.company.companyId
const person = await world.person()
const connectionId = await person.connected(service, [
  { slug: 'deed', kind: 'typed', file: { file: PDF, original_name: 'deed.pdf' } },
  { slug: 'name', text: 'Mara' },
])
const them = person.user.userId
const target = { connection_id: connectionId }

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

const parties = [
  { key: 'us', label: 'Us', type: 'owner' },
  { key: 'customer', label: 'Customer', type: 'person' },
]

const contract = {
  entry: 'end',
  output_mode: 'document',
  parties,
  nodes: [
    {
      key: 'end',
      party: 'us',
      title: 'Contract',
      elements: [],
      language_party: 'customer',
      outputs: [
        {
          output_key: 'deed',
          name: 'Deed',
          rules: [
            { source_connection: { party: 'customer', request_slug: 'deed' }, condition: null, languages: 'all' },
          ],
        },
      ],
    },
  ],
  edges: [],
  constants: [],
}

test('copies of a shared file are staged in the region of its customer and read by their owners', async () => {
  const { flowId } = await flowAuthor(service).published(contract)
  const flow = `/api/company-data/flows/${flowId}`
  const stage = (body: object) => service.data('POST', `${flow}/run-files`, { body })
  const ours = await service.seal('ours')
  const theirs = await sealTo(person.user.keys.publicKey, 'theirs')
  expect(await keyOf(stage({ value: ours }))).toEqual([400, 'flows.source_user_invalid'])
  expect(await keyOf(stage({ source_user_id: MISSING, value: ours }))).toEqual([400, 'flows.source_user_invalid'])
  expect(await keyOf(stage({ source_user_id: them, value: 'plain' }))).toEqual([
    400,
    'contact_data.encryption_required',
  ])
  expect(await keyOf(stage({ source_user_id: them, value: 'x'.repeat(46_668_914) }))).toEqual([
    400,
    'documents.too_large',
  ])
  const staged = async (value: string) => String((await bodyOf(stage({ source_user_id: them, value }), 201))['file'])
  const [own, other] = [await staged(ours), await staged(theirs)]
  const held = await world.rows('select id from flows_customer.file where account_id = $1', [them], 'us')
  expect(held).toHaveLength(2)
  expect(await world.rows('select id from flows_customer.file where account_id = $1', [them], 'eu')).toEqual([])

  const source_key = 'conn:customer:deed'
  const start = (source_files?: object) =>
    service.data('POST', `${flow}/runs`, { body: { target, flow_version: 1, source_files } })
  const refused = await start([
    { source_key, for_user_id: us, file: other },
    { source_key, for_user_id: us, file: own },
  ])
  expect([refused.status, refused.body['error_key']]).toEqual([400, 'flows.source_files_invalid'])
  expect(refused.body['missing']).toEqual([{ source_key, for_user_id: them, source_user_id: them }])
  expect(refused.body['unexpected']).toEqual([own])
  expect(await keyOf(start())).toEqual([400, 'flows.source_files_invalid'])
  expect(await world.rows('select 1 from flows_service.run where flow_id = $1', [flowId])).toEqual([])
  const files = [
    { source_key, for_user_id: us, file: own },
    { source_key, for_user_id: them, file: other },
  ]
  const run = await bodyOf(start(files), 201)
  const id = String(run['id'])
  expect(run).toMatchObject({ status: 'awaiting_us', source_files: { [source_key]: own } })
  expect(await keyOf(start(files))).toEqual([400, 'flows.source_files_invalid'])

  const read = await service.download(`${RUNS}/${id}/source-files/${encodeURIComponent(source_key)}`)
  expect(read.bytes.toString()).toBe(ours)
  const path = pathOf({ connectionId }, id)
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  expect((await person.calls('GET', path)).body['source_files']).toEqual({ [source_key]: other })
  expect(JSON.stringify((await person.calls('GET', `${path}/answer-files/${other}`)).body)).toBe(theirs)
  expect(await keyOf(person.calls('GET', `${path}/answer-files/${own}`))).toEqual([404, 'company_data.file_not_found'])

  const ended = await bodyOf(service.data('POST', `${RUNS}/${id}/answers`, { body: { answers: [], leaf: true } }))
  expect(ended).toMatchObject({ status: 'generating', current_node: 'end' })
})

const letter = {
  entry: 'read',
  output_mode: 'data_only',
  parties,
  nodes: [
    {
      key: 'read',
      party: 'customer',
      title: 'Letter',
      elements: [{ kind: 'text', body: 'Dear {{customer.name}}' }],
    },
  ],
  edges: [],
  constants: [],
}

const fingerprint = (key: string) => createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex')

test('values of the customer in texts come sealed for each reader', async () => {
  const { flowId } = await flowAuthor(service).published(letter)
  const start = (tag_values: unknown, flow_version: number | undefined = 1) =>
    service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { target, flow_version, tag_values } })
  const entry = async (key: string, members: object = {}) => ({
    recipient_pubkey_sha256: fingerprint(key),
    public: await sealTo(key, '{"customer.name":{"v":"Mara","t":"text"}}'),
    public_tags: ['customer.name'],
    private: {},
    ...members,
  })
  const company = await entry(service.publicKey)
  const customer = await entry(person.user.keys.publicKey)
  const invalid = [400, 'flows.tag_values_invalid']
  expect(await keyOf(start(undefined))).toEqual(invalid)
  const unversioned = { target, tag_values: { company, [them]: customer } }
  expect(await keyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: unversioned }))).toEqual(
    invalid,
  )
  const { private: _private, ...open } = company
  expect(await keyOf(start({ company: open, [them]: customer }))).toEqual(invalid)
  const both = { ...company, private: { 'customer.name': company.public } }
  expect(await keyOf(start({ company: both, [them]: customer }))).toEqual(invalid)
  expect(await keyOf(start({ company }))).toEqual(invalid)
  expect(await keyOf(start({ company, [them]: customer, [MISSING]: customer }))).toEqual(invalid)
  expect(await keyOf(start({ company: { ...company, public: 'plain' }, [them]: customer }))).toEqual(invalid)
  expect(await keyOf(start({ company: { ...company, public_tags: ['customer.none'] }, [them]: customer }))).toEqual(
    invalid,
  )
  const stale = await start({
    company,
    [them]: { ...customer, recipient_pubkey_sha256: fingerprint(service.publicKey) },
  })
  expect([stale.status, stale.body['error_key'], stale.body['stale']]).toEqual([409, 'flows.tag_values_stale', [them]])
  const run = await bodyOf(start({ company, [them]: customer }), 201)
  const { recipient_pubkey_sha256: _ours, ...mine } = company
  expect(run['tag_values']).toEqual(mine)
  const path = pathOf({ connectionId }, String(run['id']))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  const { recipient_pubkey_sha256: _theirs, ...own } = customer
  expect((await person.calls('GET', path)).body['tag_values']).toEqual(own)
})

test('the copy in a run is a snapshot, which managers stage and read alike', async () => {
  const { flowId } = await flowAuthor(service).published(contract)
  const client = await service.company.accountClient(['service_management'])
  const path = `/api/services/${service.serviceId}/flows/${flowId}`
  const source_key = 'conn:customer:deed'
  const ours = await service.seal('the deed of today')
  const files: object[] = []
  for (const [for_user_id, value] of [
    [us, ours],
    [them, await sealTo(person.user.keys.publicKey, 'theirs')],
  ] as const) {
    const made = await bodyOf(client.calls('POST', `${path}/run-files`, { body: { source_user_id: them, value } }), 201)
    expect(made).toEqual({ file: expect.stringMatching(/^[a-z]{2}_/) })
    files.push({ source_key, for_user_id, file: made['file'] })
  }
  expect(await keyOf(client.calls('POST', `${path}/run-files`, { body: { value: ours } }))).toEqual([
    400,
    'flows.source_user_invalid',
  ])
  const body = { target, flow_version: 1, source_files: files }
  const id = String((await bodyOf(client.calls('POST', `${path}/runs`, { body }), 201))['id'])
  const other = { file: 'data:application/pdf;base64,JVBERi0xLjcK', original_name: 'other.pdf' }
  await bodyOf(person.remap(service, connectionId, [{ slug: 'deed', kind: 'typed', file: other }]))
  const now = async () => (await service.read(connectionId))?.['values'] as { deed: { content_sha256: string } }
  const before = (await now()).deed.content_sha256
  await bodyOf(person.remap(service, connectionId, [{ slug: 'deed', kind: 'typed', file: { ...other, file: PDF } }]))
  await waitUntil('the shared file has changed', DEADLINE_MS, async () => (await now()).deed.content_sha256 !== before)
  const at = `${path}/runs/${id}/source-files/${encodeURIComponent(source_key)}`
  expect(JSON.stringify((await client.calls('GET', at)).body)).toBe(ours)
  const own = await service.download(`${RUNS}/${id}/source-files/${encodeURIComponent(source_key)}`)
  expect(own.bytes.toString()).toBe(ours)
  const { company } = await world.service([])
  const stranger = await company.accountClient(['service_management'])
  expect(await keyOf(stranger.calls('GET', at))).toEqual([404, 'services.not_found'])
})

test("the owner's own values in texts are filled at the start, in the clear", async () => {
  const said = (text: string) => ({
    ...letter,
    nodes: [{ ...letter.nodes[0], elements: [{ kind: 'text', body: text }] }],
  })
  const { company } = service
  await company.put('company_name', 'Acme')
  const begin = async (definition: object) => {
    const { flowId } = await flowAuthor(service).published(definition)
    const run = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { target } }), 201)
    return run
  }
  const run = await begin(said('From {{us.company_name}} of {{us.website}}'))
  expect(run).toMatchObject({ owner_tag_values: { 'us.company_name': { v: 'Acme', t: 'text' } }, tag_values: null })
  expect(Object.keys(run['owner_tag_values'] as object)).toEqual(['us.company_name'])
  await company.put('company_name', 'Acme, renamed')
  const path = pathOf({ connectionId }, String(run['id']))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await person.calls('GET', path)).status === 200)
  for (const read of [await service.data('GET', `${RUNS}/${String(run['id'])}`), await person.calls('GET', path)])
    expect(read.body['owner_tag_values']).toEqual({ 'us.company_name': { v: 'Acme', t: 'text' } })
  expect((await begin(said('Hello')))['owner_tag_values']).toBeNull()
})
