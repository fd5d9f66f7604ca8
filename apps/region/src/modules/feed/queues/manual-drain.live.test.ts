import type { WebhookId } from '@sealpost/kernel'
import { keyOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { tidyFeed } from '../operations/tidy.ts'
import { NONE, openFeed, type Query, requestAnswered, type TestFeed } from '../testing/feeds.ts'
import { changeQueue, openQueue, type QueueChange, type WebhookName } from './index.ts'

const world = await openWorld()
const company = await world.company()
const open = () => openFeed(world, company)

interface Hook {
  readonly query: Query
  change(change: QueueChange): Promise<unknown>
}

/** A paused webhook of the service: its events become backlog. */
async function openPaused({ owner: { companyId, serviceId } }: TestFeed, { eu } = world): Promise<Hook> {
  const { database, clock, ids } = eu.platform
  const name: WebhookName = { companyId, serviceId, webhookId: ids.uuid<WebhookId>() }
  const fresh = { kinds: null, isEnabled: true, isSuspended: false }
  await database.transaction((tx) => openQueue({ clock }, tx, name, fresh))
  const change = (command: QueueChange): Promise<unknown> =>
    database.transaction((tx) => changeQueue({ clock }, tx, name, command))
  await change({ command: 'pause' })
  return { query: { webhook_id: name.webhookId }, change }
}

test('webhook_id drains the backlog of that webhook and nothing else, and no webhook_id the plain channel only [FEED-02] [FEED-03] [HOOK-32]', async () => {
  const feed = await open()
  const [before] = await feed.append({})
  const [hook, other, third] = [await openPaused(feed), await openPaused(feed), await openPaused(feed)]
  const ids = await feed.append({}, {}, {})
  expect((await feed.drain({ limit: '2' })).ids).toEqual([before, ids[0]])
  expect((await feed.drain(third.query)).ids).toEqual(ids)
  const first = await feed.drain({ ...hook.query, limit: '2' })
  expect([first.status, first.ids, first.hasMore]).toEqual([200, ids.slice(0, 2), true])
  expect((await feed.drain(hook.query)).ids).toEqual(ids.slice(2))
  expect((await feed.drain(hook.query)).body).toEqual(NONE)
  expect((await feed.drain(other.query)).ids).toEqual(ids)
  expect((await feed.drain()).ids).toEqual(ids.slice(1))
})

test('an event is rendered the same as on the plain channel', async () => {
  const feed = await open()
  const hook = await openPaused(feed)
  await feed.append({})
  const [manual, plain] = [await feed.drain(hook.query), await feed.drain()]
  expect(manual.changes).toEqual(plain.changes)
})

test('live events are not part of the backlog', async () => {
  const feed = await open()
  const hook = await openPaused(feed)
  await hook.change({ command: 'resume' })
  await feed.append({})
  expect((await feed.drain(hook.query)).body).toEqual(NONE)
})

test('a backlog is collapsed like the plain channel', async () => {
  const feed = await open()
  const hook = await openPaused(feed)
  const ids = await feed.append(
    requestAnswered('connection_request_accepted', feed.owner, 'ec2c61f8-0d6b-4ce4-a1c0-9a8ad9d1f9a1'),
    {},
    requestAnswered('connection_request_rejected', feed.owner, 'ec2c61f8-0d6b-4ce4-a1c0-9a8ad9d1f9a1'),
  )
  expect((await feed.drain(hook.query)).ids).toEqual(ids.slice(1))
})

test('rows older than 7 days are invisible in backlogs and feeds, and are removed [RETAIN-08]', async () => {
  // Without a worker: a delivery that reads a partition leaves it to the next run of the upkeep.
  const quiet = await openWorld({ settings: { REGION_ROLES: 'api' } })
  const feed = await openFeed(quiet, await quiet.company())
  const hook = await openPaused(feed, quiet)
  const [older] = await feed.append({})
  quiet.clock.advance(86_400_000)
  const [younger] = await feed.append({})
  quiet.clock.advance(6 * 86_400_000)
  for (const query of [hook.query, {}]) expect((await feed.drain(query)).ids).toEqual([younger])
  const kept = async (): Promise<readonly string[]> => {
    await tidyFeed(quiet.eu.modules.feed)
    const sql = 'select id from feed.event where owner_id = $1 order by no'
    return (await quiet.rows<{ id: string }>(sql, [feed.owner.serviceId])).map(({ id }) => id)
  }
  expect(await kept()).toEqual([older, younger])
  quiet.clock.advance(86_400_000 + 7_200_000)
  expect(await kept()).toEqual([younger])
  quiet.clock.advance(86_400_000)
  expect(await kept()).toEqual([])
})

test('an attempt can be repeated on its own channel only', async () => {
  const feed = await open()
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
  ['with an unknown id', '019a0000-0000-7000-8000-00000000dead'],
  ['with an invalid id', 'mine'],
])('a webhook %s is not found', async (_what, webhookId) => {
  const feed = await open()
  const refused = await feed.drain({ webhook_id: webhookId })
  expect([refused.status, keyOf(refused)]).toEqual([404, 'services.webhook_not_found'])
})

test('the webhook of another service answers the same 404 as a missing one', async () => {
  const feed = await open()
  const hook = await openPaused(await open())
  const refused = await feed.drain(hook.query)
  expect([refused.status, keyOf(refused)]).toEqual([404, 'services.webhook_not_found'])
  const missing = await feed.drain({ webhook_id: '019a0000-0000-7000-8000-00000000dead' })
  expect(refused.body['error']).toEqual(missing.body['error'])
})

test('a drain of both a listener and a webhook is refused', async () => {
  const feed = await open()
  const hook = await openPaused(feed)
  const refused = await feed.drain({ ...hook.query, listener: 'laptop' })
  expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
})
