import { beforeAll, expect, test } from 'vitest'
import {
  COMPANY,
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
} from '../../test/stub-run.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { newServiceKey, startStubService } from '../../test/stub-service.ts'
import { FlowError, KeyChangedError, PublicKey, type ServiceKey } from '../index.ts'

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
const steps = [
  { key: 'before', party: 'customer', title: '', elements: [field('amount', { field_type: 'number' })] },
  { key: 'first', party: 'us', title: 'Note', elements: [field('note')] },
  { key: 'middle', party: 'partner', title: '', elements: [] },
  { key: 'large', party: 'customer', title: 'Large', elements: [] },
]
const routing = definition({
  nodes: steps,
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

test('a turn opens the own copies, computes constants, takes the first edge that holds and seals for all [SDK-18] [EXPR-28]', async () => {
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
  const text = { kind: 'text', body: '[b]{{customer.name}}[/b] of {{us.city}}, {{us.none}}: {{amount}}' }
  const pinned = { ...routing, nodes: steps.map((node) => ({ ...node, elements: [text, ...node.elements] })) }
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
    elements: [
      { kind: 'text', text: 'Mara of Bern, –: 60' },
      { kind: 'field', slug: 'note', text: null },
    ],
    constants: [{ key: 'double', label: 'double', text: '120' }],
    problems: [{ slug: 'note', reason: 'missing' }],
    next: { kind: 'step', key: 'large', title: 'Large', party: 'customer' },
  })
  expect(postedTo(stub.region.received, SUBMIT)).toEqual([])
})

test('a run is routed by its own definition, and today is its reference date [RUN-40] [SDK-31]', async () => {
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

test('answers that do not fit are refused with all their problems, and nothing is sent [TURN-16]', async () => {
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
  await flows.answer(
    RUN,
    { count: { value: 4 }, price: null, color: { value: 'red' }, why: { value: 'x' } },
    service.key,
  )
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

test('a file is sealed and uploaded once per participant, and named by its handles [TURN-19]', async () => {
  await using stub = await startRuns(() => runWith(upload))
  await stub.client.flows.answer(RUN, { proof: { value: { file: PROOF } }, note: { value: 'x' } }, service.key)
  const uploads = postedTo<{ slug: string; for_user_id: string; value: string }>(stub.region.received, '/answer-files')
  expect(uploads.map(({ slug, for_user_id: forUser }) => [slug, forUser])).toEqual([
    ['proof', COMPANY],
    ['proof', PERSON],
    ['proof', PARTNER],
  ])
  for (const [place, { key }] of [service, person, partner].entries())
    expect(JSON.parse(await key.open(uploads[place]?.value ?? ''))).toEqual({
      file: `data:application/pdf;base64,${PROOF.bytes.toString('base64')}`,
      original_name: 'proof.pdf',
      mime_type: 'application/pdf',
      size: PROOF.bytes.length,
    })
  const [submitted] = postedTo(stub.region.received, SUBMIT)
  expect(submitted?.next_node).toBe('with')
  const named = [COMPANY, PERSON, PARTNER].map((user) => copyFor(submitted, 'proof', user))
  for (const value of named) expect(value).toMatch(/^\{"_enc_file":"af_[0-9a-f-]{36}"\}$/)
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
    runRoutes({ ...keys(), [PERSON]: theirs, [FLOW]: stranger.publicKey }, () =>
      runWith(routing, { bindings, answers: [] }),
    )(received),
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
  expect(await stub.client.flows.open(run, service.key)).toMatchObject({
    amount: { kind: 'unreadable', party: 'customer' },
  })
  const sent = stub.client.flows.answer(RUN, { note: { value: 'x' } }, service.key)
  await expect(sent).rejects.toMatchObject({ reason: 'answer_unreadable' })
})
