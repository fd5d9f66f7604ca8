import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openRuns, pathOf, RUNS } from './testing/runs.ts'

const world = await openWorld()
const DEADLINE_MS = 15_000

test('a webhook gets the turns, the completion and the cancel of runs, without slugs or values [EVENT-23] [EVENT-24] [EVENT-26]', async () => {
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
  const common = ['at', 'connection_id', 'event', 'flow_run_id', 'id', 'person_user_id', 'service_id', 'share_code']
  for (const event of events) {
    expect(JSON.stringify(event)).not.toMatch(/nick|reference|amount|_enc|enough/)
    const members = Object.keys(event).filter((name) => name !== 'awaiting_party' && name !== 'cancelled_by')
    expect(members.toSorted()).toEqual(common)
  }
})

test('every cancel is an event of the service and of its customers, and no completion [EVENT-24]', async () => {
  const own = await openRuns(world)
  const { id } = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, id)).status === 200)
  await own.service.drain()
  const cancelled = await bodyOf(
    own.partner.calls('POST', `${pathOf(own.partner, id)}/decline`, { body: { reason: 'no' } }),
  )
  expect(cancelled).toMatchObject({ status: 'cancelled', cancelled_by: 'partner', cancel_reason: 'no' })
  expect(await own.service.events(1)).toMatchObject([
    { event: 'flow_cancelled', flow_run_id: id, cancelled_by: 'partner' },
  ])
  await waitUntil('the person sees it', DEADLINE_MS, async () => {
    return (await own.readAs(own.customer, id)).body['status'] === 'cancelled'
  })
  expect((await own.readAs(own.customer, id)).body).toMatchObject({ cancelled_by: 'partner' })
  const byOwner = await own.begun()
  await bodyOf(own.service.data('POST', `${RUNS}/${byOwner.id}/cancel`))
  const byEnd = await own.begun()
  await waitUntil('it has arrived', DEADLINE_MS, async () => (await own.readAs(own.partner, byEnd.id)).status === 200)
  await bodyOf(own.customer.calls('DELETE', `/api/company-connections/${own.customer.connectionId}`), 204)
  const told = (await own.service.events(5)).filter(({ event }) => event.startsWith('flow_'))
  const cancels = [
    { event: 'flow_cancelled', flow_run_id: byOwner.id, cancelled_by: 'us' },
    { event: 'flow_cancelled', flow_run_id: byEnd.id, cancelled_by: 'customer' },
  ]
  expect(told.filter(({ event }) => event !== 'flow_run_turn')).toMatchObject(cancels)
  const feed: Record<string, unknown>[] = []
  await waitUntil('the company customer has all three', DEADLINE_MS, async () => {
    const drained = await bodyOf(own.partner.calls('GET', '/api/customer/changes'))
    const events = (drained['changes'] ?? drained['events'] ?? drained['items']) as Record<string, unknown>[]
    feed.push(...events.filter(({ event }) => event === 'flow_cancelled' || event === 'flow_completed'))
    return feed.length >= 3
  })
  const mine = [{ event: 'flow_cancelled', flow_run_id: id, cancelled_by: 'partner' }, ...cancels]
  expect(feed).toEqual(mine.map((event) => expect.objectContaining(event)))
})
