import { importOneTimeKey, openOnce } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { beforeAll, expect, test } from 'vitest'
import { refusal } from '../../test/stub-platform.ts'
import { COMPANY, definition, field, PARTNER, PERSON, postedTo, RUN, runRoutes, runWith } from '../../test/stub-run.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { fileReply, newServiceKey, startStubService } from '../../test/stub-service.ts'
import type { ServiceKey } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'

const INPUTS = '/generate/inputs'
const GENERATE = '/generate'
const rule = { condition: null, languages: 'all' }
const pinned = definition({
  output_mode: 'document',
  nodes: [
    {
      key: 'first',
      party: 'us',
      title: '',
      elements: [field('amount', { field_type: 'number' }), field('deed', { field_type: 'pdf_document' })],
      language_party: 'us',
      outputs: [
        {
          output_key: 'paper',
          name: 'Paper',
          rules: [
            { source_connection: { party: 'customer', request_slug: 'passport' }, ...rule },
            { source_field: 'deed', ...rule },
            { source_field: 'other', ...rule },
            { source_connection: { party: 'customer', request_slug: 'absent' }, ...rule },
          ],
        },
      ],
    },
  ],
})
const MADE = { documents: [], status: 'awaiting_signature', document_id: null }

let service: { readonly key: ServiceKey; readonly seal: (text: string) => Promise<string> }
let deed: string
let passport: string

beforeAll(async () => {
  service = await newServiceKey()
  ;[deed, passport] = [await service.seal('{"file":"data:a/b;base64,"}'), await service.seal('{"name":"P"}')]
})

async function generating(members: object = {}) {
  const answers = [
    { slug: 'amount', for_user_id: COMPANY, value: await service.seal('21') },
    { slug: 'amount', for_user_id: PERSON, value: 'not ours' },
    { slug: 'deed', for_user_id: COMPANY, value: '{"_enc_file":"af_1"}' },
    // A link without a copy is not held.
    { slug: 'other', for_user_id: COMPANY, value: '{"_link":1}' },
  ]
  const source_files = { 'conn:customer:passport': 'rf_2' }
  return runWith(pinned, { status: 'generating', output_mode: 'document', answers, source_files, ...members })
}

async function start(run: object, more: (received: Received) => Reply | null = () => null) {
  return startStubService(
    runRoutes(
      {},
      () => run,
      (received) => {
        const own = more(received)
        if (own !== null) return own
        const { path, body } = received
        if (path.endsWith('/slots/deed/file'))
          return fileReply(`{"encrypted":true,"value":${JSON.stringify(deed)}}`, JSON_TYPE)
        if (path.includes('/source-files/')) return fileReply(passport, JSON_TYPE)
        if (path.endsWith(INPUTS))
          return { status: 201, json: { input: body.includes('field:deed') ? 'gi_1' : 'gi_2' } }
        return path.endsWith(GENERATE) ? { status: 200, json: MADE } : null
      },
    ),
  )
}

const JSON_TYPE = 'application/json'

interface HandedOver {
  readonly otk: string
  readonly values: string
  readonly inputs?: readonly object[]
}

async function opened(otk: string, text: string): Promise<string> {
  const key = await importOneTimeKey(hostPlatform(), new Secret(otk))
  const plain = key.ok ? await openOnce(hostPlatform(), key.value, text) : key
  if (!plain.ok) throw new Error(plain.refusal)
  return new TextDecoder().decode(plain.value)
}

test('the answers and the held PDFs are handed over under one new key, in rule order', async () => {
  const keys: string[] = []
  for (const _ of [1, 2]) {
    await using stub = await start(await generating())
    expect(await stub.client.flows.generate(RUN, service.key)).toEqual(MADE)
    const [body] = postedTo<HandedOver>(stub.region.received, GENERATE)
    const uploads = postedTo<{ source_key: string; value: string }>(stub.region.received, INPUTS)
    const { otk = '', values = '', inputs } = body ?? {}
    keys.push(otk)
    expect(Buffer.from(otk, 'base64')).toHaveLength(32)
    expect(JSON.parse(await opened(otk, values))).toEqual({ amount: '21', deed: 'file' })
    expect(inputs).toEqual([
      { source_key: 'conn:customer:passport', input: 'gi_2' },
      { source_key: 'field:deed', input: 'gi_1' },
    ])
    expect(await Promise.all(uploads.map(({ value }) => opened(otk, value)))).toEqual([
      '{"name":"P"}',
      '{"file":"data:a/b;base64,"}',
    ])
    expect(values.includes('21')).toBe(false)
  }
  expect(keys[0]).not.toBe(keys[1])
})

test('once they are made nothing is handed over', async () => {
  await using stub = await start(await generating({ status: 'completed' }))
  expect(await stub.client.flows.generate(RUN, service.key)).toEqual(MADE)
  const [body] = postedTo<HandedOver>(stub.region.received, GENERATE)
  expect(await opened(body?.otk ?? '', body?.values ?? '')).toBe('{}')
  expect(postedTo(stub.region.received, INPUTS)).toEqual([])
})

test('another process that was faster is no error; a run that was cancelled meanwhile is', async () => {
  for (const status of ['awaiting_signature', 'cancelled'] as const) {
    const [before, after] = [await generating(), await generating({ status })]
    let reads = 0
    await using stub = await start(before, ({ method, path }) => {
      if (path.endsWith(INPUTS)) return refusal(409, 'flows.not_generatable')
      const isRun = method === 'GET' && path.endsWith(`/flow-runs/${RUN}`)
      return isRun ? { status: 200, json: reads++ === 0 ? before : after } : null
    })
    const made = stub.client.flows.generate(RUN, service.key)
    if (status === 'awaiting_signature') expect(await made).toEqual(MADE)
    else await expect(made).rejects.toMatchObject({ key: 'flows.not_generatable' })
  }
})

test.each([
  ['not_generating', { status: 'awaiting_us' }],
  ['not_generating', { status: 'cancelled' }],
  ['not_generating', { status: 'completed', output_mode: 'data_only' }],
  ['not_the_generator', { bindings: { us: PARTNER, customer: COMPANY, partner: PERSON } }],
  ['answer_unreadable', { answers: [{ slug: 'amount', for_user_id: COMPANY, value: 'x' }] }],
  ['not_generating', { definition: { ...pinned, output_mode: 'data_only' } }],
] as const)('%s: nothing is sent', async (reason, members) => {
  await using stub = await start(await generating(members))
  await expect(stub.client.flows.generate(RUN, service.key)).rejects.toMatchObject({ name: 'FlowError', reason })
  expect(stub.region.received.filter(({ method }) => method === 'POST')).toEqual([])
})
