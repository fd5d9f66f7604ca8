import { createHash } from 'node:crypto'
import { createCryptoPlatform, generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import { openFolder, runTool } from '@sealpost/pdf/testing'
import { bodyOf, flowAuthor, openFileCopy, type openWorld, underOneTimeKey } from '@sealpost/testkit'
import { expect } from 'vitest'
import { pdfWith, upload } from '../../flows/testing/assets.ts'
import { type Bound, openRuns, pathOf, RUNS, type Runs, type SharingWish } from './runs.ts'

type World = Awaited<ReturnType<typeof openWorld>>
type Body = Readonly<Record<string, unknown>>

const platform = createCryptoPlatform(globalThis)

function field(slug: string, field_type = 'text', required = true) {
  return { kind: 'field', slug, field_type, label: slug, required }
}

const TWICE = {
  key: 'twice',
  label: 'Twice',
  result_type: 'number',
  shown_on: [],
  expr: {
    type: 'math',
    op: 'mul',
    args: [
      { type: 'ref', key: 'amount' },
      { type: 'lit', value_type: 'number', value: 2 },
    ],
  },
}

export interface Templates {
  readonly german: string
  readonly english: string
  readonly annex: string
}

/** The line of the two outputs: customer signs, us sign, partner accepts, customer accepts, us sign. */
export const CONTRACT_SIGNERS = [
  { party: 'customer', action: 'sign' },
  { party: 'partner', action: 'accept' },
  { party: 'us', action: 'sign' },
]
export const ANNEX_SIGNERS = [
  { party: 'us', action: 'sign' },
  { party: 'customer', action: 'accept' },
]

export function outputsOf({ german, english, annex }: Templates) {
  const over = { field: 'twice', op: 'gt', value: 10 }
  return [
    {
      output_key: 'contract',
      name: 'Contract',
      rules: [
        { asset_key: german, condition: null, languages: ['de'], signers: CONTRACT_SIGNERS },
        { asset_key: english, condition: null, languages: 'all', signers: CONTRACT_SIGNERS },
      ],
    },
    {
      output_key: 'annex',
      name: 'Annex',
      rules: [{ asset_key: annex, condition: over, languages: 'all', signers: ANNEX_SIGNERS }],
    },
  ]
}

/** The owner asks an amount, a person a name; the step of `last` ends it with two documents. */
export function contractFlow(outputs: readonly object[], last: 'us' | 'customer' | 'partner' = 'partner') {
  return {
    entry: 'ask',
    output_mode: 'document',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
      { key: 'partner', label: 'Partner', type: 'company' },
    ],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount', 'number')] },
      { key: 'tell', party: 'customer', title: 'About you', elements: [field('nick')] },
      {
        key: 'end',
        party: last,
        title: 'Contract',
        elements: [field('reference')],
        language_party: 'customer',
        outputs,
      },
    ],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'end', sort: 0, condition: null },
    ],
    constants: [TWICE],
  }
}

export const VALUES = { amount: '21', nick: 'Mara', reference: 'R-7' }

export interface ContractWish extends SharingWish {
  readonly last?: 'us' | 'customer' | 'partner'
  readonly outputs?: (templates: Templates) => readonly object[]
  readonly definition?: (definition: ReturnType<typeof contractFlow>) => object
  /** The body of a start; the targets alone unless told. */
  readonly body?: (runs: Runs, flowId: string) => Promise<object>
}

/** A service in eu, a person and a company in us, and a published flow of two documents. */
export async function openContracts(world: World, wish: ContractWish = {}) {
  const { last = 'partner', outputs = outputsOf, definition = (one) => one } = wish
  const runs = await openRuns(world, undefined, wish)
  const author = flowAuthor(runs.service)
  const draft = await author.create()
  const templates = {
    german: await upload(author, draft.flowId, undefined, pdfWith('Vertrag mit {{nick}}', 'Doppelt: {{twice}}')),
    english: await upload(author, draft.flowId, undefined, pdfWith('Contract with {{nick}}', 'Twice: {{twice}}')),
    annex: await upload(author, draft.flowId, undefined, pdfWith('Annex {{reference}}', 'Unknown: [{{other}}]')),
  }
  const flow = await author.save(draft, definition(contractFlow(outputs(templates), last)))
  await author.publish(flow)
  const { flowId } = flow
  const bodyOfStart = wish.body ?? (() => Promise.resolve({ targets: runs.targets }))
  const start = async (given?: object) => {
    const body = given ?? (await bodyOfStart(runs, flowId))
    return runs.service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body })
  }

  const answerLast = (id: string) => {
    const answers = { reference: VALUES.reference }
    if (last === 'us') return runs.answer(id, answers, { leaf: true })
    return runs.answerAs(last === 'customer' ? runs.customer : runs.partner, id, answers, { leaf: true })
  }
  const arrived = (who: Bound, id: string, status: string) =>
    expect.poll(async () => (await runs.readAs(who, id)).body['status']).toBe(status)

  /** A run whose last step is answered. */
  const generating = async (): Promise<string> => {
    const id = String((await bodyOf(start(), 201))['id'])
    await bodyOf(runs.answer(id, { amount: VALUES.amount }, { next_node: 'tell' }))
    await arrived(runs.customer, id, 'awaiting_customer')
    await bodyOf(runs.answerAs(runs.customer, id, { nick: VALUES.nick }, { next_node: 'end' }))
    const wanted = `awaiting_${last}`
    for (const who of [runs.customer, runs.partner]) await arrived(who, id, wanted)
    expect(await bodyOf(answerLast(id))).toMatchObject({ status: 'generating' })
    return id
  }
  const generate = (id: string, body: object) =>
    last === 'us'
      ? runs.service.data('POST', `${RUNS}/${id}/generate`, { body })
      : generateAs(last === 'customer' ? runs.customer : runs.partner, id, body)

  /** A run whose documents have arrived everywhere. */
  const signing = async (): Promise<string> => {
    const id = await generating()
    await bodyOf(generate(id, await handOver(VALUES)))
    for (const who of [runs.customer, runs.partner]) await arrived(who, id, 'awaiting_signature')
    return id
  }
  const customer: Reader = { ...runs.customer, user: runs.person.user }
  const partner: Reader = { ...runs.partner, user: runs.other.user }
  return { ...runs, customer, partner, flowId, start, templates, generating, generate, signing, arrived }
}

export type Contracts = Awaited<ReturnType<typeof openContracts>>

export function generateAs(who: Bound, id: string, body: object) {
  return who.calls('POST', `${pathOf(who, id)}/generate`, { body })
}

/** Values and other texts under one fresh key. */
export async function underKey() {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  const seal = (text: string) => sealOnce(platform, key.value, Uint8Array.from(Buffer.from(text)))
  return { otk: otk.reveal(), seal }
}

export async function handOver(values: unknown, inputs?: readonly object[]) {
  const { otk, seal } = await underKey()
  return { otk, values: await seal(JSON.stringify(values)), ...(inputs === undefined ? {} : { inputs }) }
}

/** A copy of a participant as its list in the run names it. */
export interface Listed {
  readonly output_key: string
  readonly party_key: string
  readonly document_id: string
  readonly document_status: string
  readonly position: number | null
  readonly action: string | null
  readonly acted_at: string | null
}

/** All copies of a run as a reader of it sees them. */
export function copiesIn(run: Body): readonly Listed[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the answer
  const participants = run['participants'] as readonly { party_key: string; documents: readonly Listed[] }[]
  return participants.flatMap(({ party_key, documents }) => documents.map((one) => ({ ...one, party_key })))
}

export function copyOf(run: Body, party: string, output: string): Listed {
  const found = copiesIn(run).find((one) => one.party_key === party && one.output_key === output)
  if (found === undefined) throw new Error(`the run has no copy of ${output} for ${party}`)
  return found
}

/** The open step, by party and output; null when there is none. */
export function openStep(run: Body): { readonly party: string; readonly output: string } | null {
  const open = copiesIn(run).filter(
    ({ document_status: status }) => status === 'ready_to_sign' || status === 'offering',
  )
  expect(open.length).toBeLessThan(2)
  return open[0] === undefined ? null : { party: open[0].party_key, output: open[0].output_key }
}

export function documentPath({ connectionId }: Pick<Bound, 'connectionId'>, id: string): string {
  return `/api/company-connections/${connectionId}/documents/${id}`
}

export function ownerPath(serviceId: string, runId: string, output: string): string {
  return `/api/portal/services/${serviceId}/flow-runs/${runId}/documents/${output}`
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The text of a PDF as another program reads it. */
export async function textOf(pdf: Uint8Array): Promise<string> {
  const { code, output } = await runTool('pdftotext', '-layout', openFolder().write('one.pdf', pdf), '-')
  expect(code).toBe(0)
  return output
}

/** The PDF in the own copy of a customer. */
export async function readPdf(who: Reader, runId: string, output: string): Promise<Buffer> {
  const path = `${pathOf(who, runId)}/documents/${output}/file`
  await expect.poll(async () => (await who.calls('GET', path)).status).toBe(200)
  return openFileCopy(who.user, String((await bodyOf(who.calls('GET', path)))['value']))
}

/** A customer who can open its copies. */
export interface Reader extends Bound {
  readonly user: Parameters<typeof openFileCopy>[0]
}

/** The PDF in an opened envelope. */
export function pdfIn(envelope: string): Buffer {
  return Buffer.from(/;base64,([A-Za-z0-9+/=]*)"/.exec(envelope)?.[1] ?? '', 'base64')
}

/** What a signer sends with any act. */
export async function signedWith(content: string, pdf: Uint8Array) {
  return { content_sha256: content, plain_sha256: sha256(pdf), ...(await underOneTimeKey(pdf)) }
}
