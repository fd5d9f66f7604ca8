import { bodyOf, flowAuthor, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, flowId, targets } = runs
const us = service.company.companyId
const DEADLINE_MS = 15_000

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

const keyOf = async (answering: Answering) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

async function arrived(who: Bound, id: string, status: string) {
  await waitUntil(`${status} has arrived`, DEADLINE_MS, async () => {
    return (await runs.readAs(who, id)).body['status'] === status
  })
  return (await runs.readAs(who, id)).body
}

/** A turn of the owner with these answers. */
async function submit(id: string, answers: readonly object[], to: object = { next_node: 'tell' }) {
  return service.data('POST', `${RUNS}/${id}/answers`, { body: { answers, ...to } })
}

test('a turn stores one sealed copy per bound party and answers the run [TURN-01]', async () => {
  const { id } = await runs.begun()
  const values = await runs.copies('7')
  const run = await bodyOf(submit(id, [{ slug: 'amount', values }]))
  expect(run).toMatchObject({ id, status: 'awaiting_customer', current_node: 'tell' })
  expect(run['answers']).toEqual([{ slug: 'amount', for_user_id: us, value: values[0]?.value }])
  expect(await runs.read(id)).toEqual(run)
  const theirs = await arrived(customer, id, 'awaiting_customer')
  expect(theirs['answers']).toEqual([{ slug: 'amount', for_user_id: customer.userId, value: values[1]?.value }])
})

test('a value as a JSON object, or in the clear, answers contact_data.encryption_required [TURN-03] [TURN-07]', async () => {
  const { id } = await runs.begun()
  const [first, ...rest] = await runs.copies('7')
  const sealed = JSON.parse(first?.value ?? '') as object
  for (const value of [sealed, '7', 7, null, JSON.stringify({ ...sealed, more: 1 })])
    expect(await keyOf(submit(id, [{ slug: 'amount', values: [{ ...first, value }, ...rest] }]))).toEqual([
      400,
      'contact_data.encryption_required',
    ])
  expect(await runs.read(id)).toMatchObject({ answers: [] })
})

test('an answer without a copy for each party answers flows.answer_party_missing [TURN-04]', async () => {
  const { id } = await runs.begun()
  const values = await runs.copies('7')
  for (const few of [values.slice(1), values.slice(0, 2), [], undefined])
    expect(await keyOf(submit(id, [{ slug: 'amount', values: few }]))).toEqual([400, 'flows.answer_party_missing'])
})

test('a copy for a user who is no party answers flows.answer_party_invalid [TURN-05]', async () => {
  const { id } = await runs.begun()
  const values = await runs.copies('7')
  const more = [...values, { ...values[0], for_user_id: flowId }]
  expect(await keyOf(submit(id, [{ slug: 'amount', values: more }]))).toEqual([400, 'flows.answer_party_invalid'])
})

test('no slug, another step’s slug or an odd source_private answers flows.answer_invalid [TURN-06]', async () => {
  const { id } = await runs.begun()
  const values = await runs.copies('7')
  for (const item of [
    { values },
    { slug: 'nick', values },
    { slug: 'amount', values, source_private: 'yes' },
    { slug: 'amount', values, source_private: null },
  ])
    expect(await keyOf(submit(id, [item]))).toEqual([400, 'flows.answer_invalid'])
})

test('source_private is false unless told; private slugs are sorted and seen by every party [TURN-08] [RUN-41]', async () => {
  const { id } = await runs.begun()
  await bodyOf(submit(id, [{ slug: 'amount', values: await runs.copies('7') }]))
  await arrived(customer, id, 'awaiting_customer')
  const answers = await Promise.all(
    ['note', 'nick'].map(async (slug) => ({ slug, values: await runs.copies('x'), source_private: true })),
  )
  const body = { answers, next_node: 'confirm' }
  await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, { body }))
  expect(await runs.read(id)).toMatchObject({ private_slugs: ['nick', 'note'] })
  expect(await arrived(partner, id, 'awaiting_partner')).toMatchObject({ private_slugs: ['nick', 'note'] })
})

test('only a successor of the step may follow [TURN-09]', async () => {
  const { id } = await runs.begun()
  const amount = { slug: 'amount', values: await runs.copies('7') }
  for (const to of [
    {},
    { next_node: 'confirm' },
    { next_node: 'ask' },
    { next_node: 'none' },
    { next_node: 'tell', leaf: true },
  ])
    expect(await keyOf(submit(id, [amount], to))).toEqual([400, 'flows.next_node_invalid'])
  expect(await runs.read(id)).toMatchObject({ current_node: 'ask', answers: [] })
})

test('leaf is refused where an edge always holds; an empty last step ends by its own party [TURN-36]', async () => {
  const { id } = await runs.begun()
  const amount = { slug: 'amount', values: await runs.copies('7') }
  expect(await keyOf(submit(id, [amount], { leaf: true }))).toEqual([400, 'flows.next_node_invalid'])
  const nodes = intake().nodes.map((node) => (node.key === 'confirm' ? { ...node, elements: [] } : node))
  const { flowId: bare } = await flowAuthor(service).published(intake({ nodes }))
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${bare}/runs`, { body: { targets } }), 201)
  const at = String(run['id'])
  await bodyOf(submit(at, [amount]))
  await arrived(customer, at, 'awaiting_customer')
  await bodyOf(runs.answerAs(customer, at, { nick: 'M' }, { next_node: 'confirm' }))
  await arrived(partner, at, 'awaiting_partner')
  expect(await bodyOf(runs.answerAs(partner, at, {}, { leaf: true }))).toMatchObject({ status: 'completed' })
})

test('only the party of the step may fill it [TURN-10] [FLOW-05]', async () => {
  const { id } = await runs.begun()
  await arrived(customer, id, 'awaiting_us')
  expect(await keyOf(runs.answerAs(customer, id, { amount: '1' }, { next_node: 'tell' }))).toEqual([
    403,
    'flows.not_your_turn',
  ])
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  expect(await keyOf(runs.answer(id, { nick: 'x' }, { next_node: 'confirm' }))).toEqual([403, 'flows.not_your_turn'])
})

test('a run that awaits no turn answers flows.run_not_awaiting [TURN-11]', async () => {
  const { id } = await runs.begun()
  await bodyOf(service.data('POST', `${RUNS}/${id}/cancel`))
  expect(await keyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))).toEqual([409, 'flows.run_not_awaiting'])
})

test('next_node hands the turn on; the feed says so when the party changes [TURN-12]', async () => {
  const own = await openRuns(world)
  await own.service.drain()
  const { id } = await own.begun()
  await bodyOf(own.answer(id, { amount: '250' }, { next_node: 'tell' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => {
    return (await own.readAs(own.customer, id)).body['status'] === 'awaiting_customer'
  })
  const moved = await bodyOf(own.answerAs(own.customer, id, { nick: 'M' }, { next_node: 'prove' }))
  expect(moved).toMatchObject({ status: 'awaiting_customer', current_node: 'prove' })
  const events = await own.service.drain()
  expect(events.map((one) => [one.event, one['awaiting_party']])).toEqual([
    ['flow_run_turn', 'us'],
    ['flow_run_turn', 'customer'],
  ])
})

test('the end of a data_only run completes it, shares the answers and says so [TURN-13]', async () => {
  const own = await openRuns(world)
  const { id } = await own.begun()
  await bodyOf(own.answer(id, { amount: '5' }, { next_node: 'tell' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => {
    return (await own.readAs(own.customer, id)).body['status'] === 'awaiting_customer'
  })
  await bodyOf(own.answerAs(own.customer, id, { nick: 'Mara' }, { next_node: 'confirm' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => {
    return (await own.readAs(own.partner, id)).body['status'] === 'awaiting_partner'
  })
  await own.service.drain()
  await bodyOf(own.answerAs(own.partner, id, { reference: 'R-7' }, { leaf: true }))
  expect(await own.read(id)).toMatchObject({ status: 'completed' })
  expect(await own.service.value(own.customer.connectionId, 'nick')).toBe('Mara')
  expect(await own.service.value(own.partner.connectionId, 'reference')).toBe('R-7')
  expect((await own.service.drain()).map(({ event }) => event)).toEqual([
    'field_updated',
    'field_updated',
    'flow_completed',
  ])
})

test('the server evaluates no edge: the submitter chooses among the successors', async () => {
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '5' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  // The edge to the proof holds above 100 only.
  expect(await bodyOf(runs.answerAs(customer, id, { nick: 'M' }, { next_node: 'prove' }))).toMatchObject({
    current_node: 'prove',
  })
})

test('required answers and bounds are not checked by the answers route [EXPR-38]', async () => {
  const bound = { type: 'lit', value_type: 'number', value: 10 }
  const nodes = intake().nodes.map((node) =>
    node.key === 'ask'
      ? { ...node, elements: [{ ...node.elements[0], max: bound, min: bound, default: bound }] }
      : node,
  )
  const { flowId: bounded } = await flowAuthor(service).published(intake({ nodes }))
  const begin = async () =>
    String(
      (await bodyOf(service.data('POST', `/api/company-data/flows/${bounded}/runs`, { body: { targets } }), 201))['id'],
    )
  const amount = { slug: 'amount', values: await runs.copies('7') }
  expect(await bodyOf(submit(await begin(), [amount]))).toMatchObject({ current_node: 'tell' })
  expect(await bodyOf(submit(await begin(), []))).toMatchObject({ current_node: 'tell', answers: [] })
})

test('constants are neither stored nor sent: a slug of a constant is no answer', async () => {
  const expr = {
    type: 'math',
    op: 'mul',
    args: [
      { type: 'ref', key: 'amount' },
      { type: 'ref', key: 'amount' },
    ],
  }
  const constants = [{ key: 'square', label: '', result_type: 'number', expr, shown_on: ['tell'] }]
  const { flowId: computed } = await flowAuthor(service).published(intake({ constants }))
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${computed}/runs`, { body: { targets } }), 201)
  const id = String(run['id'])
  const values = await runs.copies('7')
  expect(await keyOf(submit(id, [{ slug: 'square', values }]))).toEqual([400, 'flows.answer_invalid'])
  const after = await bodyOf(submit(id, [{ slug: 'amount', values }]))
  expect(after['answers']).toMatchObject([{ slug: 'amount' }])
  expect((await arrived(customer, id, 'awaiting_customer'))['answers']).toMatchObject([{ slug: 'amount' }])
})
