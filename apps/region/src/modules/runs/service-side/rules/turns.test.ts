import { checkAdvance, type FlowNode } from '@sealpost/flow'
import { describe, expect, test } from 'vitest'
import { intake } from '../../../flows/testing/definitions.ts'
import type { FileHandle } from '../../model.ts'
import { definition, ids, parsed, PARTNER, PERSON, run, STRANGER, US, WRAPPER } from '../../testing/run-parts.ts'
import { runEvent } from './events.ts'
import { readAnswers, type TurnFacts } from './said-answers.ts'
import { requireTurn } from './status.ts'

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

const users = new Set([US, PERSON, PARTNER])
const copies = [...users].map((for_user_id) => ({ for_user_id, value: WRAPPER }))
const nodeOf = (name: string): FlowNode => {
  const node = definition.nodes.find(({ key: one }) => one === name)
  if (node === undefined) throw new Error(name)
  return node
}
const FILE = `af_${ids(20)}` as FileHandle

function read(answer: object, node = 'ask', more: Partial<TurnFacts> = {}) {
  const facts = {
    node: nodeOf(node),
    users,
    isBinary: (type: string) => type === 'document',
    hasFile: () => true,
    acceptsObjects: false,
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

  test('may be an object where the installation accepts objects, and is stored as its text', () => {
    const { d, ...others } = JSON.parse(WRAPPER) as Record<string, unknown>
    const given = (value: unknown) => read({ values: [{ ...copies[0], value }, ...copies.slice(1)] }, 'ask', more)
    const more = { acceptsObjects: true }
    const sealed = copies.map(({ for_user_id: user }) => [user, { kind: 'sealed', text: WRAPPER }])
    expect(given({ d, ...others })).toMatchObject([{ copies: new Map(sealed as never) }])
    for (const value of [{ ...others, d: 'AA==' }, { d, ...others, more: 1 }, others, { _enc_file: FILE }, [], 5, null])
      expect([value, given(value)]).toEqual([value, 'contact_data.encryption_required'])
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
    const facts = { node: nodeOf('tell'), users, isBinary: () => false, hasFile: () => true, acceptsObjects: false }
    expect(readAnswers([], facts)).toMatchObject({ ok: true })
  })
})

describe('an event', () => {
  const base = { person_user_id: PERSON, share_code: 'ABC234', flow_run_id: ids(10) }

  test('names the run, the primary counterparty and the awaited party', () => {
    expect(runEvent(null, run())).toMatchObject({ kind: 'flow_run_turn', payload: { ...base, awaiting_party: 'us' } })
    const next = run({ status: 'awaiting_partner', currentNode: 'confirm' })
    expect(runEvent(run(), next)?.payload).toEqual({ ...base, awaiting_party: 'partner' })
  })

  test('says that a run is complete, and never of a cancel', () => {
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
