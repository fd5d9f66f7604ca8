import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import { checkAdvance, type Definition, type FlowNode, parseDefinition } from '@sealpost/flow'
import { instant, type UserId } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import type { StoredConnection } from '../../../../connections/index.ts'
import { intake } from '../../../testing/definitions.ts'
import type { FileHandle, SourceFile, StoredAnswer, StoredRun } from '../model.ts'
import { runToWire } from '../wire.ts'
import { bindParties, type GivenBindings } from './bind-parties.ts'
import { runEvent } from './events.ts'
import { readAnswers, type TurnFacts } from './said-answers.ts'
import { matchSources, type NeededSource } from './source-files.ts'
import { requireTurn } from './status.ts'
import { readTagValues, type TagFacts } from './tag-values.ts'

const ids = (count: number) => `019a0000-0000-7000-8000-${String(count).padStart(12, '0')}`
const [US, PERSON, PARTNER, STRANGER] = [1, 2, 3, 4].map(ids) as [UserId, UserId, UserId, UserId]

function parsed(json: object): Definition {
  const definition = parseDefinition(json)
  if (!definition.ok) throw new Error(JSON.stringify(definition.refusal))
  return definition.value
}

const definition = parsed(intake())
const untyped = parsed(intake({ parties: ['us', 'customer', 'partner'].map((key) => ({ key, label: key })) }))

function connection(customerId: UserId, customerType: 'person' | 'company'): StoredConnection {
  return {
    companyId: US,
    serviceId: ids(9) as never,
    id: `${customerId.slice(0, -2)}c${customerId.slice(-1)}` as never,
    customerId,
    customerRegion: 'us',
    customerType,
    shareCode: 'ABC234',
    displayName: 'Customer',
    publicKey: 'key',
    connectedAt: instant(0),
    openContracts: 0,
  }
}

const [person, partner] = [connection(PERSON, 'person'), connection(PARTNER, 'company')]
const customers = new Map<string, StoredConnection>([
  [PERSON, person],
  [PARTNER, partner],
])
const targets = new Map([
  ['customer', person],
  ['partner', partner],
])

function bound(of: Definition, given: Partial<GivenBindings>) {
  const all = { companyId: US, target: null, targets: new Map(), bindings: new Map(), customers, ...given }
  const result = bindParties(of, all)
  return result.ok ? Object.fromEntries(result.value.map(({ partyKey, userId }) => [partyKey, userId])) : result.refusal
}

describe('binding', () => {
  const all = { us: US, customer: PERSON, partner: PARTNER }

  test('targets give each typed party a customer of its type; the owner is bound by itself and named by none [RUN-10] [RUN-11]', () => {
    expect(bound(definition, { targets })).toEqual(all)
    const swapped = new Map([
      ['customer', partner],
      ['partner', person],
    ])
    expect(bound(definition, { targets: swapped })).toBe('flows.bindings_invalid')
    expect(bound(definition, { targets: new Map([...targets, ['us', person]]) })).toBe('flows.bindings_invalid')
  })

  test('a party without a customer is refused [RUN-13]', () => {
    expect(bound(definition, {})).toBe('flows.bindings_invalid')
    expect(bound(definition, { targets: new Map([['customer', person]]) })).toBe('flows.bindings_invalid')
    expect(bound(untyped, { bindings: new Map([['us', US]]) })).toBe('flows.bindings_invalid')
  })

  test('target fills the parties that bindings leave open [RUN-09]', () => {
    const bindings = new Map([
      ['us', US],
      ['partner', PARTNER],
    ])
    expect(bound(untyped, { target: person, bindings })).toEqual(all)
    expect(bound(untyped, { target: person, bindings: new Map([['us', US]]) })).toEqual({ ...all, partner: PERSON })
  })

  test('untyped parties are bound by the caller: bindings win, and alone they are enough [FLOW-04] [RUN-12]', () => {
    expect(bound(untyped, { bindings: new Map(Object.entries(all)) })).toEqual(all)
    const won = new Map([
      ['us', US],
      ['customer', PARTNER],
    ])
    expect(bound(untyped, { target: person, bindings: won })).toEqual({ us: US, customer: PARTNER, partner: PERSON })
    expect(bound(untyped, { bindings: new Map(Object.entries({ ...all, customer: STRANGER })) })).toBe(
      'flows.bindings_invalid',
    )
  })

  test('the company alone is no run [RUN-14]', () => {
    const alone = new Map(['us', 'customer', 'partner'].map((key) => [key, US]))
    expect(bound(untyped, { bindings: alone })).toBe('flows.no_counterparty')
  })
})

function run(more: Partial<StoredRun> = {}): StoredRun {
  const given = { companyId: US, target: null, targets, bindings: new Map<string, string>(), customers }
  const parties = bindParties(definition, given)
  if (!parties.ok) throw new Error(parties.refusal)
  return {
    companyId: US,
    serviceId: ids(9) as never,
    id: ids(10) as never,
    flowId: ids(11) as never,
    flowVersion: 1,
    status: 'awaiting_us',
    currentNode: 'ask',
    outputMode: 'data_only',
    referenceDate: '2026-01-02',
    ownerTagValues: null,
    tagValues: null,
    privateSlugs: [],
    rev: 1,
    createdAt: instant(0),
    updatedAt: instant(0),
    cancelledAt: null,
    cancelledBy: null,
    cancelReason: null,
    dataDeletedAt: null,
    parties: parties.value,
    ...more,
  }
}

describe('a turn', () => {
  test('is only of the party that owns the step [FLOW-05] [TURN-10]', () => {
    expect(requireTurn(run(), { userId: US })).toMatchObject({ ok: true, value: { partyKey: 'us' } })
    expect(requireTurn(run(), { userId: PERSON })).toMatchObject({ ok: false, refusal: 'flows.not_your_turn' })
    const theirs = run({ status: 'awaiting_customer' })
    expect(requireTurn(theirs, { userId: PERSON })).toMatchObject({ ok: true })
    expect(requireTurn(theirs, { userId: US })).toMatchObject({ ok: false, refusal: 'flows.not_your_turn' })
  })

  const advance = (from: string, said: object, of = definition) => {
    const result = checkAdvance(of, from, said)
    return result.ok ? result.value : result.refusal
  }

  test('goes to a successor of the step, and to no other one [TURN-09]', () => {
    expect(advance('ask', { next_node: 'tell' })).toMatchObject({ to: 'turn', party: 'customer' })
    for (const next_node of ['confirm', 'ask', 'none', 7])
      expect(advance('ask', { next_node })).toBe('flows.next_node_invalid')
  })

  test('is relayed without a look at the conditions of the edges [TURN-15]', () => {
    expect(advance('tell', { next_node: 'prove' })).toMatchObject({ node: 'prove' })
    expect(advance('tell', { next_node: 'confirm' })).toMatchObject({ node: 'confirm', party: 'partner' })
  })

  test('ends the run only where no edge is certain; next_node always hands on the turn [TURN-36]', () => {
    expect(advance('confirm', { leaf: true })).toEqual({ to: 'completed', node: 'confirm' })
    expect(advance('ask', { leaf: true })).toBe('flows.next_node_invalid')
    expect(advance('tell', { leaf: true })).toBe('flows.next_node_invalid')
    const silent = parsed(
      intake({
        nodes: [...intake().nodes.slice(0, 2), { key: 'last', party: 'partner', title: 'Last', elements: [] }],
        edges: [{ from: 'tell', to: 'last', sort: 0, condition: { field: 'nick', op: 'answered' } }],
      }),
    )
    expect(advance('tell', { next_node: 'last' }, silent)).toMatchObject({ to: 'turn', party: 'partner' })
    expect(advance('tell', { leaf: true }, silent)).toMatchObject({ to: 'completed' })
  })

  test('at the leaf of a document flow moves the run to generating [TURN-14]', () => {
    const outputs = [{ output_key: 'a', name: 'A', rules: [{ asset_key: 'x', condition: null, languages: 'all' }] }]
    const nodes = intake().nodes.map((node) => (node.key === 'confirm' ? { ...node, outputs } : node))
    const document = parsed(intake({ output_mode: 'document', nodes }))
    expect(advance('confirm', { leaf: true }, document)).toEqual({ to: 'generating', node: 'confirm' })
  })
})

const platform = createCryptoPlatform(globalThis)
const pair = await crypto.subtle.generateKey(
  { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
  true,
  ['encrypt', 'decrypt'],
)
const spki = Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey)).toString('base64')
const key = await importSealingKey(platform, spki)
const sealed = key.ok ? await sealWrapper(platform, key.value, 'text') : key
const WRAPPER = sealed.ok ? sealed.value : ''

const users = new Set([US, PERSON, PARTNER])
const copies = [...users].map((for_user_id) => ({ for_user_id, value: WRAPPER }))
const nodeOf = (name: string): FlowNode => {
  const node = definition.nodes.find(({ key: one }) => one === name)
  if (node === undefined) throw new Error(name)
  return node
}
const FILE = `af_${'0'.repeat(32)}` as FileHandle

function read(answer: object, node = 'ask', more: Partial<TurnFacts> = {}) {
  const facts = {
    node: nodeOf(node),
    users,
    isBinary: (type: string) => type === 'document',
    hasFile: () => true,
    ...more,
  }
  const said = {
    slug: 'amount',
    values: copies,
    source_private: undefined,
    attested: null,
    is_linked: false,
    ...answer,
  }
  const result = readAnswers([said], facts)
  return result.ok ? result.value : result.refusal
}

describe('an answer', () => {
  test('is a slug with one sealed text per user [TURN-02]', () => {
    expect(read({})).toMatchObject([{ slug: 'amount', isPrivate: false }])
    expect(read({ values: [{ ...copies[0], value: 5 }, ...copies.slice(1)] })).toBe('contact_data.encryption_required')
  })

  test('is refused when a value is an object [TURN-03]', () => {
    const object = JSON.parse(WRAPPER) as object
    expect(read({ values: [{ ...copies[0], value: object }, ...copies.slice(1)] })).toBe(
      'contact_data.encryption_required',
    )
  })

  test('needs a copy for each bound user [TURN-04]', () => {
    for (const values of [copies.slice(1), [], null]) expect(read({ values })).toBe('flows.answer_party_missing')
  })

  test('has no copy for another user [TURN-05]', () => {
    expect(read({ values: [...copies, { for_user_id: STRANGER, value: WRAPPER }] })).toBe('flows.answer_party_invalid')
  })

  test('has a slug of the step, and a privacy that is true or false [TURN-06]', () => {
    for (const answer of [{ slug: null }, { slug: 'nick' }, { source_private: 'yes' }])
      expect(read(answer)).toBe('flows.answer_invalid')
    expect(read({ source_private: true })).toMatchObject([{ isPrivate: true }])
  })

  test('is never plaintext [TURN-07]', () => {
    for (const value of ['5', '', '{"_enc":1}', '{"_enc_file":"x"}'])
      expect(read({ values: [{ ...copies[0], value }, ...copies.slice(1)] })).toBe('contact_data.encryption_required')
  })

  test('of a file field is a reference with exactly one member [TURN-21]', () => {
    const files = (reference: object) => copies.map((copy) => ({ ...copy, value: JSON.stringify(reference) }))
    const proof = (reference: object, more: Partial<TurnFacts> = {}) =>
      read({ slug: 'proof', values: files(reference) }, 'prove', more)
    expect(proof({ _enc_file: FILE })).toMatchObject([{ slug: 'proof' }])
    expect(proof({ _enc_file: FILE, name: 'x' })).toBe('contact_data.encryption_required')
    expect(proof({ _enc_file: FILE }, { hasFile: () => false })).toBe('flows.answer_invalid')
    expect(read({ slug: 'proof' }, 'prove')).toBe('flows.answer_invalid')
  })

  test('of a linked file has `_link` beside the file on every copy, and a typed one on none [RUN-45]', () => {
    const files = (reference: object) => copies.map((copy) => ({ ...copy, value: JSON.stringify(reference) }))
    const linked = files({ _enc_file: FILE, _link: 1 })
    const [first, ...others] = files({ _enc_file: FILE })
    expect(read({ slug: 'proof', values: linked, is_linked: true }, 'prove')).toMatchObject([{ isLinked: true }])
    expect(read({ slug: 'proof', values: linked }, 'prove')).toBe('flows.answer_invalid')
    expect(read({ slug: 'proof', values: [first, ...others], is_linked: true }, 'prove')).toBe('flows.answer_invalid')
    const mixed = { slug: 'proof', values: [first, ...linked.slice(1)], is_linked: true }
    expect(read(mixed, 'prove')).toBe('flows.answer_invalid')
  })

  test('may be missing: required is the business of clients [EXPR-38]', () => {
    const facts = { node: nodeOf('tell'), users, isBinary: () => false, hasFile: () => true }
    expect(readAnswers([], facts)).toMatchObject({ ok: true })
  })
})

describe('an event', () => {
  const base = { person_user_id: PERSON, share_code: 'ABC234', flow_run_id: ids(10) }

  test('names the run, the primary counterparty and the awaited party [EVENT-23]', () => {
    expect(runEvent(null, run())).toMatchObject({ kind: 'flow_run_turn', payload: { ...base, awaiting_party: 'us' } })
    const next = run({ status: 'awaiting_partner', currentNode: 'confirm' })
    expect(runEvent(run(), next)?.payload).toEqual({ ...base, awaiting_party: 'partner' })
  })

  test('says that a run is complete, and never of a cancel [EVENT-24]', () => {
    expect(runEvent(run(), run({ status: 'completed' }))).toMatchObject({ kind: 'flow_completed', payload: base })
    expect(runEvent(run(), run({ status: 'cancelled' }))?.kind).not.toBe('flow_completed')
  })

  test('has neither a slug nor a value [EVENT-26]', () => {
    const states = [
      { status: 'awaiting_customer', currentNode: 'tell' },
      { status: 'completed' },
      { status: 'cancelled' },
    ]
    const allowed = ['awaiting_party', 'cancelled_by', 'flow_run_id', 'person_user_id', 'share_code']
    for (const state of states) {
      const payload = runEvent(run(), run({ ...state, privateSlugs: ['nick'] }))?.payload ?? {}
      expect(Object.keys(payload).filter((name) => !allowed.includes(name))).toEqual([])
      expect(JSON.stringify(payload)).not.toMatch(/nick|amount|_enc/)
    }
  })

  test('is raised when the awaited party changes, and not between two steps of one party [TURN-12]', () => {
    const [tell, prove] = ['tell', 'prove'].map((currentNode) => run({ status: 'awaiting_customer', currentNode }))
    expect(runEvent(run(), tell ?? run())?.kind).toBe('flow_run_turn')
    expect(runEvent(tell ?? null, prove ?? run())).toBeNull()
  })
})

describe('source files', () => {
  const needed: NeededSource[] = [US, PERSON].map((forUserId) => ({
    sourceKey: 'conn:customer:deed',
    forUserId,
    sourceUserId: PERSON,
  }))
  const file = (id: string, sourceUserId = PERSON) => ({ id, sourceUserId }) as unknown as SourceFile
  const staged = new Map([
    ['a', file('a')],
    ['b', file('b')],
    ['c', file('c', PARTNER)],
  ])
  const give = (...files: readonly (readonly [UserId, string])[]) => {
    const given = files.map(([forUserId, name]) => ({ sourceKey: 'conn:customer:deed', forUserId, file: name }))
    const result = matchSources(needed, given, staged)
    return result.ok ? result.value.map((one) => one.file.id) : result.refusal
  }

  test('are one staged copy per user, no more and no fewer [RUN-22] [RUN-23]', () => {
    expect(give([US, 'a'], [PERSON, 'b'])).toEqual(['a', 'b'])
    for (const files of [
      [[US, 'a']],
      [
        [US, 'a'],
        [PERSON, 'a'],
      ],
      [
        [US, 'a'],
        [PERSON, 'c'],
      ],
      [
        [US, 'a'],
        [PERSON, 'b'],
        [PARTNER, 'c'],
      ],
    ] as const)
      expect(give(...files)).toHaveProperty('missing')
  })

  test('that do not fit are named with those that are missing [ERR-07]', () => {
    expect(give([US, 'a'], [PERSON, 'c'])).toEqual({
      missing: [{ source_key: 'conn:customer:deed', for_user_id: PERSON, source_user_id: PERSON }],
      unexpected: ['c'],
    })
  })
})

describe('tag values', () => {
  const [first, ...rest] = intake().nodes
  const text = { kind: 'text', body: 'Dear {{customer.name}}' }
  const texts = parsed(intake({ nodes: [{ ...first, elements: [text] }, ...rest] }))
  const fingerprints = new Map([
    ['company', 'c'.repeat(64)],
    [PERSON as string, 'd'.repeat(64)],
  ])
  const entry = (recipient: string, more: object = {}) => ({
    recipient_pubkey_sha256: fingerprints.get(recipient),
    public: WRAPPER,
    public_tags: ['customer.name'],
    private: {},
    ...more,
  })
  const parties = run().parties.filter(({ partyKey }) => partyKey !== 'partner')
  const values = (given: unknown, more: Partial<TagFacts> = {}) => {
    const result = readTagValues(texts, { parties, fingerprints, hasVersion: true, given, ...more })
    return result.ok ? [...(result.value?.keys() ?? [])] : result.refusal
  }
  const fit = () => ({ company: entry('company'), [PERSON]: entry(PERSON) })
  const invalid = { key: 'flows.tag_values_invalid' }

  test('are needed with the version where a text names a value of a customer [RUN-17]', () => {
    expect(values(fit())).toEqual(['company', PERSON])
    expect(values(fit(), { hasVersion: false })).toEqual(invalid)
    expect(values(undefined)).toEqual(invalid)
  })

  test('are keyed by recipient, exactly [RUN-18]', () => {
    expect(values({ company: entry('company') })).toEqual(invalid)
    expect(values({ ...fit(), [STRANGER]: entry(PERSON) })).toEqual(invalid)
  })

  test('have sealed public values, their names, and private ones apart [RUN-20]', () => {
    for (const more of [
      { public: 'plain' },
      { public_tags: ['customer.none'] },
      { public_tags: 'customer.name' },
      { private: { 'customer.name': WRAPPER } },
      { private: null },
    ])
      expect(values({ ...fit(), company: entry('company', more) })).toEqual(invalid)
    const apart = { public_tags: [], private: { 'customer.name': WRAPPER } }
    expect(values({ ...fit(), company: entry('company', apart) })).toEqual(['company', PERSON])
  })

  test('sealed to an old key are stale, and the recipients are named [RUN-21]', () => {
    const old = entry(PERSON, { recipient_pubkey_sha256: 'e'.repeat(64) })
    expect(values({ ...fit(), [PERSON]: old })).toEqual({ key: 'flows.tag_values_stale', stale: [PERSON] })
  })
})

describe('a run on the wire', () => {
  const answer = (slug: string): StoredAnswer => ({
    slug,
    partyKey: 'us',
    value: WRAPPER,
    isPrivate: false,
    isLinked: false,
    attested: null,
    file: null,
    at: instant(0),
  })
  const shown = () => runToWire(run(), definition, [answer('amount'), answer('nick')], [])

  test('has its ids, its bindings and its state [RUN-31]', () => {
    expect(shown()).toMatchObject({
      id: ids(10),
      flow_id: ids(11),
      flow_version: 1,
      service_id: ids(9),
      company_user_id: US,
      bindings: { us: US, customer: PERSON, partner: PARTNER },
      status: 'awaiting_us',
      current_node: 'ask',
      output_mode: 'data_only',
    })
  })

  test('names the connection of the first party that is not the owner [RUN-32]', () => {
    expect(shown().connection_id).toBe(person.id)
  })

  test('lists all participants, the company too, and the labels of the parties [RUN-34] [RUN-38]', () => {
    expect(shown().participants).toEqual([
      { party_key: 'us', person_user_id: US, connection_id: null, documents: [] },
      { party_key: 'customer', person_user_id: PERSON, connection_id: person.id, documents: [] },
      { party_key: 'partner', person_user_id: PARTNER, connection_id: partner.id, documents: [] },
    ])
    expect(shown().parties).toEqual([
      { key: 'us', label: 'Us' },
      { key: 'customer', label: 'Customer' },
      { key: 'partner', label: 'Partner' },
    ])
  })

  test("lists the company's copies of all answers [REGION-10] [RUN-39]", () => {
    expect(shown().answers.map(({ slug, for_user_id }) => [slug, for_user_id])).toEqual([
      ['amount', US],
      ['nick', US],
    ])
  })

  test('names the own copies of source files, and is empty without one [RUN-43]', () => {
    expect(shown().source_files).toEqual({})
    const source = (forUserId: UserId, id: string) => ({ sourceKey: 'conn:customer:deed', forUserId, id }) as never
    const { source_files } = runToWire(run(), definition, [], [source(PERSON, 'b'), source(US, 'a')])
    expect(source_files).toEqual({ 'conn:customer:deed': 'a' })
  })
})
