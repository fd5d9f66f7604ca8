import { beforeAll, expect, test } from 'vitest'
import { fakeTime, refusal } from '../../test/stub-platform.ts'
import {
  COMPANY,
  CONNECTION,
  copyFor,
  definition,
  field,
  FLOW,
  newUser,
  PARTNER,
  PERSON,
  postedTo,
  RUN,
  runRoutes,
  runWith,
  type RunUser,
  SERVICE,
} from '../../test/stub-run.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { fileReply, newServiceKey, startStubService } from '../../test/stub-service.ts'
import { FlowError, KeyChangedError, PublicKey, type RunProgress, type ServiceKey } from '../index.ts'

const SUBMIT = '/answers'
const ref = (key: string) => ({ type: 'ref', key })
const number = (value: number) => ({ type: 'lit', value_type: 'number', value })

let service: { readonly key: ServiceKey; readonly seal: (text: string) => Promise<string> }
let person: RunUser
let partner: RunUser

beforeAll(async () => {
  service = await newServiceKey()
  ;[person, partner] = [await newUser(), await newUser()]
})

const keys = () => ({ [PERSON]: person.publicKey, [PARTNER]: partner.publicKey })

function startRuns(run: () => object, others?: (received: Received) => Reply | null, more: object = {}) {
  return startStubService(runRoutes(keys(), run, others), more)
}

/** `amount` was answered before; the step asks for a note. Above 100 it goes to `large`, above 10 to `middle`. */
const routing = definition({
  nodes: [
    { key: 'before', party: 'customer', title: '', elements: [field('amount', { field_type: 'number' })] },
    { key: 'first', party: 'us', title: 'Note', elements: [field('note')] },
    { key: 'middle', party: 'partner', title: '', elements: [] },
    { key: 'large', party: 'customer', title: 'Large', elements: [] },
  ],
  edges: [
    { from: 'first', to: 'middle', sort: 2, condition: { field: 'double', op: 'gt', value: 10 } },
    { from: 'first', to: 'large', sort: 1, condition: { field: 'double', op: 'gt', value: 100 } },
  ],
  constants: [
    {
      key: 'double',
      label: '',
      result_type: 'number',
      expr: { type: 'math', op: 'mul', args: [ref('amount'), number(2)] },
      shown_on: ['first'],
    },
  ],
})

async function routed(amount: string) {
  const answers = [
    { slug: 'amount', for_user_id: COMPANY, value: await service.seal(amount) },
    { slug: 'amount', for_user_id: PERSON, value: 'not ours' },
  ]
  await using stub = await startRuns(() => runWith(routing, { answers }))
  await stub.client.flows.answer(RUN, { note: { value: 'seen' } }, service.key)
  const [submitted] = postedTo(stub.region.received, SUBMIT)
  return submitted
}

test('a turn opens the own copies, computes constants, takes the first edge that holds and seals for all', async () => {
  const submitted = await routed('51')
  expect(submitted).toMatchObject({ next_node: 'large' })
  expect(submitted).not.toHaveProperty('leaf')
  expect(submitted?.answers.map(({ slug, source_private: isPrivate }) => [slug, isPrivate])).toEqual([['note', false]])
  expect(await service.key.open(copyFor(submitted, 'note', COMPANY))).toBe('seen')
  expect(await person.key.open(copyFor(submitted, 'note', PERSON))).toBe('seen')
  expect(await partner.key.open(copyFor(submitted, 'note', PARTNER))).toBe('seen')
  expect(submitted?.answers[0]?.values).toHaveLength(3)
  expect(await routed('50')).toMatchObject({ next_node: 'middle' })
  const ended = await routed('5')
  expect(ended).toMatchObject({ leaf: true })
  expect(ended).not.toHaveProperty('next_node')
})

test('the step is described with its texts, constants, problems and the next step', async () => {
  const { nodes } = routing
  const text = { kind: 'text', body: '[b]{{customer.name}}[/b] of {{us.city}}, {{us.none}}: {{amount}}' }
  const pinned = { ...routing, nodes: nodes.map((node) => ({ ...node, elements: [text, ...node.elements] })) }
  const tag_values = {
    public: await service.seal('{}'),
    public_tags: [],
    private: { 'customer.name': await service.seal('{"v":"Mara","t":"text"}') },
  }
  const members = {
    answers: [{ slug: 'amount', for_user_id: COMPANY, value: await service.seal('60') }],
    tag_values,
    owner_tag_values: { 'us.city': { v: 'Bern', t: 'text' } },
  }
  await using stub = await startRuns(() => runWith(pinned, members))
  const step = await stub.client.flows.step(RUN, service.key)
  expect(step).toMatchObject({
    key: 'first',
    party: 'us',
    elements: [{ kind: 'text', text: 'Mara of Bern, –: 60' }, { kind: 'field', slug: 'note', text: null }],
    constants: [{ key: 'double', label: 'double', text: '120' }],
    problems: [{ slug: 'note', reason: 'missing' }],
    next: { kind: 'step', key: 'large', title: 'Large', party: 'customer' },
  })
  expect(postedTo(stub.region.received, SUBMIT)).toEqual([])
})

test('a run is routed by its own definition, and today is its reference date', async () => {
  const since = { type: 'datediff', unit: 'days', from: ref('born'), to: { type: 'today' } }
  const older = { field: 'age', op: 'gt', value: 10 }
  const pinned = definition({
    nodes: [
      { key: 'first', party: 'us', title: '', elements: [field('born', { field_type: 'date' })] },
      { key: 'old', party: 'us', title: '', elements: [] },
      { key: 'young', party: 'us', title: '', elements: [] },
    ],
    edges: [
      { from: 'first', to: 'old', sort: 0, condition: older },
      { from: 'first', to: 'young', sort: 1, condition: null },
    ],
    constants: [{ key: 'age', label: '', result_type: 'number', expr: since, shown_on: [] }],
  })
  const newer = definition({ ...pinned, edges: [{ from: 'first', to: 'old', sort: 0, condition: null }] })
  const published = { version: 4, definition: newer, request_field_types: {} }
  // A day on which the person is old enough: only the reference date says otherwise.
  const clock = { now: () => Date.UTC(2027, 0, 1) }
  await using stub = await startRuns(
    () => runWith(pinned),
    ({ path }) => (path.endsWith('/published') ? { status: 200, json: published } : null),
    { clock },
  )
  await stub.client.flows.answer(RUN, { born: { value: '2026-04-25' } }, service.key)
  await stub.client.flows.answer(RUN, { born: { value: '2026-04-15' } }, service.key)
  expect(postedTo(stub.region.received, SUBMIT).map(({ next_node: next }) => next)).toEqual(['young', 'old'])
})

const form = definition({
  nodes: [
    {
      key: 'first',
      party: 'us',
      title: '',
      elements: [
        field('count', { field_type: 'number', max: number(10) }),
        field('color', { field_type: 'select', required: false, options: [{ value: 'red', label: 'Red' }] }),
        field('why', { show_if: { field: 'color', op: 'eq', value: 'red' } }),
        field('price', {
          field_type: 'decimal',
          required: false,
          default: { type: 'math', op: 'div', args: [ref('count'), number(3)] },
        }),
        field('total', { field_type: 'number', required: false, default: ref('price') }),
        field('mail', { field_type: 'email', required: false }),
      ],
    },
  ],
})

test('answers that do not fit are refused with all their problems, and nothing is sent', async () => {
  await using stub = await startRuns(() => runWith(form))
  const answers = { count: { value: 11 }, color: { value: 'blue' }, mail: { value: 'no address' } }
  const error = await stub.client.flows.answer(RUN, answers, service.key).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(FlowError)
  const reasons = (error as FlowError).problems.map(({ slug, reason }) => `${slug} ${reason}`)
  expect(reasons).toEqual(['count above_max', 'color option_closed', 'mail value_invalid'])
  expect(String(error)).not.toContain('no address')
  await expect(stub.client.flows.answer(RUN, { nothing: { value: 'x' } }, service.key)).rejects.toThrow(
    'step first does not ask for nothing; it asks for count, color, why',
  )
  await expect(stub.client.flows.answer(RUN, { count: { from: FLOW } }, service.key)).rejects.toThrow('give {value}')
  expect(postedTo(stub.region.received, SUBMIT)).toEqual([])
})

test('defaults are filled in, hidden answers are left out, null stays empty', async () => {
  await using stub = await startRuns(() => runWith(form))
  const { flows } = stub.client
  await flows.answer(RUN, { count: { value: 4 }, why: { value: 'never asked' } }, service.key)
  await flows.answer(RUN, { count: { value: 4 }, price: null, color: { value: 'red' }, why: { value: 'x' } }, service.key)
  const [first, second] = postedTo(stub.region.received, SUBMIT)
  const slugs = (one: typeof first) => one?.answers.map(({ slug }) => slug)
  expect([slugs(first), slugs(second)]).toEqual([
    ['count', 'price', 'total'],
    ['count', 'color', 'why'],
  ])
  expect(await service.key.open(copyFor(first, 'price', COMPANY))).toBe('1.33')
  expect(await service.key.open(copyFor(first, 'total', COMPANY))).toBe('1.33')
})

test('an answer is private when it is said so, or when its default reads a private one', async () => {
  const pinned = definition({
    nodes: [
      { key: 'before', party: 'customer', title: '', elements: [field('income', { field_type: 'number' })] },
      {
        key: 'first',
        party: 'us',
        title: '',
        elements: [field('limit', { field_type: 'number', default: ref('income') }), field('note'), field('open')],
      },
    ],
    edges: [{ from: 'before', to: 'first', sort: 0, condition: null }],
  })
  const answers = [{ slug: 'income', for_user_id: COMPANY, value: await service.seal('10') }]
  await using stub = await startRuns(() => runWith(pinned, { answers, private_slugs: ['income'] }))
  await stub.client.flows.answer(RUN, { note: { value: 'x', private: true }, open: { value: 'y' } }, service.key)
  const [submitted] = postedTo(stub.region.received, SUBMIT)
  expect(submitted?.answers.map(({ slug, source_private: isPrivate }) => [slug, isPrivate])).toEqual([
    ['limit', true],
    ['note', true],
    ['open', false],
  ])
})

const upload = definition({
  nodes: [
    {
      key: 'first',
      party: 'us',
      title: '',
      elements: [field('proof', { field_type: 'document', max_mb: 1 }), field('note')],
    },
    { key: 'with', party: 'us', title: '', elements: [] },
  ],
  edges: [{ from: 'first', to: 'with', sort: 0, condition: { field: 'proof', op: 'answered' } }],
})
const PROOF = { bytes: Buffer.from('proof'), mimeType: 'application/pdf', originalName: 'proof.pdf' }

test('a file is sealed and uploaded once per participant, and named by its handles', async () => {
  await using stub = await startRuns(() => runWith(upload))
  await stub.client.flows.answer(RUN, { proof: { value: { file: PROOF } }, note: { value: 'x' } }, service.key)
  const uploads = postedTo<{ slug: string; for_user_id: string; value: string }>(stub.region.received, '/answer-files')
  expect(uploads.map(({ slug, for_user_id: forUser }) => [slug, forUser])).toEqual([
    ['proof', COMPANY],
    ['proof', PERSON],
    ['proof', PARTNER],
  ])
  expect(await person.key.open(uploads[1]?.value ?? '')).toContain('"original_name":"proof.pdf"')
  const [submitted] = postedTo(stub.region.received, SUBMIT)
  expect(submitted?.next_node).toBe('with')
  const named = [COMPANY, PERSON, PARTNER].map((user) => copyFor(submitted, 'proof', user))
  for (const value of named) expect(value).toMatch(/^\{"_enc_file":"af_[0-9a-f]{32}"\}$/)
  expect(new Set(named).size).toBe(3)
})

test('a file above the limit of the field is refused before anything is sent', async () => {
  await using stub = await startRuns(() => runWith(upload))
  const large = { ...PROOF, bytes: new Uint8Array(1_048_577) }
  const sent = stub.client.flows.answer(RUN, { proof: { value: { file: large } }, note: { value: 'x' } }, service.key)
  await expect(sent).rejects.toMatchObject({ problems: [{ slug: 'proof', reason: 'value_invalid' }] })
  expect(stub.region.received.filter(({ method }) => method === 'POST')).toEqual([])
})

test('nothing is sealed to a key that changed, or for a participant that was added', async () => {
  const stranger = await newUser()
  let theirs = person.publicKey
  let bindings: Record<string, string> = { us: COMPANY, customer: PERSON, partner: PARTNER }
  await using stub = await startStubService((received) =>
    runRoutes({ ...keys(), [PERSON]: theirs, [FLOW]: stranger.publicKey }, () => runWith(routing, { bindings, answers: [] }))(
      received,
    ),
  )
  const answer = () => stub.client.flows.answer(RUN, { note: { value: 'x' } }, service.key)
  await answer()
  bindings = { ...bindings, witness: FLOW }
  await expect(answer()).rejects.toMatchObject({ name: 'UntrustedAnswerError', reason: 'run_parties' })
  bindings = { us: COMPANY, customer: PERSON, partner: PARTNER }
  theirs = stranger.publicKey
  await expect(answer()).rejects.toBeInstanceOf(KeyChangedError)
  expect(postedTo(stub.region.received, SUBMIT)).toHaveLength(1)
})

test('an earlier answer that cannot be opened stops the turn: it could lead elsewhere', async () => {
  const sealed = await (await PublicKey.import(person.publicKey)).seal('60')
  const answers = [{ slug: 'amount', for_user_id: COMPANY, value: sealed }]
  await using stub = await startRuns(() => runWith(routing, { answers }))
  const run = await stub.client.flows.get(RUN)
  expect(await stub.client.flows.open(run, service.key)).toMatchObject({ amount: { kind: 'unreadable', party: 'customer' } })
  const sent = stub.client.flows.answer(RUN, { note: { value: 'x' } }, service.key)
  await expect(sent).rejects.toMatchObject({ reason: 'answer_unreadable' })
})

const letter = (version: number) => ({
  version,
  definition: definition({
    parties: definition({}).parties.slice(0, 2),
    nodes: [
      {
        key: 'first',
        party: 'customer',
        title: '',
        elements: [{ kind: 'text', body: version === 1 ? '{{customer.name}}' : '{{customer.name}} {{customer.code}}' }],
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
  }),
  request_field_types: { name: 'text', code: 'text', deed: 'pdf_document' },
})

/** Starts a run of the letter; `versions` are those that the platform has, one per read. */
async function startLetter(versions: readonly number[], starts: readonly Reply[], idempotencyKey?: string) {
  const deed = await service.seal(
    JSON.stringify({ file: 'data:application/pdf;base64,JVBERi0xLjQK', original_name: 'deed.pdf' }),
  )
  const file = fileReply(JSON.stringify({ encrypted: true, value: deed }), 'application/json')
  const url = `/api/company-data/connections/${CONNECTION}/slots/deed/file`
  const connection = {
    id: CONNECTION,
    user_id: PERSON,
    customer_type: 'person',
    values: {
      name: { value: await service.seal('Mara'), live: true },
      code: { value: await service.seal('1234'), live: true },
      deed: { value_url: url, content_sha256: file.headers?.['x-platform-content-sha256'], live: true },
    },
    values_private: { name: false, code: true },
    fields: [
      { slug: 'name', type: 'text' },
      { slug: 'code', type: 'text' },
    ],
  }
  let [reads, started] = [0, 0]
  const stub = await startRuns(
    () => ({}),
    ({ path }) => {
      if (path.endsWith('/published')) return { status: 200, json: letter(versions[reads++] ?? 1) }
      if (path.endsWith('/whoami')) return { status: 200, json: { company_user_id: COMPANY, service_id: SERVICE } }
      if (path === url) return file
      if (path.includes('/connections/')) return { status: 200, json: connection }
      return path.endsWith('/runs') ? (starts[started++] ?? { status: 500 }) : null
    },
  )
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  const run = await stub.client.flows
    .start(FLOW, { target: { connection_id: CONNECTION } }, service.key, options)
    .catch((error: unknown) => error)
  await stub[Symbol.asyncDispose]()
  const posts = stub.region.received.filter(({ path }) => path.endsWith('/runs'))
  return { run, bodies: postedTo<StartBody>(stub.region.received, '/runs'), received: stub.region.received, posts }
}

interface TagEntry {
  readonly public: string
  readonly public_tags: readonly string[]
  readonly private: Readonly<Record<string, string>>
}

interface StartBody {
  readonly flow_version: number
  readonly tag_values: Readonly<Record<string, TagEntry>>
  readonly source_files: readonly { readonly source_key: string; readonly for_user_id: string; readonly file: string }[]
}

const started = (): Reply => ({ status: 201, json: runWith(letter(1).definition) })
const changed = refusal(409, 'flows.version_changed')

test('a start seals the values and files that the flow names, private ones for their owner and the company only', async () => {
  const { bodies, received } = await startLetter([2], [started()])
  const [body] = bodies
  const entry = (name: string): TagEntry => body?.tag_values[name] ?? { public: '', public_tags: [], private: {} }
  expect(Object.keys(body?.tag_values ?? {}).toSorted()).toEqual([PERSON, 'company'].toSorted())
  expect(JSON.parse(await service.key.open(entry('company').public))).toEqual({
    'customer.name': { v: 'Mara', t: 'text' },
  })
  expect(entry(PERSON).public_tags).toEqual(['customer.name'])
  expect(await person.key.open(entry(PERSON).private['customer.code'] ?? '')).toBe('{"v":"1234","t":"text"}')
  expect(await service.key.open(entry('company').private['customer.code'] ?? '')).toBe('{"v":"1234","t":"text"}')
  expect(body?.source_files.map(({ source_key: key, for_user_id: user }) => [key, user])).toEqual([
    ['conn:customer:deed', COMPANY],
    ['conn:customer:deed', PERSON],
  ])
  const staged = postedTo<{ source_user_id: string; value: string }>(received, '/run-files')
  expect(staged.map(({ source_user_id: from }) => from)).toEqual([PERSON, PERSON])
  expect(await person.key.open(staged[1]?.value ?? '')).toContain('deed.pdf')
})

test('a start that meets a newer version reads it, prepares everything again and repeats once', async () => {
  const { run, bodies, received, posts } = await startLetter([1, 2], [changed, started()], 'start-1')
  expect(run).toMatchObject({ id: RUN })
  expect(bodies.map(({ flow_version: version }) => version)).toEqual([1, 2])
  expect(Object.keys(bodies[0]?.tag_values['company']?.private ?? {})).toEqual([])
  expect(Object.keys(bodies[1]?.tag_values['company']?.private ?? {})).toEqual(['customer.code'])
  expect(postedTo(received, '/run-files')).toHaveLength(4)
  expect(bodies[1]?.source_files[0]?.file).not.toBe(bodies[0]?.source_files[0]?.file)
  expect(posts.map(({ headers }) => headers['idempotency-key'])).toEqual(['start-1', 'start-1.again'])
  const twice = await startLetter([1, 2, 3], [changed, changed, started()])
  expect(twice.run).toMatchObject({ key: 'flows.version_changed' })
  expect(twice.bodies).toHaveLength(2)
})

test('a wait reports every state, slows down while nothing changes and goes on after a 503', async () => {
  const time = fakeTime()
  const waiting = runWith(routing, { status: 'awaiting_customer', current_node: 'before' })
  const states: readonly (object | null)[] = [...Array.from({ length: 12 }, () => waiting), null, runWith(routing)]
  let reads = 0
  await using stub = await startRuns(
    () => ({}),
    ({ path }) => {
      if (!path.includes('/flow-runs/')) return null
      const state = states[reads++] ?? runWith(routing)
      return state === null ? refusal(503, 'platform.busy') : { status: 200, json: state }
    },
    { ...time, maxWaitSeconds: 0 },
  )
  const progress: RunProgress[] = []
  const run = await stub.client.flows.waitForTurn(RUN, { onProgress: (step) => void progress.push(step) })
  expect(run.status).toBe('awaiting_us')
  expect(progress.map((step) => (step.kind === 'state' ? step.run.status : step.kind))).toEqual([
    'awaiting_customer',
    'no_answer',
    'awaiting_us',
  ])
  expect(time.waitedSeconds.slice(0, 4)).toEqual([2, 3, 4.5, 6.75])
  expect(Math.max(...time.waitedSeconds)).toBe(30)
})

test('a wait ends with the run, by an abort, and with a refusal that no repeat can change', async () => {
  const time = fakeTime()
  let reply: Reply = { status: 200, json: runWith(routing, { status: 'cancelled' }) }
  await using stub = await startRuns(
    () => ({}),
    () => reply,
    time,
  )
  const { flows } = stub.client
  expect((await flows.waitForTurn(RUN)).status).toBe('cancelled')
  expect((await flows.waitForEnd(RUN)).status).toBe('cancelled')
  reply = refusal(404, 'flows.run_not_found')
  await expect(flows.waitForEnd(RUN)).rejects.toMatchObject({ key: 'flows.run_not_found' })
  reply = { status: 200, json: runWith(routing) }
  const controller = new AbortController()
  const reason = new Error('enough')
  const onProgress = (): void => controller.abort(reason)
  await expect(flows.waitForEnd(RUN, { signal: controller.signal, onProgress })).rejects.toBe(reason)
})
