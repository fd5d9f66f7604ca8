import { describe, expect, test } from 'vitest'
import { computed, type DeskOptions, fillIn, openDesk, person, reasonOf, service } from '../../test/plugin-desk.ts'
import { COMPANY, copyFor, field, PERSON, postedTo, RUN } from '../../test/stub-run.ts'
import { type FlowAnswers, FlowError, type PluginError } from '../index.ts'

test('a field is filled block by block; its answer follows the snapshot of the flow [FLOW-22]', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  expect(offer.problem).toBeNull()
  expect(await offer.options('product', 'LAR')).toEqual({ options: [{ id: 'large', label: 'Large' }], more: false })
  await fillIn(offer)
  const answer = await offer.answer()
  expect(answer).toMatchObject({ kind: 'answered', outputs: { rate: 10, note: null } })
  expect(JSON.parse(offer.text ?? '')).toEqual({
    plugin: 'Loans',
    type: 'loan',
    blocks: [
      { key: 'product', kind: 'search_select', label: 'Product', id: 'small', value: 'Small' },
      { key: 'plan', kind: 'search_select', label: 'Plan', id: 'small-monthly', value: 'monthly' },
      { key: 'months', kind: 'number', label: 'Months', value: 10 },
    ],
    outputs: [
      { key: 'rate', type: 'number', label: 'Rate', value: 10 },
      { key: 'note', type: 'text', label: 'Note', value: null },
    ],
  })
})

test('a turn with a plugin field seals its answer for every party, never as private [SDK-30] [FLOW-23]', async () => {
  await using desk = await openDesk({ inputs: { amount: 'income' } })
  const offer = await desk.open()
  await fillIn(offer)
  const answers = { amount: { value: 50, private: true }, offer: { plugin: offer } }
  await desk.stub.client.flows.answer(RUN, answers, service.key)
  const [submitted] = postedTo(desk.stub.region.received, '/answers')
  expect(submitted?.answers.map(({ slug, source_private: isPrivate }) => [slug, isPrivate])).toEqual([
    ['amount', true],
    ['offer', false],
  ])
  expect(await service.key.open(copyFor(submitted, 'offer', COMPANY))).toBe(offer.text)
  expect(await person.key.open(copyFor(submitted, 'offer', PERSON))).toBe(offer.text)
})

test('inputs are those of the present answers; a changed one asks for the outputs again before the turn [SDK-25]', async () => {
  await using desk = await openDesk()
  const { flows } = desk.stub.client
  const offer = await desk.open(30)
  await fillIn(offer)
  await offer.answer()
  computed.length = 0
  const turn = (amount: number) => ({ amount: { value: amount }, offer: { plugin: offer } })

  expect((await flows.step(RUN, service.key, turn(30))).problems).toEqual([])
  expect((await flows.step(RUN, service.key, turn(40))).problems).toMatchObject([{ slug: 'offer', reason: 'missing' }])
  await flows.answer(RUN, turn(40), service.key)
  expect(computed).toEqual([{ amount: 80, married: true }])
  const [submitted] = postedTo(desk.stub.region.received, '/answers')
  const answer = JSON.parse(await service.key.open(copyFor(submitted, 'offer', COMPANY))) as { outputs: unknown[] }
  expect(answer.outputs[0]).toMatchObject({ key: 'rate', value: 8 })

  await flows.answer(RUN, turn(40), service.key)
  expect(computed).toHaveLength(1)
})

test('picks that do not fit a changed input are cleared, and nothing is sent [SDK-29]', async () => {
  await using desk = await openDesk()
  const offer = await desk.open(50)
  await fillIn(offer)
  await offer.answer()
  const turn = { amount: { value: 60 }, offer: { plugin: offer } }
  const error = await reasonOf(desk.stub.client.flows.answer(RUN, turn, service.key))
  expect(error).toBeInstanceOf(FlowError)
  expect(error).toMatchObject({ problems: [{ slug: 'offer', reason: 'picks_invalid' }] })
  expect(offer.blocks).toEqual({ months: 10 })
  expect(offer.text).toBeNull()
  expect(postedTo(desk.stub.region.received, '/answers')).toEqual([])
  expect((await offer.options('product')).options).toEqual([{ id: 'large', label: 'Large' }])
})

test.each<[string, object, object, string]>([
  ['unwired', {}, {}, 'unwired'],
  ['without an answer', { amount: 'no_such_key' }, {}, 'unanswered'],
  ['not convertible', { amount: 'family' }, {}, 'not_convertible'],
  ['a private value', { amount: 'income' }, { private_slugs: ['income'] }, 'other_party_private'],
  ['computed from a private value', { amount: 'from_income' }, { private_slugs: ['income'] }, 'other_party_private'],
])(
  'a required input that is %s keeps the field unanswerable, without a call [SDK-26]',
  async (_, inputs, run, reason) => {
    await using desk = await openDesk({ inputs, run })
    const offer = await desk.open()
    const expected = { reason: 'inputs_missing', inputs: { amount: reason } }
    expect(offer.problem).toMatchObject(expected)
    expect(await reasonOf(offer.options('product'))).toMatchObject(expected)
    expect(await reasonOf(offer.answer())).toMatchObject(expected)
    expect(desk.forwarder.received).toEqual([])
  },
)

test('an optional input without a usable value is left out of the call [SDK-26]', async () => {
  computed.length = 0
  await using desk = await openDesk({ run: { private_slugs: ['family'] } })
  const offer = await desk.open()
  await fillIn(offer)
  await offer.answer()
  expect(computed).toEqual([{ amount: 100 }])
})

describe('a plugin is not sent', () => {
  const listed = { private_slugs: ['income'] }
  const given = { amount: { value: 50, private: true } }
  const copied = field('fee', { field_type: 'number', default: { type: 'ref', key: 'income' } })
  const mine = field('fee', { field_type: 'number', default: { type: 'ref', key: 'amount' } })

  test.each<[string, DeskOptions, FlowAnswers]>([
    ['an answer that the run lists as private', { inputs: { amount: 'income' }, run: listed }, {}],
    ['a constant that reads one', { inputs: { amount: 'from_income' }, run: listed }, {}],
    ['a default that reads one', { inputs: { amount: 'fee' }, run: listed, fields: [copied] }, {}],
    ['what is typed over such a default', { inputs: { amount: 'fee' }, run: listed, fields: [copied] }, fee(7)],
    ['an answer of this step from a private source', { inputs: { amount: 'amount' } }, given],
    ['a constant that reads that', { inputs: { amount: 'double' } }, given],
    ['a default that reads that', { inputs: { amount: 'fee' }, fields: [mine] }, given],
  ])('%s [SDK-27]', async (_, options, answers) => {
    await using desk = await openDesk(options)
    const offer = await desk.open(50, answers)
    expect(offer.problem).toMatchObject({ inputs: { amount: 'other_party_private' } })
    expect(await reasonOf(offer.options('product'))).toMatchObject({ reason: 'inputs_missing' })
    expect(desk.forwarder.received).toEqual([])
  })

  test('a copy of another party [SDK-27]', async () => {
    const theirs = { slug: 'income', for_user_id: PERSON, value: await service.seal('40') }
    await using desk = await openDesk({ inputs: { amount: 'income' }, run: { answers: [theirs] } })
    expect((await desk.open()).problem).toMatchObject({ inputs: { amount: 'unanswered' } })
  })

  test('an answer that becomes private while the field is filled [SDK-27]', async () => {
    await using desk = await openDesk()
    const offer = await desk.open()
    offer.pick('product', { id: 'small', label: 'Small' })
    offer.pick('plan', { id: 'small-monthly', label: 'monthly' })
    offer.fill('months', 10)
    const turn = { ...given, offer: { plugin: offer } }
    expect(await reasonOf(desk.stub.client.flows.answer(RUN, turn, service.key))).toMatchObject({
      inputs: { amount: 'other_party_private' },
    })
    expect(desk.forwarder.received).toEqual([])
  })
})

function fee(value: number): FlowAnswers {
  return { fee: { value } }
}

test('in a run without private_slugs every value of another party counts as private [SDK-28]', async () => {
  await using listed = await openDesk({ inputs: { amount: 'income' } })
  expect((await listed.open()).problem).toBeNull()
  await using unlisted = await openDesk({ inputs: { amount: 'income' }, run: { private_slugs: null } })
  expect((await unlisted.open()).problem).toMatchObject({ inputs: { amount: 'other_party_private' } })
  await using own = await openDesk({ inputs: { amount: 'amount' }, run: { private_slugs: null } })
  expect((await own.open()).problem).toBeNull()
})

test('another pick clears the blocks below it; unknown and unfilled blocks are refused before a call', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  const refused = async (promise: Promise<unknown>) => ((await reasonOf(promise)) as PluginError).reason
  expect(await refused(offer.options('plan'))).toBe('blocks_missing')
  expect(await refused(offer.options('months'))).toBe('unknown_block')
  expect(await refused(offer.answer())).toBe('blocks_missing')
  expect(desk.forwarder.received).toEqual([])
  await fillIn(offer)
  offer.pick('product', { id: 'small', label: 'Small' })
  expect(Object.keys(offer.blocks)).toEqual(['product', 'plan', 'months'])
  offer.pick('product', { id: 'large', label: 'Large' })
  expect(Object.keys(offer.blocks)).toEqual(['product', 'months'])
  expect(() => offer.fill('months', '10')).toThrow('not of the type')
  expect(() => offer.fill('plan', 1)).toThrow('no such block')
  offer.clear('months')
  expect(Object.keys(offer.blocks)).toEqual(['product'])
})
