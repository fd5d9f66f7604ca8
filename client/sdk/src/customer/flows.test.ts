import { beforeAll, expect, test } from 'vitest'
import { optionsFor, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import {
  COMPANY,
  CONNECTION,
  copyFor,
  definition,
  emptyAnswer,
  field,
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
import { newServiceKey } from '../../test/stub-service.ts'
import { CustomerClient, type KeyPins, PublicKey, type ServiceKey } from '../index.ts'
import { fingerprintOf } from '../keys/public-key.ts'
import { readAccount, readCompanyConnection, readContactData } from '../routes.generated.ts'

const SUBMIT = '/answers'
const SOURCE = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607109'
const NAME = { id: RUN, connection_id: CONNECTION }

let service: { readonly key: ServiceKey; readonly seal: (text: string) => Promise<string> }
let person: RunUser
let partner: RunUser

beforeAll(async () => {
  service = await newServiceKey()
  ;[person, partner] = [await newUser(), await newUser()]
})

const flow = definition({
  entry: 'first',
  nodes: [
    {
      key: 'first',
      party: 'customer',
      title: 'About you',
      elements: [
        field('nick', { link: 'allowed' }),
        field('proof', { field_type: 'document', required: false }),
        field('id_name', { link: 'verified', verified_max_age_days: 30, required: false }),
      ],
    },
    { key: 'second', party: 'partner', title: '', elements: [] },
  ],
  edges: [{ from: 'first', to: 'second', sort: 0, condition: null }],
})

/** Two steps of the customer in a row: the second is asked only of those who say so. */
const long = definition({
  entry: 'first',
  nodes: [
    { key: 'first', party: 'customer', title: 'One', elements: [field('nick'), field('more', { required: false })] },
    {
      key: 'middle',
      party: 'customer',
      title: 'Two',
      elements: [field('why'), { kind: 'text', body: '[b]{{nick}}[/b], [a href=https://a.example/{{why}}]why[/a]?' }],
    },
    { key: 'second', party: 'partner', title: '', elements: [] },
  ],
  edges: [
    { from: 'first', to: 'middle', sort: 0, condition: { field: 'more', op: 'eq', value: 'yes' } },
    { from: 'first', to: 'second', sort: 1, condition: null },
    { from: 'middle', to: 'second', sort: 0, condition: null },
  ],
})

interface Lies {
  /** The run after so many answers. */
  readonly after?: (answers: number) => object
  readonly run?: object
  readonly companyId?: string
  readonly serviceKey?: string
  readonly source?: object
}

/** The app of the person at a region with one run and one connection, which the device knows. */
async function startApp(lies: Lies = {}) {
  const { publicKey } = service.key
  const connection = {
    ...emptyAnswer(readCompanyConnection),
    id: CONNECTION,
    company: { user_id: lies.companyId ?? COMPANY, display_name: 'Northwind', share_code: 'NRTHWD' },
    services: [
      {
        service_link_id: CONNECTION,
        service_id: SERVICE,
        service_code: 'MAIN',
        public_key: lies.serviceKey ?? publicKey,
        request_fields: [],
        mappings: [],
      },
    ],
  }
  const source = {
    ...emptyAnswer(readContactData),
    field_id: SOURCE,
    type: 'text',
    is_private: true,
    value: await (await PublicKey.import(person.publicKey)).seal('Mara'),
    updated_at: '2026-05-01T00:00:00.000+00:00',
    ...lies.source,
  }
  let answers = 0
  const run = () => lies.after?.(answers) ?? runWith(flow, { status: 'awaiting_customer', ...lies.run })
  const others = ({ path, method }: Received): Reply | null => {
    if (path.endsWith(SUBMIT)) answers += 1
    if (path === '/api/account') return { status: 200, json: account() }
    if (path === `/api/contact-data/${SOURCE}`) return { status: 200, json: source }
    const isConnection = path === `/api/company-connections/${CONNECTION}`
    return isConnection || (method === 'PUT' && path.endsWith('/mappings')) ? { status: 200, json: connection } : null
  }
  const region = await startRegion(runRoutes({ [PARTNER]: partner.publicKey }, run, others))
  const frontDoor = await startFrontDoor(() => region.url)
  const record = { binding: 'b', code: 'NRTHWD/MAIN', service_key: await fingerprintOf(publicKey), rev: 1, links: {} }
  const pins: KeyPins = new Map([[`connection:${CONNECTION}`, JSON.stringify(record)]])
  const clock = { now: () => Date.UTC(2026, 4, 2) }
  const { flows } = new CustomerClient({ ...optionsFor(frontDoor, { clock }), key: person.key, pins })
  return {
    flows,
    pins,
    received: region.received,
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

function account() {
  return { ...emptyAnswer(readAccount), id: PERSON, user_type: 'person', public_key: person.publicKey }
}

const sentTo = (received: readonly Received[]) =>
  received.filter(({ method }) => method !== 'GET').map(({ path }) => path)

test('an answer is sealed to the service, to the own key and to the other customers', async () => {
  await using app = await startApp()
  await app.flows.answer(NAME, { nick: { value: 'Mara' } })
  const [submitted] = postedTo(app.received, SUBMIT)
  expect(submitted).toMatchObject({ next_node: 'second' })
  expect(await service.key.open(copyFor(submitted, 'nick', COMPANY))).toBe('Mara')
  expect(await person.key.open(copyFor(submitted, 'nick', PERSON))).toBe('Mara')
  expect(await partner.key.open(copyFor(submitted, 'nick', PARTNER))).toBe('Mara')
})

test('a step of another party is refused on this side, before anything is sent [SDK-21]', async () => {
  for (const run of [
    { status: 'awaiting_partner' },
    // The status says that it is the customer's turn, the step belongs to the partner.
    { status: 'awaiting_customer', current_node: 'second' },
    { status: 'awaiting_us', bindings: { us: COMPANY, customer: PARTNER, partner: PERSON } },
  ]) {
    await using app = await startApp({ run })
    await expect(app.flows.answer(NAME, {})).rejects.toMatchObject({ name: 'FlowError', reason: 'not_your_turn' })
    await expect(app.flows.step(NAME)).rejects.toMatchObject({ reason: 'not_your_turn' })
    expect(sentTo(app.received)).toEqual([])
  }
  await using over = await startApp({ run: { status: 'completed' } })
  await expect(over.flows.answer(NAME, {})).rejects.toMatchObject({ reason: 'not_awaiting' })
})

test('nothing is sealed to another key of the service, or for a run of another company', async () => {
  await using exchanged = await startApp({ serviceKey: partner.publicKey })
  await expect(exchanged.flows.answer(NAME, { nick: { value: 'x' } })).rejects.toThrow('service NRTHWD/MAIN')
  await using foreign = await startApp({ companyId: PARTNER })
  await expect(foreign.flows.answer(NAME, { nick: { value: 'x' } })).rejects.toMatchObject({ reason: 'run_parties' })
  expect([...postedTo(exchanged.received, SUBMIT), ...postedTo(foreign.received, SUBMIT)]).toEqual([])
})

test('an answer from the profile is linked, private like its field, and named in the record of the connection', async () => {
  await using app = await startApp()
  await app.flows.answer(NAME, { nick: { from: SOURCE } })
  const [submitted] = postedTo(app.received, SUBMIT)
  expect(submitted?.answers[0]).toMatchObject({ slug: 'nick', source_private: true, link: { source_field_id: SOURCE } })
  expect(await service.key.open(copyFor(submitted, 'nick', COMPANY))).toBe('Mara')
  expect(JSON.parse((await app.pins.get(`connection:${CONNECTION}`)) ?? '')).toMatchObject({ links: { nick: SOURCE } })
})

test('a field that must come from a verified field of the profile accepts nothing else', async () => {
  const problems = async (answer: { value: string } | { from: string }, source = {}) => {
    await using app = await startApp({ source })
    const step = await app.flows.step(NAME, { nick: { value: 'x' }, id_name: answer })
    return step.problems.map(({ slug, reason }) => `${slug} ${reason}`)
  }
  expect(await problems({ value: 'Mara' })).toEqual(['id_name link_required'])
  expect(await problems({ from: SOURCE })).toEqual(['id_name verification_required'])
  const verified = { verified_at: '2026-04-20T00:00:00.000+00:00', verified_expires_at: null }
  expect(await problems({ from: SOURCE }, verified)).toEqual([])
  const old = { ...verified, verified_at: '2026-03-20T00:00:00.000+00:00' }
  expect(await problems({ from: SOURCE }, old)).toEqual(['id_name verification_required'])
  const ended = { ...verified, verified_expires_at: '2026-05-01T00:00:00.000+00:00' }
  expect(await problems({ from: SOURCE }, ended)).toEqual(['id_name verification_required'])
  expect(await problems({ from: SOURCE }, { ...verified, type: 'personal_number' })).toEqual([])
  expect(await problems({ from: SOURCE }, { ...verified, type: 'address' })).toEqual(['id_name type_not_accepted'])
})

test('own copies are opened with the party that gave them', async () => {
  const own = await PublicKey.import(person.publicKey)
  const answers = [
    { slug: 'nick', for_user_id: PERSON, value: await own.seal('Mara') },
    { slug: 'proof', for_user_id: PERSON, value: '{"_enc_file":"af_1","_link":1}' },
    { slug: 'nick', for_user_id: COMPANY, value: 'not ours' },
    { slug: 'unasked', for_user_id: PERSON, value: await own.seal('x') },
  ]
  await using app = await startApp({ run: { answers, private_slugs: ['nick'] } })
  const run = await app.flows.get(CONNECTION, RUN)
  expect(await app.flows.whoseTurn(run)).toEqual({ key: 'customer', label: 'Customer', userId: PERSON, isOwn: true })
  const opened = await app.flows.open(run)
  const about = { party: 'customer', step: 'first' }
  expect(opened).toEqual({
    nick: {
      ...about,
      label: 'nick',
      options: null,
      type: 'text',
      isPrivate: true,
      kind: 'text',
      value: 'Mara',
      text: 'Mara',
      attestation: 'not_attested',
      problems: [],
    },
    proof: {
      ...about,
      label: 'proof',
      options: null,
      type: 'document',
      isPrivate: false,
      kind: 'file',
      isHeld: true,
      isLinked: true,
    },
  })
})

const PLACES = ['first', 'middle', 'second']

/** A run of `long` that moves on with every answer. */
function moving(answers: number, more: object = {}): object {
  const place = PLACES[answers] ?? 'second'
  const status = place === 'second' ? 'awaiting_partner' : 'awaiting_customer'
  return runWith(long, { status, current_node: place, ...more })
}

const BOTH = {
  first: { nick: { value: 'Mara' }, more: { value: 'yes' } },
  middle: { why: { value: 'a/b' } },
} as const

test('a turn of several steps is filled in without a call, and its steps are sent in their order', async () => {
  await using app = await startApp({ after: (answers) => moving(answers) })
  const turn = await app.flows.begin(NAME)
  const called = app.received.length
  expect((await turn.steps({ first: { nick: { value: 'Mara' } } })).map(({ key }) => key)).toEqual(['first'])
  const steps = await turn.steps(BOTH)
  expect(steps.map(({ key, next }) => [key, next.kind === 'step' ? next.key : next.kind])).toEqual([
    ['first', 'middle'],
    ['middle', 'second'],
  ])
  expect(steps[1]?.elements[1]).toMatchObject({
    text: 'Mara, why?',
    parts: [
      { kind: 'bold', children: [{ text: 'Mara' }] },
      { text: ', ' },
      { kind: 'link', address: 'https://a.example/a%2Fb' },
      { text: '?' },
    ],
  })
  expect(app.received).toHaveLength(called)
  expect(await turn.send(BOTH)).toMatchObject({ current_node: 'second' })
  const sent = postedTo(app.received, SUBMIT)
  expect(sent.map(({ next_node: next, answers }) => [next, answers.map(({ slug }) => slug)])).toEqual([
    ['middle', ['nick', 'more']],
    ['second', ['why']],
  ])
})

test('steps that have arrived are not sent again', async () => {
  await using app = await startApp({ after: (answers) => moving(answers) })
  const turn = await app.flows.begin(NAME)
  await app.flows.answer(NAME, BOTH.first)
  await turn.send(BOTH)
  await expect(turn.send(BOTH)).rejects.toMatchObject({ name: 'FlowError', reason: 'answered_already' })
  expect(postedTo(app.received, SUBMIT)).toHaveLength(2)
})

test('a run that is not the one that was shown gets no answer', async () => {
  const other = { ...long, entry: 'middle' }
  for (const [changed, reason] of [
    [{ definition: other }, 'run_definition'],
    [{ reference_date: '2020-01-01' }, 'run_definition'],
    [{ bindings: { us: COMPANY, customer: PERSON, partner: COMPANY } }, 'run_changed'],
  ] as const) {
    let isChanged = false
    await using app = await startApp({ after: (answers) => moving(answers, isChanged ? changed : {}) })
    const turn = await app.flows.begin(NAME)
    isChanged = true
    await expect(turn.send(BOTH)).rejects.toMatchObject({ reason })
    expect(sentTo(app.received)).toEqual([])
  }
})
