import { bodyOf, openWorld, refused, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { dataUri, pdfWith } from '../flows/testing/assets.ts'
import { handOver, openContracts, pdfIn, readPdf, textOf, underKey, VALUES } from './testing/contracts.ts'
import { pathOf, RUNS, type Runs } from './testing/runs.ts'

const world = await openWorld()

const SOURCE = 'conn:customer:deed'
const DEED = pdfWith('Deed shared by {{nick}}', 'Twice {{twice}}', 'Nothing [{{other}}]')
const envelope = JSON.stringify({
  file: dataUri('application/pdf', DEED),
  original_name: 'deed.pdf',
  mime_type: 'application/pdf',
})

const outputs = ({ annex }: { annex: string }) => [
  {
    output_key: 'deed',
    name: 'Deed',
    rules: [
      {
        source_connection: { party: 'customer', request_slug: 'deed' },
        condition: { field: 'twice', op: 'gt', value: 10 },
        languages: 'all',
      },
      { asset_key: annex, condition: null, languages: 'all' },
    ],
  },
]

/** One copy for each participant of what the person shares. */
async function staged(runs: Runs, flowId: string): Promise<object> {
  const { service, customer, partner } = runs
  const readers = [
    [service.company.companyId, await service.seal(envelope)],
    [customer.userId, await sealTo(customer.publicKey, envelope)],
    [partner.userId, await sealTo(partner.publicKey, envelope)],
  ] as const
  const source_files: object[] = []
  for (const [for_user_id, value] of readers) {
    const body = { source_user_id: customer.userId, value }
    const { file } = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/run-files`, { body }), 201)
    source_files.push({ source_key: SOURCE, for_user_id, file })
  }
  return { targets: runs.targets, flow_version: 1, source_files }
}

const fields = [{ slug: 'deed', type: 'pdf_document' }]
const shared = [
  {
    slug: 'deed',
    kind: 'typed' as const,
    file: { file: dataUri('application/pdf', DEED), original_name: 'deed.pdf' },
  },
]

test.each(['us', 'customer', 'partner'] as const)(
  'a PDF that a customer shares is copied at the start and filled by %s [FLOW-14] [GEN-21]',
  async (last) => {
    const runs = await openContracts(world, { last, outputs, fields, shared, body: staged })
    const id = await runs.generating()
    const who = last === 'us' ? null : runs[last]
    const calls = who === null ? runs.service.data : who.calls
    const path = who === null ? `${RUNS}/${id}` : pathOf(who, id)
    const { otk, seal } = await underKey()
    const store = async (text: string, source_key = SOURCE) => {
      const body = { source_key, value: await seal(text) }
      return (await bodyOf(calls('POST', `${path}/generate/inputs`, { body }), 201))['input']
    }
    const values = await seal(JSON.stringify(VALUES))
    const mismatch = refused(400, 'flows.generate_inputs_mismatch')
    expect(await runs.generate(id, { otk, values })).toMatchObject(mismatch)
    const elsewhere = async () => ({
      source_key: 'conn:partner:deed',
      input: await store(envelope, 'conn:partner:deed'),
    })
    expect(await runs.generate(id, { otk, values, inputs: [await elsewhere()] })).toMatchObject(mismatch)
    const broken = async () => ({ source_key: SOURCE, input: await store('{}') })
    expect(await runs.generate(id, { otk, values, inputs: [await broken(), await elsewhere()] })).toMatchObject(
      mismatch,
    )
    expect(await runs.generate(id, { otk, values, inputs: [await broken()] })).toMatchObject(
      refused(400, 'flows.source_pdf_invalid'),
    )
    expect(await runs.read(id)).toMatchObject({ status: 'generating' })
    const inputs = [{ source_key: SOURCE, input: await store(envelope) }]
    await bodyOf(runs.generate(id, { otk, values, inputs }))
    const filled = await readPdf(runs.customer, id, 'deed')
    expect(await textOf(filled)).toMatch(/Deed shared by Mara\s+Twice 42\s+Nothing \[ *\]/)
    const ours = await bodyOf(runs.service.data('GET', `${RUNS}/${id}/documents/deed/file`))
    expect(pdfIn(await runs.service.open(ours['value'])).equals(filled)).toBe(true)
  },
)

test('where the customer shares nothing the next rule is used, and no input is asked for [GEN-21]', async () => {
  const runs = await openContracts(world, { last: 'us', outputs, fields })
  const id = await runs.generating()
  const { otk, seal } = await underKey()
  const body = { source_key: SOURCE, value: await seal(envelope) }
  const { input } = await bodyOf(runs.service.data('POST', `${RUNS}/${id}/generate/inputs`, { body }), 201)
  const values = await seal(JSON.stringify(VALUES))
  expect(await runs.generate(id, { otk, values, inputs: [{ source_key: SOURCE, input }] })).toMatchObject(
    refused(400, 'flows.generate_inputs_mismatch'),
  )
  await bodyOf(runs.generate(id, await handOver(VALUES)))
  expect(await textOf(await readPdf(runs.customer, id, 'deed'))).toMatch(/Annex R-7/)
})

test('the rule of a shared PDF is passed over when its condition fails, but its input is still handed over', async () => {
  const runs = await openContracts(world, { last: 'us', outputs, fields, shared, body: staged })
  const id = await runs.generating()
  const { otk, seal } = await underKey()
  const body = { source_key: SOURCE, value: await seal(envelope) }
  const { input } = await bodyOf(runs.service.data('POST', `${RUNS}/${id}/generate/inputs`, { body }), 201)
  const values = await seal(JSON.stringify({ ...VALUES, amount: '2' }))
  expect(await runs.generate(id, { otk, values })).toMatchObject(refused(400, 'flows.generate_inputs_mismatch'))
  await bodyOf(runs.generate(id, { otk, values, inputs: [{ source_key: SOURCE, input }] }))
  expect(await textOf(await readPdf(runs.customer, id, 'deed'))).toMatch(/Annex R-7/)
})
