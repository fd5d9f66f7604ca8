import type { Dice } from '@sealpost/testkit/dice'
import { userOf } from './cast.ts'
import type { Json, Outcome } from './doors/door.ts'
import { kindOf } from './field-values.ts'
import { actorOf, type Running } from './play.ts'
import type { AnswerItem, PreparedTurn } from './turns.ts'
import { fieldsOf, nodeOf, waysFrom } from './written.ts'

/** An act that must be refused with this key; null where the present step offers no occasion. */
export interface BadAct {
  readonly name: string
  readonly key: string
  readonly act: () => Promise<Outcome>
}

export const MISSING = '019a0000-0000-7000-8000-00000000dead'
/** Above the length of a sealed file of one megabyte. */
export const TOO_LONG = 'x'.repeat(Math.floor((1_048_576 * 16) / 9) + 65_537)

type Fault = readonly [name: string, key: string, change: (item: AnswerItem) => readonly unknown[]]

const INVALID = 'flows.answer_invalid'
const MISSING_COPY = 'flows.answer_party_missing'
const STRANGER = 'flows.answer_party_invalid'
const CLEAR = 'contact_data.encryption_required'
const NOWHERE = 'flows.next_node_invalid'

/** What may be wrong with one answer of a turn. */
const ANSWER_FAULTS: readonly Fault[] = [
  ['an answer without a slug', INVALID, ({ slug: _slug, ...rest }) => [rest]],
  ['an answer to no field', INVALID, (item) => [{ ...item, slug: 'no_such_field' }]],
  ['an answer given twice', INVALID, (item) => [item, item]],
  ['source_private that is a text', INVALID, (item) => [{ ...item, source_private: 'true' }]],
  ['source_private that is null', INVALID, (item) => [{ ...item, source_private: null }]],
  ['a copy too few', MISSING_COPY, (item) => [{ ...item, values: item.values.slice(1) }]],
  ['no copies', MISSING_COPY, ({ values: _values, ...rest }) => [rest]],
  ['a copy for a stranger', STRANGER, (item) => [{ ...item, values: [...item.values, copyFor(item, MISSING)] }]],
  ['a copy in the clear', CLEAR, (item) => [withFirst(item, 'in the clear')]],
  ['a copy as an object', CLEAR, (item) => [withFirst(item, { _enc: 1, k: '', iv: '', d: '' })]],
  ['a reference to no file', CLEAR, (item) => [withFirst(item, '{"_enc_file":"x"}')]],
  ['a reference with a member too many', CLEAR, (item) => [withFirst(item, '{"_enc_file":"af_0","more":1}')]],
]

function copyFor({ values }: AnswerItem, userId: string) {
  return { ...values[0], for_user_id: userId }
}

function withFirst(item: AnswerItem, value: unknown): Json {
  const [first, ...rest] = item.values
  return { ...item, values: [{ ...first, value }, ...rest] }
}

/** All that can be done wrong with this turn. */
export function badTurns(play: Running, turn: PreparedTurn): readonly BadAct[] {
  const { runId } = play
  const actor = actorOf(play, turn.party)
  const submit = (answers: readonly unknown[], to: Json = turn.to) => actor.answer(runId, { answers, ...to })
  const [first, ...rest] = turn.items
  const ofAnswers = ANSWER_FAULTS.flatMap(([name, key, change]): readonly BadAct[] =>
    first === undefined ? [] : [{ name, key, act: () => submit([...rest, ...change(first)]) }],
  )
  const ofWays = badWays(play, turn).map(([name, to]) => ({ name, key: NOWHERE, act: () => submit(turn.items, to) }))
  return [...ofAnswers, ...ofWays, ...otherShapes(play, turn), ...otherActors(play, turn), ...badUploads(play, turn)]
}

function badWays({ flow, state }: Running, { to, next }: PreparedTurn): readonly (readonly [string, Json])[] {
  const ways = waysFrom(flow, state.node)
  const follow = new Set(ways.map((edge) => edge.to))
  const elsewhere = flow.nodes.find(({ key }) => !follow.has(key))
  const isCertain = ways.some(({ condition }) => condition === null)
  const [way] = ways
  return [
    ['neither a next step nor the end', {}],
    ['a next step that does not exist', { next_node: 'no_such_step' }],
    ['a next step that is a number', { next_node: 7 }],
    ['an end that is a text', { leaf: 'true' }],
    ...(next === null ? [] : [['a next step and the end', { ...to, leaf: true }] as const]),
    ...(elsewhere === undefined ? [] : [['a step that no edge leads to', { next_node: elsewhere.key }] as const]),
    ...(isCertain ? [['the end where an edge always holds', { leaf: true }] as const] : []),
    ...(way === undefined ? [] : [['a next step in a list', { next_node: [way.to] }] as const]),
  ]
}

/** A file for a field that takes text, and the other way round. */
function otherShapes(play: Running, turn: PreparedTurn): readonly BadAct[] {
  const { state, flow, runId } = play
  const submit = (answers: readonly unknown[]) => actorOf(play, turn.party).answer(runId, { answers, ...turn.to })
  const others = (slug: string) => turn.items.filter((item) => item.slug !== slug)
  return turn.items.flatMap((item): readonly BadAct[] => {
    const field = fieldsOf(nodeOf(flow, state.node)).find(({ slug }) => slug === item.slug)
    const isFile = kindOf(field?.field_type ?? 'text') === 'file'
    const value = JSON.stringify({ _enc_file: 'af_019a0000-0000-7000-8000-00000000dead' })
    const wrong = { ...item, values: item.values.map((copy) => ({ ...copy, value })) }
    const name = isFile ? 'a file that was not uploaded' : 'a file for a text'
    return [{ name, key: INVALID, act: () => submit([...others(item.slug), wrong]) }]
  })
}

function otherActors(play: Running, turn: PreparedTurn): readonly BadAct[] {
  const { cast, flow, runId, door, lane, other, dice } = play
  const own = userOf(cast, turn.party)
  const waiting = flow.parties.filter(({ key }) => userOf(cast, key) !== own)
  const body = { answers: turn.items, ...turn.to }
  const acts: BadAct[] = [
    {
      name: 'a turn of a run that does not exist',
      key: 'flows.run_not_found',
      act: () => actorOf(play, turn.party).answer(MISSING, body),
    },
    {
      name: 'a turn by another service',
      key: 'flows.run_not_found',
      act: () => door.owner(other.service).answer(runId, body),
    },
  ]
  const bystander = lane.customers.find((one) => ![...cast.customers.values()].includes(one))
  if (bystander !== undefined)
    acts.push({
      name: 'a turn by a customer who takes no part',
      key: 'flows.run_not_found',
      act: () => door.customer(bystander).answer(runId, body),
    })
  if (waiting.length === 0) return acts
  const early = pickParty(dice, waiting)
  return [
    ...acts,
    {
      name: 'a turn of another party',
      key: 'flows.not_your_turn',
      act: () => actorOf(play, early).answer(runId, body),
    },
    {
      name: 'an upload of another party',
      key: 'flows.not_your_turn',
      act: () => actorOf(play, early).upload(runId, { slug: 'any', for_user_id: own.userId, value: 'x' }),
    },
  ]
}

function pickParty(dice: Dice, parties: readonly { readonly key: string }[]): string {
  return dice.pick(parties).key
}

function badUploads(play: Running, turn: PreparedTurn): readonly BadAct[] {
  const { state, flow, runId, cast } = play
  const upload = (body: { slug: unknown; for_user_id: unknown; value: unknown }) => () =>
    actorOf(play, turn.party).upload(runId, body)
  const fields = fieldsOf(nodeOf(flow, state.node))
  const text = fields.find(({ field_type }) => kindOf(field_type) !== 'file')
  const file = fields.find(({ field_type }) => kindOf(field_type) === 'file')
  const reader = cast.company.userId
  const none = { slug: 'no_such_field', for_user_id: reader, value: 'x' }
  const acts: BadAct[] = [{ name: 'an upload for no field', key: INVALID, act: upload(none) }]
  if (text !== undefined)
    acts.push({ name: 'an upload for a text', key: INVALID, act: upload({ ...none, slug: text.slug }) })
  if (file === undefined) return acts
  const own = { slug: file.slug, for_user_id: reader, value: 'x' }
  return [
    ...acts,
    { name: 'an upload for a stranger', key: STRANGER, act: upload({ ...own, for_user_id: MISSING }) },
    { name: 'an upload in the clear', key: CLEAR, act: upload(own) },
    {
      name: 'an upload that is too large',
      key: 'flows.answer_file_too_large',
      act: upload({ ...own, value: TOO_LONG }),
    },
  ]
}

/** After the last turn: nothing moves the run any more. */
export function badEnds(play: Running): readonly BadAct[] {
  const { flow, dice, runId, state } = play
  const actor = actorOf(play, pickParty(dice, flow.parties))
  const isClosed = state.status === 'completed' || state.status === 'cancelled'
  const key = 'flows.run_not_awaiting'
  const file = { slug: 'any', for_user_id: play.cast.company.userId, value: 'x' }
  return [
    { name: `a turn when ${state.status}`, key, act: () => actor.answer(runId, { answers: [], leaf: true }) },
    { name: `an upload when ${state.status}`, key, act: () => actor.upload(runId, file) },
    ...(isClosed ? [{ name: 'a second end', key: 'flows.run_closed', act: () => actor.cancel(runId, null) }] : []),
  ]
}
