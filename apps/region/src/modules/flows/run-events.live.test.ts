import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openRuns, RUNS } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000

test('a webhook gets the turns, the completion and the cancel of runs, without slugs or values', async () => {
  const runs = await openRuns(world)
  const { service, customer, partner } = runs
  const { receiver } = await service.webhook({ events: ['flow_run_turn', 'flow_completed', 'flow_cancelled'] })
  const received = () => receiver.all.map(({ json }) => json)
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  const arrived = (who: typeof customer, status: string) =>
    waitUntil(status, DEADLINE_MS, async () => (await runs.readAs(who, id)).body['status'] === status)
  await arrived(customer, 'awaiting_customer')
  await bodyOf(runs.answerAs(customer, id, { nick: 'M' }, { next_node: 'confirm' }))
  await arrived(partner, 'awaiting_partner')
  await bodyOf(runs.answerAs(partner, id, { reference: 'R' }, { leaf: true }))
  const second = await runs.begun()
  await bodyOf(service.data('POST', `${RUNS}/${second.id}/cancel`, { body: { reason: 'enough' } }))
  await receiver.take(6)
  const about = { person_user_id: customer.userId, share_code: runs.person.shareCode, id: expect.any(String) }
  const at = expect.any(String)
  const run = { ...about, flow_run_id: id, at }
  const events = received()
  expect(events).toMatchObject([
    { event: 'flow_run_turn', awaiting_party: 'us', ...run },
    { event: 'flow_run_turn', awaiting_party: 'customer', ...run },
    { event: 'flow_run_turn', awaiting_party: 'partner', ...run },
    { event: 'flow_completed', ...run },
    { event: 'flow_run_turn', awaiting_party: 'us', ...about, flow_run_id: second.id, at },
    { event: 'flow_cancelled', cancelled_by: 'us', ...about, flow_run_id: second.id, at },
  ])
  for (const event of events) expect(JSON.stringify(event)).not.toMatch(/nick|reference|amount|_enc|enough/)
})
