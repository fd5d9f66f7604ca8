import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Bound, openRuns, pathOf, RUNS, type Runs } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000

type Answering = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>

/** A run that waits for the person, and has arrived there. */
async function waiting(runs: Runs): Promise<string> {
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  await settled(runs, id, [runs.customer, runs.partner])
  return id
}

/** Waits until the customers see what the company sees; answers it. */
async function settled(runs: Runs, id: string, customers: readonly Bound[]): Promise<Record<string, unknown>> {
  const ours = await runs.read(id)
  for (const who of customers)
    await waitUntil('both sides agree', DEADLINE_MS, async () => {
      const { body } = await runs.readAs(who, id)
      return body['status'] === ours['status'] && body['current_node'] === ours['current_node']
    })
  return ours
}

test('of many equal turns at once one is taken', async () => {
  const runs = await openRuns(world)
  const id = await waiting(runs)
  const turns = Array.from({ length: 8 }, () => runs.answerAs(runs.customer, id, { nick: 'M' }, { next_node: 'prove' }))
  const answers = await Promise.all(turns)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
  expect(await settled(runs, id, [runs.customer, runs.partner])).toMatchObject({ current_node: 'prove' })
})

test('two parties at the same moment: only the awaited one is heard', async () => {
  const runs = await openRuns(world)
  const id = await waiting(runs)
  const [theirs, ours] = await Promise.all([
    runs.answerAs(runs.customer, id, { nick: 'M' }, { next_node: 'confirm' }),
    runs.answer(id, { amount: '2' }, { next_node: 'tell' }),
  ])
  expect([theirs.status, ours.status]).toEqual([200, 403])
  expect(await settled(runs, id, [runs.customer, runs.partner])).toMatchObject({ status: 'awaiting_partner' })
})

const others: readonly (readonly [string, (runs: Runs, id: string) => Answering])[] = [
  ['a cancel of the company', ({ service }, id) => service.data('POST', `${RUNS}/${id}/cancel`)],
  ['a cancel of another customer', ({ partner }, id) => partner.calls('POST', `${pathOf(partner, id)}/cancel`)],
  [
    'the end of another connection',
    ({ service, partner }) => service.data('DELETE', `/api/company-data/connections/${partner.connectionId}`),
  ],
  [
    'the end of the own connection',
    ({ customer }) => customer.calls('DELETE', `/api/company-connections/${customer.connectionId}`),
  ],
]

test.each(others)('a turn against %s: both sides agree afterwards', async (_name, act) => {
  for (let round = 0; round < 2; round += 1) {
    const runs = await openRuns(world)
    const id = await waiting(runs)
    const [turn] = await Promise.all([
      runs.answerAs(runs.customer, id, { nick: 'M' }, { next_node: 'confirm' }),
      act(runs, id),
    ])
    expect([200, 409]).toContain(turn.status)
    const after = await settled(runs, id, [runs.customer, runs.partner])
    expect(after['status']).toBe('cancelled')
    expect(after['current_node']).toBe(turn.status === 200 ? 'confirm' : 'tell')
    const slugs = (body: Record<string, unknown>) => (body['answers'] as { slug: string }[]).map(({ slug }) => slug)
    const wanted = turn.status === 200 ? ['amount', 'nick'] : ['amount']
    expect(slugs(after)).toEqual(wanted)
    for (const who of [runs.customer, runs.partner]) expect(slugs((await runs.readAs(who, id)).body)).toEqual(wanted)
  }
})
