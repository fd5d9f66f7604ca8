import { bodyOf, flowAuthor, openWorld, sealTo, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, intake, openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const runs = await openRuns(world)
const { service, customer, partner, targets } = runs
const us = service.company.companyId
const DEADLINE_MS = 15_000

const keyOf = async (answering: Promise<{ readonly status: number; readonly body: Record<string, unknown> }>) => {
  const { status, body } = await answering
  return [status, body['error_key']]
}

/** Waits until the customer's region has this status of the run. */
async function arrived(who: Bound, id: string, status: string): Promise<Record<string, unknown>> {
  await waitUntil(`${status} has arrived`, DEADLINE_MS, async () => {
    return (await runs.readAs(who, id)).body['status'] === status
  })
  return (await runs.readAs(who, id)).body
}

/** A turn of the owner with these answers. */
const submit = (id: string, answers: readonly object[], to: object = { next_node: 'tell' }) =>
  service.data('POST', `${RUNS}/${id}/answers`, { body: { answers, ...to } })

/** Uploads the customer's copies of a file; answers the handle of each. */
async function upload(id: string) {
  const values: { for_user_id: string; value: string }[] = []
  const sealed = await runs.copies('{"file":"data:text/plain;base64,aGk=","original_name":"hi.txt"}')
  for (const { for_user_id, value } of sealed) {
    const body = { slug: 'proof', for_user_id, value }
    const stored = await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answer-files`, { body }), 201)
    expect(stored).toEqual({ file: expect.stringMatching(/^af_[0-9a-f-]{36}$/) })
    values.push({ for_user_id, value: JSON.stringify({ _enc_file: stored['file'] }) })
  }
  return { values, sealed }
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

test('three parties in two regions take their turns, and the answers become values [REGION-10] [RUN-39] [RUN-41] [TURN-08] [TURN-13] [TURN-22] [TURN-27]', async () => {
  const { id } = await runs.begun()
  expect(await runs.read(id)).toMatchObject({ status: 'awaiting_us', current_node: 'ask', answers: [] })
  await bodyOf(runs.answer(id, { amount: '250' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  const told = [
    { slug: 'note', values: await runs.copies('psst'), source_private: true },
    { slug: 'nick', values: await runs.copies('Mara'), source_private: true },
  ]
  const open = { body: { answers: told, next_node: 'prove' } }
  await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, open))
  const { values, sealed } = await upload(id)
  const proof = { answers: [{ slug: 'proof', values, source_private: true }], next_node: 'confirm' }
  const proved = await bodyOf(customer.calls('POST', `${pathOf(customer, id)}/answers`, { body: proof }))
  expect(proved).toMatchObject({ status: 'awaiting_partner', private_slugs: ['nick', 'note', 'proof'] })
  const theirs = await arrived(partner, id, 'awaiting_partner')
  const keys = { body: { user_ids: [customer.userId] } }
  expect((await bodyOf(partner.calls('POST', '/api/keys/batch', keys)))['keys']).toEqual({
    [customer.userId]: customer.publicKey,
  })
  expect(theirs).toMatchObject({ connection_id: partner.connectionId, private_slugs: ['nick', 'note', 'proof'] })
  const ended = await bodyOf(runs.answerAs(partner, id, { reference: 'R-7' }, { leaf: true }))
  expect(ended).toMatchObject({ id, status: 'completed' })
  const done = await runs.read(id)
  expect(done).toMatchObject({ status: 'completed', current_node: 'confirm', private_slugs: ['nick', 'note', 'proof'] })
  const answers = done['answers'] as { slug: string; for_user_id: string; value: string }[]
  expect(answers.map(({ slug }) => slug)).toEqual(['amount', 'nick', 'note', 'proof', 'reference'])
  expect(new Set(answers.map((one) => one.for_user_id))).toEqual(new Set([us]))
  const texts = answers.filter(({ slug }) => slug !== 'proof').map(({ value }) => service.open(value))
  expect(await Promise.all(texts)).toEqual(['250', 'Mara', 'psst', 'R-7'])
  expect(answers[3]?.value).toBe(values[0]?.value)

  // Each reader gets the own copy of the file, and no other.
  const own = sealed.map(({ value }) => value)
  const slot = await service.download(`${RUNS}/${id}/slots/proof/file`)
  expect(JSON.parse(slot.bytes.toString())).toEqual({ encrypted: true, value: own[0] })
  expect(JSON.parse(await service.open(own[0]))).toMatchObject({ original_name: 'hi.txt' })
  for (const [who, copy, at] of [
    [customer, own[1], 1],
    [partner, own[2], 2],
  ] as const) {
    const file = (JSON.parse(values[at]?.value ?? '{}') as { _enc_file: string })._enc_file
    await arrived(who, id, 'completed')
    const read = await who.calls('GET', `${pathOf(who, id)}/answer-files/${file}`)
    expect(JSON.stringify(read.body)).toBe(copy)
    const foreign = (JSON.parse(values[0]?.value ?? '{}') as { _enc_file: string })._enc_file
    expect(await keyOf(who.calls('GET', `${pathOf(who, id)}/answer-files/${foreign}`))).toEqual([
      404,
      'company_data.file_not_found',
    ])
  }

  expect(await service.value(customer.connectionId, 'nick')).toBe('Mara')
  expect(await service.value(partner.connectionId, 'reference')).toBe('R-7')
  expect(await service.value(customer.connectionId, 'amount')).toBeNull()
  const record = await service.read(customer.connectionId)
  expect(record?.['values']).toMatchObject({
    nick: { flow_id: runs.flowId },
    proof: { value_url: `${RUNS}/${id}/slots/proof/file`, live: false },
  })
  expect(record?.['values_private']).toMatchObject({ nick: true, note: true, proof: true })
  expect((await service.read(partner.connectionId))?.['values_private']).toMatchObject({ reference: false })
})

/** Leaves the step of the file without one: whether a field is required is the business of clients. */
const STEP_ON = { answers: [], next_node: 'confirm' }

test('the feeds of the service and of a company customer name turns and the end, without slugs or values [EVENT-23] [EVENT-24] [EVENT-26] [TURN-12] [TURN-13]', async () => {
  const own = await openRuns(world)
  await own.service.drain()
  const { id } = await own.begun()
  await bodyOf(own.answer(id, { amount: '1' }, { next_node: 'tell' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.customer, id)).status === 200)
  await bodyOf(own.answerAs(own.customer, id, { nick: 'M' }, { next_node: 'prove' }))
  await bodyOf(own.customer.calls('POST', `${pathOf(own.customer, id)}/answers`, { body: STEP_ON }))
  await waitUntil('it is their turn', DEADLINE_MS, async () => {
    return (await own.readAs(own.partner, id)).body['status'] === 'awaiting_partner'
  })
  await bodyOf(own.answerAs(own.partner, id, { reference: 'R' }, { leaf: true }))
  const events = await own.service.events(6)
  const { userId: person_user_id, connectionId: connection_id } = own.customer
  const about = { flow_run_id: id, person_user_id, share_code: own.person.shareCode, connection_id }
  expect(events).toMatchObject([
    { event: 'flow_run_turn', awaiting_party: 'us', ...about },
    { event: 'flow_run_turn', awaiting_party: 'customer', ...about },
    { event: 'flow_run_turn', awaiting_party: 'partner', ...about },
    { event: 'field_updated', slug: expect.any(String), flow_id: own.flowId },
    { event: 'field_updated', slug: expect.any(String), flow_id: own.flowId },
    { event: 'flow_completed', ...about },
  ])
  const names = ['at', 'connection_id', 'event', 'flow_run_id', 'id', 'person_user_id', 'service_id', 'share_code']
  for (const event of events.filter((one) => one.event.startsWith('flow_'))) {
    expect(JSON.stringify(event)).not.toMatch(/nick|reference|amount|_enc/)
    const members = Object.keys(event).filter((name) => name !== 'awaiting_party' && name !== 'customer_type')
    expect(members.toSorted()).toEqual(names)
  }
  const feed = await bodyOf(own.partner.calls('GET', '/api/customer/changes'))
  const kinds = (feed['changes'] ?? feed['events'] ?? feed['items']) as { event: string; flow_run_id?: string }[]
  expect(kinds.filter((one) => one.flow_run_id === id).map(({ event }) => event)).toContain('flow_completed')
})

test('what a turn may not be is refused and changes nothing [FLOW-05] [TURN-03] [TURN-04] [TURN-05] [TURN-06] [TURN-07] [TURN-09] [TURN-10] [TURN-11]', async () => {
  const { id } = await runs.begun()
  const before = await runs.read(id)
  const values = await runs.copies('5')
  const [first, ...rest] = values
  const amount = { slug: 'amount', values }
  const wrapper = JSON.parse(first?.value ?? '') as object
  const stranger = { for_user_id: runs.flowId, value: first?.value }
  for (const [key, ...answers] of [
    ['flows.answer_invalid', { values }],
    ['flows.answer_invalid', { slug: 'nick', values }],
    ['flows.answer_invalid', amount, amount],
    ['flows.answer_invalid', { ...amount, source_private: 'yes' }],
    ['flows.answer_invalid', { ...amount, source_private: null }],
    ['flows.answer_party_missing', { slug: 'amount' }],
    ...[[], rest, values.slice(0, 2)].map((few) => ['flows.answer_party_missing', { slug: 'amount', values: few }]),
    ['flows.answer_party_invalid', { slug: 'amount', values: [...values, stranger] }],
    ...[wrapper, JSON.stringify({ ...wrapper, more: 1 }), '{"_enc_file":"x"}', '5', 5, null].map((value) => [
      'contact_data.encryption_required',
      { slug: 'amount', values: [{ ...first, value }, ...rest] },
    ]),
  ] as readonly (readonly [string, ...(readonly object[])])[])
    expect([answers, await keyOf(submit(id, answers))]).toEqual([answers, [400, key]])
  for (const to of [
    {},
    { next_node: 'confirm' },
    { next_node: 'ask' },
    { next_node: 'none' },
    { leaf: true },
    { next_node: 'tell', leaf: true },
  ])
    expect([to, await keyOf(submit(id, [amount], to))]).toEqual([to, [400, 'flows.next_node_invalid']])
  await arrived(customer, id, 'awaiting_us')
  const notTheirs = [403, 'flows.not_your_turn']
  expect(await keyOf(runs.answerAs(customer, id, { amount: '1' }, { next_node: 'tell' }))).toEqual(notTheirs)
  expect(await runs.read(id)).toEqual(before)
  await bodyOf(submit(id, [amount]))
  expect(await keyOf(runs.answer(id, { nick: 'x' }, { next_node: 'confirm' }))).toEqual(notTheirs)
  await bodyOf(service.data('POST', `${RUNS}/${id}/cancel`, { body: { reason: 'enough' } }))
  expect(await keyOf(submit(id, [amount]))).toEqual([409, 'flows.run_not_awaiting'])
  expect(await keyOf(service.data('POST', `${RUNS}/${id}/cancel`))).toEqual([409, 'flows.run_closed'])
})

test('an upload needs a file field of the step and a bound reader, and its handle only that field and reader [TURN-18]', async () => {
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '250' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  const post = (who: Bound, body: object) => keyOf(who.calls('POST', `${pathOf(who, id)}/answer-files`, { body }))
  const value = await sealTo(customer.publicKey, 'x')
  const own = { slug: 'nick', for_user_id: customer.userId, value }
  // No file field, and the file field of a later step.
  for (const slug of ['nick', 'proof'])
    expect(await post(customer, { ...own, slug })).toEqual([400, 'flows.answer_invalid'])
  await bodyOf(runs.answerAs(customer, id, { nick: 'Mara' }, { next_node: 'prove' }))
  for (const slug of ['nick', 'none'])
    expect(await post(customer, { ...own, slug })).toEqual([400, 'flows.answer_invalid'])
  const proof = { ...own, slug: 'proof' }
  expect(await post(customer, { ...proof, for_user_id: runs.flowId })).toEqual([400, 'flows.answer_party_invalid'])
  expect(await post(customer, { ...proof, value: 'plain' })).toEqual([400, 'contact_data.encryption_required'])
  expect(await post(partner, { ...proof, for_user_id: partner.userId })).toEqual([403, 'flows.not_your_turn'])
  const body = { ...proof, for_user_id: us }
  expect(await keyOf(service.data('POST', `${RUNS}/${id}/answer-files`, { body }))).toEqual([
    403,
    'flows.not_your_turn',
  ])
  const { values } = await upload(id)
  const answer = (given: readonly object[], who: Bound = customer) =>
    who.calls('POST', `${pathOf(who, id)}/answers`, {
      body: { answers: [{ slug: 'proof', values: given }], next_node: 'confirm' },
    })
  // Whose turn it is comes before the files of another party.
  expect(await keyOf(answer(values, partner))).toEqual([403, 'flows.not_your_turn'])
  // The company's copy in place of the partner's.
  const swapped = [...values.slice(0, 2), { ...values[2], value: values[0]?.value }]
  expect(await keyOf(answer(swapped))).toEqual([400, 'flows.answer_invalid'])
  const more = values.map((copy) => ({ ...copy, value: copy.value.replace('}', ',"more":1}') }))
  expect(await keyOf(answer(more))).toEqual([400, 'contact_data.encryption_required'])
  expect((await bodyOf(answer(values)))['answers']).toContainEqual({ slug: 'proof', ...values[1] })
})

test('the relay knows no answer: conditions, types, bounds and what is required are not checked [EXPR-38]', async () => {
  const bound = { type: 'lit', value_type: 'number', value: 10 }
  const nodes = intake().nodes.map((node) =>
    node.key === 'ask'
      ? { ...node, elements: [{ ...node.elements[0], max: bound, min: bound, default: bound }] }
      : node,
  )
  const { flowId } = await flowAuthor(service).published(intake({ nodes }))
  const begin = async () => {
    const started = service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { targets } })
    return String((await bodyOf(started, 201))['id'])
  }
  for (const answers of [{}, { amount: '7' }])
    expect(await bodyOf(runs.answer(await begin(), answers, { next_node: 'tell' }))).toMatchObject({
      current_node: 'tell',
    })
  const id = await begin()
  // A number field that holds a text, and an edge that needs a number above 100.
  await bodyOf(runs.answer(id, { amount: 'no number' }, { next_node: 'tell' }))
  await arrived(customer, id, 'awaiting_customer')
  expect(await keyOf(runs.answerAs(customer, id, {}, { next_node: 'ask' }))).toEqual([400, 'flows.next_node_invalid'])
  expect(await bodyOf(runs.answerAs(customer, id, {}, { next_node: 'prove' }))).toMatchObject({ current_node: 'prove' })
})

test('the party of a step without elements ends the run; a step with a certain edge does not end it [TURN-36]', async () => {
  const silent = intake({
    nodes: [...intake().nodes.slice(0, 2), { key: 'last', party: 'partner', title: 'Last', elements: [] }],
    edges: [
      { from: 'ask', to: 'tell', sort: 0, condition: null },
      { from: 'tell', to: 'last', sort: 0, condition: { field: 'nick', op: 'answered' } },
    ],
  })
  const own = await openRuns(world, silent)
  const { id } = await own.begun()
  const see = (who: Bound, status: string) =>
    waitUntil(status, DEADLINE_MS, async () => (await own.readAs(who, id)).body['status'] === status)
  expect(await keyOf(own.answer(id, { amount: '1' }, { leaf: true }))).toEqual([400, 'flows.next_node_invalid'])
  await bodyOf(own.answer(id, { amount: '1' }, { next_node: 'tell', next_party: 'ignored' }))
  await see(own.customer, 'awaiting_customer')
  expect(await bodyOf(own.answerAs(own.customer, id, { nick: 'M' }, { next_node: 'last' }))).toMatchObject({
    status: 'awaiting_partner',
    current_node: 'last',
  })
  await see(own.partner, 'awaiting_partner')
  expect(await keyOf(own.answerAs(own.customer, id, {}, { leaf: true }))).toEqual([403, 'flows.not_your_turn'])
  expect(await bodyOf(own.answerAs(own.partner, id, {}, { leaf: true }))).toMatchObject({
    status: 'completed',
    current_node: 'last',
  })
  const other = await own.begun()
  await bodyOf(own.answer(other.id, { amount: '1' }, { next_node: 'tell' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => {
    return (await own.readAs(own.customer, other.id)).body['status'] === 'awaiting_customer'
  })
  // All edges are conditional: the party says that none holds.
  expect(await bodyOf(own.answerAs(own.customer, other.id, {}, { leaf: true }))).toMatchObject({ status: 'completed' })
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
  const { flowId } = await flowAuthor(service).published(intake({ constants }))
  const run = await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body: { targets } }), 201)
  const id = String(run['id'])
  const values = await runs.copies('7')
  expect(await keyOf(submit(id, [{ slug: 'square', values }]))).toEqual([400, 'flows.answer_invalid'])
  const after = await bodyOf(submit(id, [{ slug: 'amount', values }]))
  expect(after['answers']).toMatchObject([{ slug: 'amount' }])
  expect((await arrived(customer, id, 'awaiting_customer'))['answers']).toMatchObject([{ slug: 'amount' }])
})
