import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { runStatement, type Tx } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { feedMigrations } from '../migrations.ts'
import { openOutletPlace, type OutletPlace } from '../testing/outlets.ts'
import { tidyFeed } from '../upkeep.ts'
import { openOutlet, type OutletName, suspendOutletsOf } from './index.ts'

let place: OutletPlace

beforeAll(async () => {
  const clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())

/** An outlet that has passed a run of its own. */
async function openPassed(companyId: UserId, serviceId: ServiceId): Promise<OutletName> {
  const { database, clock, needs } = place
  const name = { companyId, serviceId, webhookId: needs.ids.uuid<WebhookId>() }
  await database.transaction(async (tx) => {
    await openOutlet(tx, { clock }, name, { kinds: null, isEnabled: true, isSuspended: false })
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
  const [row] = await place.database.read((read) =>
    runStatement<{ count: number }>(read, 'select count(*)::int from feed.subscription where to_no is not null', []),
  )
  return row?.count ?? -1
}

/** Keeps the runs of an outlet locked until told. */
async function holdRuns(name: OutletName): Promise<() => Promise<void>> {
  const [held, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = async (tx: Tx): Promise<void> => {
    await runStatement(tx, 'select from feed.subscription where owner_id = $1 for update', [name.serviceId])
    held.resolve()
    await told.promise
  }
  const done = place.database.transaction(work)
  const release = (): Promise<void> => {
    told.resolve()
    return done
  }
  onTestFinished(release)
  await held.promise
  return release
}

test('forgetting runs that have been passed waits for nobody, and so whoever changes webhooks does not wait for it', async () => {
  const { database, clock, needs } = place
  const companyId = needs.ids.uuid<UserId>()
  const [first, last] = [needs.ids.uuid<ServiceId>(), needs.ids.uuid<ServiceId>()]
  // The other way round than everybody locks them, and another's between.
  await openPassed(companyId, last)
  const between = await openPassed(needs.ids.uuid<UserId>(), needs.ids.uuid<ServiceId>())
  await openPassed(companyId, first)
  const release = await holdRuns(between)
  await tidyFeed(needs)
  expect(await passedRuns()).toBe(1)
  await database.transaction((tx) => suspendOutletsOf(tx, { clock }, companyId))
  await release()
  // What was being held is forgotten the next time.
  await tidyFeed(needs)
  expect(await passedRuns()).toBe(0)
})
