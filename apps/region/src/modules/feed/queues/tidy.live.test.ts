import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import { expect, onTestFinished, test } from 'vitest'
import { tidyFeed } from '../operations/tidy.ts'
import { openQueue, type WebhookName, suspendQueuesOf } from './index.ts'
import { openFeedFixture } from './testing/queues.ts'

const fixture = await openFeedFixture()

/** A queue whose cursor has passed a closed run. */
async function openPassed(companyId: UserId, serviceId: ServiceId): Promise<WebhookName> {
  const { database, clock, feed } = fixture
  const name = { companyId, serviceId, webhookId: feed.ids.uuid<WebhookId>() }
  await database.transaction(async (tx) => {
    await openQueue({ clock }, tx, name, { kinds: null, isEnabled: true, isSuspended: false })
    await runStatement(
      tx,
      `insert into feed.subscription (owner_id, channel, from_no, to_no)
      select owner_id, no, -1, 0 from feed.channel where webhook_id = $1`,
      [name.webhookId],
    )
  })
  return name
}

async function passedRuns(): Promise<number> {
  const [row] = await fixture.database.read((read) =>
    runStatement<{ count: number }>(read, 'select count(*)::int from feed.subscription where to_no is not null', []),
  )
  return row?.count ?? -1
}

/** Keeps the runs of a queue locked until the test releases them. */
async function lockRuns(name: WebhookName): Promise<() => Promise<void>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = async (tx: Tx): Promise<void> => {
    await runStatement(tx, 'select from feed.subscription where owner_id = $1 for update', [name.serviceId])
    locked.resolve()
    await released.promise
  }
  const done = fixture.database.transaction(work)
  const release = (): Promise<void> => {
    released.resolve()
    return done
  }
  onTestFinished(release)
  await locked.promise
  return release
}

test('deleting passed runs skips locked rows, so a concurrent change of webhooks cannot deadlock with it', async () => {
  const { database, clock, feed } = fixture
  const companyId = feed.ids.uuid<UserId>()
  const [first, last] = [feed.ids.uuid<ServiceId>(), feed.ids.uuid<ServiceId>()]
  // Against the common lock order, with a queue of another company in between.
  await openPassed(companyId, last)
  const between = await openPassed(feed.ids.uuid<UserId>(), feed.ids.uuid<ServiceId>())
  await openPassed(companyId, first)
  const release = await lockRuns(between)
  await tidyFeed(feed)
  expect(await passedRuns()).toBe(1)
  await database.transaction((tx) => suspendQueuesOf({ clock }, tx, companyId))
  await release()
  // The next call deletes the rows that were locked.
  await tidyFeed(feed)
  expect(await passedRuns()).toBe(0)
})
