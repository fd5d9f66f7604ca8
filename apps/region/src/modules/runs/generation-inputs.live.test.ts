import { instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { bodyOf, openWorld, refused, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { dataUri, pdfWith } from '../flows/testing/assets.ts'
import { sweepGarbage } from '../vault/index.ts'
import {
  type contractFlow,
  type Contracts,
  handOver,
  openContracts,
  readPdf,
  textOf,
  underKey,
  VALUES,
} from './testing/contracts.ts'
import { pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()

const documentsOf = (runId: string) =>
  world.rows('select id from documents_service.document where run_id = $1', [runId], 'eu')

const deed = { kind: 'field', slug: 'deed', field_type: 'pdf_document', label: 'Deed', required: false }
const withDeed = (definition: ReturnType<typeof contractFlow>) => ({
  ...definition,
  nodes: definition.nodes.map((node) => (node.key === 'tell' ? { ...node, elements: [...node.elements, deed] } : node)),
})
const outputs = ({ annex }: { annex: string }) => [
  {
    output_key: 'deed',
    name: 'Deed',
    rules: [
      { source_field: 'deed', condition: null, languages: 'all' },
      { asset_key: annex, condition: null, languages: 'all' },
    ],
  },
]
const PDF = pdfWith('Deed of {{nick}}', 'Twice {{twice}}')
const envelopeOf = (pdf: Buffer) =>
  JSON.stringify({ file: dataUri('application/pdf', pdf), original_name: 'deed.pdf', mime_type: 'application/pdf' })

async function withFile(last: 'us' | 'partner', hasFile = true) {
  return begun(await openContracts(world, { last, outputs, definition: withDeed }), last, hasFile)
}

/** A run of these whose person has answered with a file, and whose last step is answered. */
async function begun(runs: Contracts, last: 'us' | 'partner', hasFile = true) {
  const id = String((await bodyOf(runs.start(), 201))['id'])
  await bodyOf(runs.answer(id, { amount: '21' }, { next_node: 'tell' }))
  await runs.arrived(runs.customer, id, 'awaiting_customer')
  const path = pathOf(runs.customer, id)
  const readers = [
    [runs.service.company.companyId, await runs.service.seal(envelopeOf(PDF))],
    [runs.customer.userId, await sealTo(runs.customer.publicKey, envelopeOf(PDF))],
    [runs.partner.userId, await sealTo(runs.partner.publicKey, envelopeOf(PDF))],
  ] as const
  const values: object[] = []
  for (const [for_user_id, value] of readers) {
    const body = { slug: 'deed', for_user_id, value }
    const { file } = await bodyOf(runs.customer.calls('POST', `${path}/answer-files`, { body }), 201)
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: file }) })
  }
  const answers = [{ slug: 'nick', values: await runs.copies('Mara') }, ...(hasFile ? [{ slug: 'deed', values }] : [])]
  await bodyOf(runs.customer.calls('POST', `${path}/answers`, { body: { answers, next_node: 'end' } }))
  for (const who of [runs.customer, runs.partner]) await runs.arrived(who, id, `awaiting_${last}`)
  if (last === 'us') await bodyOf(runs.answer(id, { reference: 'R' }, { leaf: true }))
  else await bodyOf(runs.answerAs(runs.partner, id, { reference: 'R' }, { leaf: true }))
  const inputs = last === 'us' ? `${RUNS}/${id}/generate/inputs` : `${pathOf(runs.partner, id)}/generate/inputs`
  // A company generates by a program of its own.
  const client = await runs.other.accountClient(['customer_connections'])
  const calls = last === 'us' ? runs.service.data : client.calls
  return {
    ...runs,
    id,
    generate: (_: string, body: object) => calls('POST', inputs.replace(/\/inputs$/, ''), { body }),
    store: (value: string, source_key = 'field:deed') => calls('POST', inputs, { body: { source_key, value } }),
  }
}

/** An input of another run. */
async function withInput(runs: Contracts, last: 'us' | 'partner'): Promise<unknown> {
  const other = await begun(runs, last)
  const { seal } = await underKey()
  return (await bodyOf(other.store(await seal(envelopeOf(PDF))), 201))['input']
}

test.each([
  ['us', 'GEN-05'],
  ['partner', 'GEN-26, GEN-27'],
] as const)(
  'what a participant gave is filled and handed to all, by %s [%s] [FLOW-13, GEN-06, GEN-08, GEN-20, GEN-21]',
  async (last, _rules) => {
    const runs = await withFile(last)
    const { otk, seal } = await underKey()
    const upload = async () => {
      const stored = await bodyOf(runs.store(await seal(envelopeOf(PDF))), 201)
      expect(stored).toEqual({ input: expect.stringMatching(/^gi_[0-9a-f-]{36}$/) })
      return { source_key: 'field:deed', input: stored['input'] }
    }
    const elsewhere = await (await underKey()).seal(envelopeOf(PDF))
    const { input: underOther } = await bodyOf(runs.store(elsewhere), 201)
    const values = await seal(JSON.stringify(VALUES))
    const mismatch = refused(400, 'flows.generate_inputs_mismatch')
    const wrong = [
      undefined,
      [],
      [await upload(), await upload()],
      [{ ...(await upload()), source_key: 'field:nick' }],
      [{ source_key: 'field:deed', input: 'gi_0' }],
      [{ source_key: 'field:deed', input: await withInput(runs, last) }],
      'x',
    ]
    for (const inputs of wrong) expect(await runs.generate(runs.id, { otk, values, inputs })).toMatchObject(mismatch)
    // Not under the key of this call.
    const other = [{ source_key: 'field:deed', input: underOther }]
    expect(await runs.generate(runs.id, { otk, values, inputs: other })).toMatchObject(
      refused(400, 'flows.source_pdf_invalid'),
    )
    const named = await upload()
    const made = await bodyOf(runs.generate(runs.id, { otk, values, inputs: [named] }))
    expect(await textOf(await readPdf(runs.customer, runs.id, 'deed'))).toMatch(/Deed of Mara\s+Twice 42/)
    const left = await world.rows(
      "select id from flows_service.answer_file where run_id = $1 and id like 'gi%'",
      [runs.id],
      'eu',
    )
    const there = await world.rows(
      "select id from flows_customer.file where run_id = $1 and id like 'gi%'",
      [runs.id],
      'us',
    )
    expect([...left, ...there]).toEqual([])
    expect(made).toMatchObject({ status: 'awaiting_signature' })
    expect(made['documents']).toHaveLength(3)
    expect(await bodyOf(runs.generate(runs.id, { otk, values, inputs: [named] }))).toEqual(made)
    expect(await runs.store('x')).toMatchObject(refused(409, 'flows.not_generatable'))
  },
)

test.each([
  ['us', 'eu', 'flows_service.answer_file'],
  ['partner', 'us', 'flows_customer.file'],
] as const)(
  'the sealed inputs of a refused call of %s go with it, rows and objects, and no others [GEN-08]',
  async (last, at, table) => {
    const runs = await withFile(last)
    const { otk, seal } = await underKey()
    const values = await seal(JSON.stringify(VALUES))
    const { clock, objects, database } = world[at].platform
    const objectOf = async (input: unknown) => {
      const rows = await world.rows<{ key: ObjectKey }>(
        `select object_key as key from ${table} where id = $1`,
        [input],
        at,
      )
      return rows[0]?.key ?? null
    }
    const garbage = async (): Promise<ReadonlyMap<string, number>> => {
      const sql = 'select object_key as key, extract(epoch from due_at)::float8 * 1000 as due from vault.garbage'
      return new Map((await world.rows<{ key: string; due: number }>(sql, [], at)).map(({ key, due }) => [key, due]))
    }
    // Readers that have opened an object leave until then.
    const later = { now: () => instant(clock.now() + 10 * 60_000) }
    const upload = async (envelope: string) => (await bodyOf(runs.store(await seal(envelope)), 201))['input']
    const wrongKey = (await underKey()).otk
    for (const [key, refusedBody, envelope] of [
      ['flows.generation_failed', { otk: wrongKey, values }, envelopeOf(PDF)],
      ['flows.source_pdf_invalid', { otk, values }, '{}'],
      ['flows.generate_inputs_mismatch', { otk, values, source_key: 'field:none' }, envelopeOf(PDF)],
    ] as const) {
      const [input, spare] = [await upload(envelope), await upload(envelope)]
      const [object, kept] = [await objectOf(input), await objectOf(spare)]
      const before = await garbage()
      const inputs = [{ source_key: 'field:deed', ...refusedBody, input }]
      expect(await runs.generate(runs.id, { ...refusedBody, inputs })).toMatchObject(refused(400, key))
      expect([await objectOf(input), await objectOf(spare)]).toEqual([null, kept])
      const added = [...(await garbage())].filter(([one]) => !before.has(one))
      expect(added.map(([one]) => one)).toContain(object)
      // A customer's values lie there, too.
      expect(added).toHaveLength(last === 'us' ? 1 : 2)
      for (const [, due] of added) expect(due).toBeLessThanOrEqual(later.now())
      await sweepGarbage({ database, clock: later, objects }, 1000)
      for (const [one] of added) expect((await objects.head(one as ObjectKey)).ok).toBe(false)
      expect(kept !== null && (await objects.head(kept)).ok).toBe(true)
    }
  },
)

test('a file that is no PDF is refused, and a corrected one is taken [GEN-07, GEN-15]', async () => {
  const runs = await withFile('us')
  const attempt = async (envelope: string) => {
    const { otk, seal } = await underKey()
    const { input } = await bodyOf(runs.store(await seal(envelope)), 201)
    const values = await seal(JSON.stringify(VALUES))
    return runs.generate(runs.id, { otk, values, inputs: [{ source_key: 'field:deed', input }] })
  }
  const broken = Buffer.from('%PDF-1.7\nthis is no PDF')
  for (const envelope of ['{}', 'no JSON', envelopeOf(Buffer.from('hello')), envelopeOf(broken)])
    expect(await attempt(envelope)).toMatchObject(refused(400, 'flows.source_pdf_invalid'))
  expect(await runs.read(runs.id)).toMatchObject({ status: 'generating' })
  expect(await documentsOf(runs.id)).toEqual([])
  expect(await runs.store('x'.repeat(46_668_914))).toMatchObject(refused(400, 'documents.too_large'))
  expect((await attempt(envelopeOf(PDF))).status).toBe(200)
})

/** The sealed text of a file of 25 MB. */
const MOST = Math.floor((25 * 1_048_576 * 16) / 9) + 65_536

test.each(['us', 'partner'] as const)(
  'an input of %s is as long as the budget, and no longer [LIMIT-06]',
  async (last) => {
    const runs = await withFile(last)
    expect(await runs.store('x'.repeat(MOST + 1))).toMatchObject(refused(400, 'documents.too_large'))
    expect((await runs.store('x'.repeat(MOST))).status).toBe(201)
  },
)

test('a source that the run does not hold is passed over [GEN-12, GEN-21]', async () => {
  const runs = await withFile('us', false)
  await bodyOf(runs.generate(runs.id, await handOver(VALUES)))
  expect(await textOf(await readPdf(runs.customer, runs.id, 'deed'))).toMatch(/Annex R-7/)
})

test('an account client with service_management makes the documents of the company [GEN-28]', async () => {
  const runs = await withFile('us')
  const { calls } = await runs.service.company.accountClient(['service_management'])
  const path = `/api/services/${runs.service.serviceId}/flows/${runs.flowId}/runs/${runs.id}/generate`
  const { otk, seal } = await underKey()
  const upload = { source_key: 'field:deed', value: await seal(envelopeOf(PDF)) }
  const { input } = await bodyOf(calls('POST', `${path}/inputs`, { body: upload }), 201)
  const values = await seal(JSON.stringify(VALUES))
  const mismatch = refused(400, 'flows.generate_inputs_mismatch')
  expect(await calls('POST', path, { body: { otk, values } })).toMatchObject(mismatch)
  const body = { otk, values, inputs: [{ source_key: 'field:deed', input }] }
  const made = await bodyOf(calls('POST', path, { body }))
  expect(made).toMatchObject({ status: 'awaiting_signature', document_id: expect.any(String) })
  expect(await bodyOf(calls('POST', path, { body }))).toEqual(made)
  expect(await bodyOf(runs.generate(runs.id, {}))).toEqual(made)
  expect(await calls('POST', `${path}/inputs`, { body: upload })).toMatchObject(refused(409, 'flows.not_generatable'))
})
