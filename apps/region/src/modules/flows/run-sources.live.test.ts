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
