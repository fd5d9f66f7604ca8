import type { WebhookId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { keyOf, openServiceCaller, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Query, requestAnswered, type TestFeed, testFeed } from '../testing/feeds.ts'
import { tidyFeed } from '../upkeep.ts'
import { changeOutlet, openOutlet, type OutletChange, type OutletName } from './index.ts'

let two: TwoRegions
let feed: TestFeed

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_CHANGES: '6000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  feed = await openFeed()
})

const NONE = { changes: [], has_more: false }

async function openFeed(): Promise<TestFeed> {
  return testFeed(two.eu.core.feed, await openServiceCaller(two))
}

interface Hook {
  readonly query: Query
  change(change: OutletChange): Promise<unknown>
}

/** A webhook of the service whose backlog grows: it is paused. */
async function openPaused({ owner: { companyId, serviceId } }: TestFeed): Promise<Hook> {
  const { database, clock, ids } = two.eu.core
  const name: OutletName = { companyId, serviceId, webhookId: ids.uuid<WebhookId>() }
  const fresh = { kinds: null, isEnabled: true, isSuspended: false }
  await database.transaction((tx) => openOutlet(tx, { clock }, name, fresh))
  const change = (act: OutletChange): Promise<unknown> =>
    database.transaction((tx) => changeOutlet(tx, { clock }, name, act))
  await change({ act: 'pause' })
  return { query: { webhook_id: name.webhookId }, change }
}

test('with webhook_id the backlog of that webhook is drained, and nothing else is touched [FEED-03] [HOOK-32]', async () => {
  const [before] = await feed.append({})
  const [hook, other] = [await openPaused(feed), await openPaused(feed)]
  const ids = await feed.append({}, {}, {})
  const first = await feed.drain({ ...hook.query, limit: '2' })
  expect([first.status, first.ids, first.hasMore]).toEqual([200, ids.slice(0, 2), true])
  expect((await feed.drain(hook.query)).ids).toEqual(ids.slice(2))
  expect((await feed.drain(hook.query)).body).toEqual(NONE)
  expect((await feed.drain(other.query)).ids).toEqual(ids)
  expect((await feed.drain()).ids).toEqual([before, ...ids])
})

test('an event looks the same there as on the plain channel', async () => {
  const hook = await openPaused(feed)
  await feed.append({})
  const [byHand, plain] = [await feed.drain(hook.query), await feed.drain()]
  expect(byHand.changes).toEqual(plain.changes)
})

test('what a webhook sends as it comes is not drained', async () => {
  const hook = await openPaused(feed)
  await hook.change({ act: 'resume' })
  await feed.append({})
  expect((await feed.drain(hook.query)).body).toEqual(NONE)
})

test('a backlog is collapsed as the plain channel is', async () => {
  const hook = await openPaused(feed)
  const ids = await feed.append(
    requestAnswered('connection_request_accepted', feed.owner, 'ec2c61f8-0d6b-4ce4-a1c0-9a8ad9d1f9a1'),
    {},
    requestAnswered('connection_request_rejected', feed.owner, 'ec2c61f8-0d6b-4ce4-a1c0-9a8ad9d1f9a1'),
  )
  expect((await feed.drain(hook.query)).ids).toEqual(ids.slice(1))
})

test('rows older than 7 days are in no backlog and no feed any more, and are removed [RETAIN-08]', async () => {
  const hook = await openPaused(feed)
  await feed.append({})
  two.clock.advance(86_400_000)
  const [younger] = await feed.append({})
  two.clock.advance(6 * 86_400_000)
  for (const query of [hook.query, {}]) expect((await feed.drain(query)).ids).toEqual([younger])
  for (const ms of [86_400_000 + 7_200_000, 86_400_000]) {
    two.clock.advance(ms)
    await tidyFeed(two.eu.core.feed)
  }
  const sql = 'select no from feed.event where owner_id = $1'
  const { database } = two.eu.core
  expect(await database.read((read) => runStatement(read, sql, [feed.owner.serviceId]))).toEqual([])
})

test('an attempt is repeated on its own channel only', async () => {
  const hook = await openPaused(feed)
  const ids = await feed.append({}, {})
  const attempt = { ...hook.query, attempt_id: 'a' }
  const [first, again] = [await feed.drain(attempt), await feed.drain(attempt)]
  expect([first.ids, again.ids]).toEqual([ids, ids])
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  const elsewhere = await feed.drain({ attempt_id: 'a' })
  expect([elsewhere.status, keyOf(elsewhere)]).toEqual([400, 'company_data.attempt_invalid'])
  expect((await feed.drain(hook.query)).body).toEqual(NONE)
})

test.each([
  ['that nobody has', '019a0000-0000-7000-8000-00000000dead'],
  ['that cannot be one', 'mine'],
])('a webhook %s is not found', async (_what, webhookId) => {
  const told = await feed.drain({ webhook_id: webhookId })
  expect([told.status, keyOf(told)]).toEqual([404, 'services.webhook_not_found'])
})

test('the webhook of another service is as little found as none', async () => {
  const hook = await openPaused(await openFeed())
  const told = await feed.drain(hook.query)
  expect([told.status, keyOf(told)]).toEqual([404, 'services.webhook_not_found'])
  const none = await feed.drain({ webhook_id: '019a0000-0000-7000-8000-00000000dead' })
  expect(told.body['error']).toEqual(none.body['error'])
})

test('a listener and a webhook cannot be read at once', async () => {
  const hook = await openPaused(feed)
  const told = await feed.drain({ ...hook.query, listener: 'laptop' })
  expect([told.status, keyOf(told)]).toEqual([400, 'request.invalid'])
})
