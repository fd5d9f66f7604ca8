import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { openFolder, runTool } from '@sealpost/pdf/testing'
import { isSealpostError } from '@sealpost/sdk'
import { flowAuthor, openWorld, scaled, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openFlowParties } from './parties.ts'

const SOON = { timeout: scaled(20_000) }
const page = (text: string) => templatePdf({ contents: [textAt(60, 760, `(${text}) Tj`)] })
const pdf = (bytes: Uint8Array, originalName: string) => ({
  value: { file: { bytes, mimeType: 'application/pdf', originalName } },
})
const PROOF = pdf(page('Income of {{nick}}, {{amount}}, {{reference}}'), 'proof.pdf')
const DEED = pdf(page('Deed of {{nick}} and {{reference}}'), 'deed.pdf')

const field = (slug: string, field_type = 'text') => ({ kind: 'field', slug, field_type, label: slug, required: true })
const rule = { condition: null, languages: 'all' }
const definition = (last: 'us' | 'customer' | 'guarantor') => ({
  entry: 'ask',
  output_mode: 'document',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
    { key: 'guarantor', label: 'Guarantor', type: 'company' },
  ],
  nodes: [
    { key: 'ask', party: 'us', title: '', elements: [field('amount', 'number')] },
    { key: 'tell', party: 'customer', title: '', elements: [field('nick'), field('proof', 'pdf_document')] },
    {
      key: 'end',
      party: last,
      title: '',
      elements: [field('reference')],
      language_party: 'us',
      outputs: [
        { output_key: 'proof', name: 'Proof', rules: [{ source_field: 'proof', ...rule }] },
        {
          output_key: 'deed',
          name: 'Deed',
          rules: [{ source_connection: { party: 'customer', request_slug: 'deed' }, ...rule }],
        },
      ],
    },
  ],
  edges: [
    { from: 'ask', to: 'tell', sort: 0, condition: null },
    { from: 'tell', to: 'end', sort: 0, condition: null },
  ],
  constants: [],
})

const world = await openWorld()
const parties = await openFlowParties(world)
const { client, key, app, desk, targets, soon, asPerson, asCompany, service } = parties
await app.connections.remap(parties.ofPerson, { deed: DEED })
await waitUntil('the deed is shared', 20_000, async () => {
  return (await client.connections.get(parties.ofPerson)).values['deed']?.value_url !== undefined
})

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await runTool('pdftotext', openFolder().write('one.pdf', bytes), '-')).output.trim()
}

/** A run up to its last step, as the party of that step sees it. */
async function beforeLast(last: 'us' | 'customer' | 'guarantor'): Promise<string> {
  const { flowId } = await flowAuthor(service).published(definition(last))
  const { id } = await client.flows.start(flowId, { targets }, key)
  await client.flows.answer(id, { amount: { value: 21 } }, key)
  const there = () => app.flows.get(parties.ofPerson, id).catch(() => null)
  await expect.poll(there, SOON).not.toBeNull()
  await app.flows.waitForTurn(asPerson(id), soon)
  await app.flows.answer(asPerson(id), { nick: { value: 'Mara' }, proof: PROOF })
  return id
}

const reference = { reference: { value: 'R-7' } }
const acts = {
  us: {
    answer: (id: string) => client.flows.answer(id, reference, key),
    generate: (id: string) => client.flows.generate(id, key),
  },
  customer: {
    answer: (id: string) => app.flows.answer(asPerson(id), reference),
    generate: (id: string) => app.flows.generate(asPerson(id)),
  },
  // The bank acts by an account client.
  guarantor: {
    async answer(id: string) {
      await expect.poll(() => desk.flows.get(parties.ofCompany, id).catch(() => null), SOON).not.toBeNull()
      await desk.flows.waitForTurn(asCompany(id), soon)
      return desk.flows.answer(asCompany(id), reference)
    },
    generate: (id: string) => desk.flows.generate(asCompany(id)),
  },
} as const

test.each([
  ['us', ''],
  ['customer', ' [GEN-29]'],
  ['guarantor', ' [GEN-29]'],
] as const)('the documents are made by %s from its own copies, and by no other party%s', async (last, _rule) => {
  const id = await beforeLast(last)
  await expect(acts[last].generate(id)).rejects.toMatchObject({ reason: 'not_generating' })
  expect(await acts[last].answer(id)).toMatchObject({ status: 'generating' })
  for (const other of ['us', 'customer', 'guarantor'] as const) {
    if (other === last) continue
    const refused = () => acts[other].generate(id).catch((error: unknown) => error)
    await expect.poll(refused, SOON).toMatchObject({ reason: 'not_the_generator' })
  }
  const [made, again] = await Promise.all([acts[last].generate(id), acts[last].generate(id)])
  expect(again).toEqual(made)
  expect(await acts[last].generate(id)).toEqual(made)
  expect(made.documents).toHaveLength(6)
  const run = await client.flows.get(id)
  expect(client.flows.openStep(run)).toMatchObject({ position: 1, party: 'us', outputKey: 'proof', isOwn: true })
  const files = {
    proof: 'Income of Mara, 21, R-7',
    deed: 'Deed of Mara and R-7',
  } as const
  for (const [output, text] of Object.entries(files)) {
    const { file, plainSha256, contentSha256 } = await client.flows.openDocument(id, output, key)
    expect(await textOf(file.bytes)).toBe(text)
    expect(file.originalName).toBe(`${output === 'proof' ? 'Proof' : 'Deed'}.pdf`)
    const copy = run.participants.find(({ party_key: party }) => party === 'us')?.documents
    const own = copy?.find((one) => one.output_key === output)?.document_id ?? ''
    expect(await client.documents.get(own)).toMatchObject({
      plain_sha256: plainSha256,
      content_sha256: contentSha256,
    })
    for (const [who, name] of [
      [app, asPerson(id)],
      [desk, asCompany(id)],
    ] as const) {
      const theirs = async () => {
        const opened = await who.flows.openDocument(await who.flows.get(name.connection_id, id), output)
        return Buffer.from(opened.file.bytes).equals(file.bytes)
      }
      await expect.poll(() => theirs().catch(() => false), SOON).toBe(true)
    }
  }
})

test('a program reads the copies of its company and is refused as a signer', async () => {
  const id = await beforeLast('us')
  await acts.us.answer(id)
  await acts.us.generate(id)
  const theirs = async () => (await desk.flows.get(parties.ofCompany, id).catch(() => null))?.status
  await expect.poll(theirs, SOON).toBe('awaiting_signature')
  const run = await desk.flows.get(parties.ofCompany, id)
  expect((await desk.flows.signingSteps(run)).filter(({ isOwn }) => isOwn).map(({ position }) => position)).toEqual([
    5, 6,
  ])
  const opened = await desk.flows.openDocument(run, 'proof')
  const refused = await desk.documents.sign(opened, { method: 'custodian' }).catch((error: unknown) => error)
  expect(isSealpostError(refused, 'documents.human_required')).toBe(true)
  await expect(client.flows.openDocument(id, 'nothing', key)).rejects.toMatchObject({ key: 'flows.no_document' })
})
