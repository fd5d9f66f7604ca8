import {
  createCryptoPlatform,
  generateOneTimeKey,
  importOneTimeKey,
  importOpeningKey,
  sealOnce,
} from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { templatePdf, textAt } from '@sealpost/pdf-format/testing'
import { askToken, dataUri, listOf, logIn, membersOf, northwind, waitUntil } from '@sealpost/testkit'
import { sealTagValues } from '../model/flows/tag-values.ts'
import { type ModelUser, modelUser } from '../model/flows/user.ts'
import { type Send, sender } from './documents-stage.ts'
import type { Recorder } from './recorder.ts'
import type { Piece } from './search.ts'
import type { runMarks } from './sharing-marks.ts'
import type { SharingSite } from './sharing-stage.ts'

const platform = createCryptoPlatform(globalThis)
const ARRIVAL_MS = 20_000
const RUNS = '/api/company-data/flow-runs'

type Marks = ReturnType<typeof runMarks>

const FLOW = {
  entry: 'offer',
  output_mode: 'document',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [
    { key: 'offer', party: 'us', title: 'Offer', elements: [field('run_offer', 'text')] },
    {
      key: 'wish',
      party: 'customer',
      title: 'Wish',
      elements: [
        { kind: 'text', body: 'Dear {{customer.name}}, {{customer.note}}' },
        field('run_wish', 'text'),
        field('run_secret', 'text'),
        field('run_deed', 'pdf_document'),
      ],
      language_party: 'us',
      outputs: [
        {
          output_key: 'deed',
          name: 'Deed',
          rules: [{ source_field: 'run_deed', condition: null, languages: 'all' }],
        },
      ],
    },
  ],
  edges: [{ from: 'offer', to: 'wish', sort: 0, condition: null }],
  constants: [],
}

function field(slug: string, field_type: string) {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}

/** What was played: everything that the two have opened, and the key under which the answers were handed over. */
export interface PlayedRun {
  readonly opened: readonly Piece[]
  readonly oneTimeKey: string
}

/** A company and a person take their turns in a run; the person makes its document. */
export async function playRun(
  site: SharingSite,
  recorder: Recorder,
  connectionId: string,
  marks: Marks,
): Promise<PlayedRun> {
  const { installation } = recorder
  const author = { email: northwind.email, authVerifier: northwind.login.authVerifier }
  const portal = sender({ recorder }, 'the company', await logIn(installation, author))
  const { body: login } = await askToken(installation, site.raw.clientId, site.raw.clientSecret)
  const service = sender({ recorder }, 'the service', {
    token: String(login['access_token']),
    apiUrl: String(login['api_url']),
  })
  const person = sender({ recorder }, 'the person', site.session)
  const readers = await readersOf(site, service)
  const flowId = await publish(portal, site.serviceId)
  const runId = await start(service, flowId, connectionId, { ...readers, marks })
  await service('POST', `${RUNS}/${runId}/answers`, {
    answers: [{ slug: 'run_offer', values: await copies(readers.all, marks.offer) }],
    next_node: 'wish',
  })
  const path = `/api/company-connections/${connectionId}/flow-runs/${runId}`
  const arrived = async (status: string): Promise<boolean> => (await person('GET', path))['status'] === status
  await waitUntil('the turn arrives', ARRIVAL_MS, () => arrived('awaiting_customer'))
  await answerAsPerson(person, path, readers.all, marks)
  const oneTimeKey = await generate(person, path, marks)
  return { opened: await openAll({ service, person }, { path, runId }, readers), oneTimeKey }
}

interface Readers {
  readonly company: ModelUser
  readonly customer: ModelUser
  readonly all: readonly ModelUser[]
}

/** The keys as the service gets them; the private halves are those of the site. */
async function readersOf({ servicePrivateKey, personPrivateKey, raw }: SharingSite, service: Send): Promise<Readers> {
  const ids = [northwind.companyId, raw.user.userId]
  const keys = membersOf((await service('POST', '/api/keys/batch', { user_ids: ids }))['keys'])
  const reader = async (userId: string, privateKey: Uint8Array): Promise<ModelUser> => {
    const opening = await importOpeningKey(platform, new Secret(new Uint8Array(privateKey)))
    if (!opening.ok) throw new Error('a reader has no key')
    return modelUser(userId, String(keys[userId]), opening.value)
  }
  const company = await reader(northwind.companyId, servicePrivateKey)
  const customer = await reader(raw.user.userId, personPrivateKey)
  return { company, customer, all: [company, customer] }
}

async function publish(portal: Send, serviceId: string): Promise<string> {
  const path = `/api/portal/services/${serviceId}/flows`
  const made = await portal('POST', path, { name: 'A planted flow', definition: FLOW })
  await portal('POST', `${path}/${String(made['id'])}/publish`, { draft_token: made['draft_token'] })
  return String(made['id'])
}

async function start(
  service: Send,
  flowId: string,
  connectionId: string,
  { company, customer, marks }: Readers & { readonly marks: Marks },
): Promise<string> {
  const { userId } = customer
  const tag_values = await sealTagValues(
    company,
    [customer],
    [
      { tag: 'customer.name', userId, text: marks.shown, isPrivate: false },
      { tag: 'customer.note', userId, text: marks.shownPrivately, isPrivate: true },
    ],
  )
  const body = { target: { connection_id: connectionId }, flow_version: 1, tag_values }
  return String((await service('POST', `/api/company-data/flows/${flowId}/runs`, body))['id'])
}

async function copies(readers: readonly ModelUser[], text: string) {
  return Promise.all(readers.map(async (one) => ({ for_user_id: one.userId, value: await one.seal(text) })))
}

function deedPdf({ deed }: Marks): Uint8Array {
  return templatePdf({ contents: [textAt(60, 760, `(${deed}) Tj`)] })
}

function deedOf(marks: Marks): string {
  const bytes = deedPdf(marks)
  return JSON.stringify({
    file: dataUri('application/pdf', bytes),
    original_name: marks.deedName,
    mime_type: 'application/pdf',
    size: bytes.length,
  })
}

/** Hands the answers and the file over under a fresh key, which the answer is. */
async function generate(person: Send, path: string, marks: Marks): Promise<string> {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  const seal = (text: string) => sealOnce(platform, key.value, Uint8Array.from(Buffer.from(text)))
  const source_key = 'field:run_deed'
  const { input } = await person('POST', `${path}/generate/inputs`, { source_key, value: await seal(deedOf(marks)) })
  const values = JSON.stringify({ run_offer: marks.offer, run_wish: marks.wish, run_secret: marks.secretWish })
  const body = { otk: otk.reveal(), values: await seal(values), inputs: [{ source_key, input }] }
  const { status } = await person('POST', `${path}/generate`, body)
  if (status !== 'awaiting_signature') throw new Error(`the documents are not made: ${String(status)}`)
  return otk.reveal()
}

async function answerAsPerson(person: Send, path: string, readers: readonly ModelUser[], marks: Marks): Promise<void> {
  const files: { for_user_id: string; value: string }[] = []
  for (const copy of await copies(readers, deedOf(marks))) {
    const { file } = await person('POST', `${path}/answer-files`, { slug: 'run_deed', ...copy })
    files.push({ for_user_id: copy.for_user_id, value: JSON.stringify({ _enc_file: file }) })
  }
  await person('POST', `${path}/answers`, {
    answers: [
      { slug: 'run_wish', values: await copies(readers, marks.wish) },
      { slug: 'run_secret', values: await copies(readers, marks.secretWish), source_private: true },
      { slug: 'run_deed', values: files },
    ],
    leaf: true,
  })
}

/** Everything that the two can open at the end. */
async function openAll(
  { service, person }: { readonly service: Send; readonly person: Send },
  { path, runId }: { readonly path: string; readonly runId: string },
  { company, customer }: Readers,
): Promise<readonly Piece[]> {
  const ours = await service('GET', `${RUNS}/${runId}`)
  const theirs = await person('GET', path)
  const slot = await service('GET', `${RUNS}/${runId}/slots/run_deed/file`)
  const reference = listOf(theirs['answers']).find(({ slug }) => slug === 'run_deed')
  const { _enc_file: file } = membersOf(JSON.parse(String(reference?.['value'])))
  const copy = await person('GET', `${path}/answer-files/${String(file)}`)
  const pieces: Piece[] = []
  for (const [reader, run, deed] of [
    [company, ours, String(slot['value'])],
    [customer, theirs, JSON.stringify(copy)],
  ] as const) {
    const { public: open, private: closed } = membersOf(run['tag_values'])
    const sealed = [
      ...listOf(run['answers']).map(({ value }) => value),
      open,
      ...Object.values(membersOf(closed)),
      deed,
    ]
    for (const wrapper of sealed) {
      const text = await reader.open(String(wrapper))
      if (text !== null) pieces.push({ place: `opened by ${reader.userId}`, content: text })
    }
  }
  return pieces
}
