import type { ServiceId, WebhookId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { openWorld, scaled, type Service, type Webhook } from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { claimQueues } from '../../feed/index.ts'
import { events, idsOf } from '../testing/webhooks.ts'
import { openOutcomeWriter, type Outcome } from './operations/outcome-writer.ts'

const inTime = { timeout: scaled(20_000) }

const world = await openWorld({ own: true })
const company = await world.company()
const open = () => world.service([], { company })

async function appendMany(service: Service, count: number, database?: Database): Promise<readonly string[]> {
  const ids: string[] = []
  for (let done = 0; done < count; done += 1) ids.push(...(await service.appendBy(database)))
  return ids
}

describe('several workers', () => {
  test('never send two events at once to one webhook, keep its order and repeat none [HOOK-21]', async () => {
    const service = await open()
    const others = await Promise.all([1, 2].map(() => world.another('eu', { REGION_ROLES: 'worker' })))
    const all = await Promise.all([1, 2, 3, 4].map(() => service.webhook()))
    const ids = await appendMany(service, 60)
    for (const hook of all) {
      expect(idsOf(await hook.receiver.take(60))).toEqual(ids)
      expect(hook.receiver.mostAtOnce()).toBe(1)
    }
    await Promise.all(others.map((other) => other.close()))
    for (const hook of all) {
      await expect.poll(() => hook.deliveries(), inTime).toHaveLength(60)
      expect(hook.receiver.all).toHaveLength(60)
    }
  })

  test('a worker that stops waits for its POST, and another continues at once', async () => {
    const service = await open()
    const other = await world.another('eu', { REGION_ROLES: 'worker' })
    const hook = await service.webhook()
    hook.receiver.behave((_received, response) => void setTimeout(() => response.writeHead(200).end(), 20))
    const ids = await service.append(...events(50))
    await hook.receiver.take(5)
    await other.close()
    expect(idsOf(await hook.receiver.take(50))).toEqual(ids)
    expect(hook.receiver.mostAtOnce()).toBe(1)
  })
})

test('a dead worker holds a queue until its lease ends, not longer', async () => {
  const service = await open()
  const hook = await service.webhook()
  const ids = [...(await service.append())]
  await hook.receiver.take(1)
  await expect.poll(() => isHeld(hook), inTime).toBe(false)
  // A worker claims and dies: in the transaction of the append, so that no other worker is faster.
  const { database, clock } = world.eu.platform
  const dead = await database.transaction(async (tx) => {
    ids.push(...(await service.appendIn(tx)))
    return claimQueues({ clock }, tx, { live: 100, probes: 0 })
  })
  expect(dead.map(({ name }) => name.webhookId)).toContain(hook.id)
  ids.push(...(await service.append()))
  await expect.poll(() => isDue(service), inTime).toBe(false)
  expect(hook.receiver.all).toHaveLength(1)
  await database.transaction((tx) =>
    runStatement(tx, `update feed.channel set lease_until = clock_timestamp() where webhook_id = $1`, [hook.id]),
  )
  expect(idsOf(await hook.receiver.take(3))).toEqual(ids)
})

async function isHeld(hook: Webhook): Promise<boolean> {
  return isAny('select from feed.channel where webhook_id = $1 and lease_until is not null', hook.id)
}

/** Whether the feed has grown and no worker has polled since. */
async function isDue({ serviceId }: Service): Promise<boolean> {
  return isAny('select from feed.head where owner_id = $1 and is_due', serviceId)
}

async function isAny(sql: string, id: string): Promise<boolean> {
  return (await world.rows(sql, [id])).length > 0
}

test(
  'broken database connections lose no event and keep the order',
  async () => {
    const service = await open()
    // A separate connection for appends, which stays intact.
    const url = world.environment.eu['DATABASE_URL'] ?? ''
    const own = openDatabase({ url, poolSize: 1, applicationName: 'test' })
    onTestFinished(() => own.close())
    const all = await Promise.all([1, 2, 3].map(() => service.webhook()))
    const ids = await appendMany(service, 80, own)
    const last = ids.at(-1) ?? ''
    for (const { receiver } of all) {
      let broken = 0
      const receivedIds = async () => {
        // Break the connections again after every few deliveries.
        if (receiver.all.length >= broken + 7) {
          broken = receiver.all.length
          await breakConnections(own)
        }
        return idsOf(receiver.all)
      }
      await expect.poll(receivedIds, { timeout: scaled(60_000), interval: 20 }).toContain(last)
    }
    for (const hook of all) {
      const received = idsOf(hook.receiver.all)
      expect([...new Set(received)]).toEqual(ids)
      expect(received.length).toBe(ids.length)
      expect(hook.receiver.mostAtOnce()).toBe(1)
      expect(await hook.health()).toMatchObject({ state: 'running' })
    }
  },
  scaled(90_000),
)

/** Terminates the region's connections, like a restart of the database. */
async function breakConnections(database: Database): Promise<void> {
  await database.read((read) =>
    runStatement(
      read,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'sealpost-region-eu%'`,
      [],
    ),
  )
}

test('a webhook with unreadable secrets delays no other', async () => {
  const service = await open()
  const broken = await service.webhook()
  const healthy = await service.webhook()
  await world.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update webhooks.endpoint set secrets = '\\x00' where id = $1`, [broken.id]),
  )
  const ids = await service.append({}, {})
  expect(idsOf(await healthy.receiver.take(2))).toEqual(ids)
  await broken.becomes('bad')
  expect(broken.receiver.all).toEqual([])
})

test('metrics count deliveries by mode and outcome, and name no webhook', async () => {
  const service = await open()
  const hook = await service.webhook()
  await service.append({}, {})
  await hook.receiver.take(2)
  await expect.poll(() => hook.deliveries(), inTime).toHaveLength(2)
  const metrics = await world.telemetry.prometheus()
  expect(metrics).toMatch(/webhook_deliveries_total\{[^}]*mode="live"[^}]*outcome="delivered"[^}]*\} \d+/)
  for (const name of [
    'webhook_commit_to_first_byte_seconds',
    'webhook_in_flight',
    'webhook_backlog',
    'webhook_senders',
  ])
    expect(metrics).toContain(name)
  expect(metrics).toContain('webhook_oldest_pending_seconds')
  expect(metrics).not.toContain(hook.id)
})

test('an outcome that the database refuses is retried alone: it delays no other and is given up in the end', async () => {
  const { platform } = world.eu
  const { clock, ids } = platform
  const metrics = { attempted() {}, left() {}, written() {} }
  const writer = openOutcomeWriter({ ...platform, probeDelayMs: 1, metrics })
  const outcome = (durationMs: number): Outcome => {
    const name = { companyId: company.companyId, serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
    const attempt = { kind: 'live', httpStatus: 200, errorClass: null, durationMs, at: clock.now() } as const
    return {
      report: { name, channel: 1, token: 1, epoch: 1, sent: null, end: null, isRelease: true },
      delivery: { id: ids.uuid(), name, eventId: ids.uuid(), event: 'connection_deleted', ...attempt },
      error: null,
    }
  }
  // In the middle of a batch, so that outcomes before and after it are retried alone too.
  const waits = [1, 2, 1e12, 3, 4].map((ms) => writer.write(outcome(ms), performance.now() + 60_000))
  const [first, second, refused, third, fourth] = waits
  const others = await Promise.all([first, second, third, fourth])
  // No worker holds these queues, which is an answer too.
  expect(others.map((answer) => answer?.isMine)).toEqual([false, false, false, false])
  expect(await writer.write(outcome(5), performance.now() + 60_000)).toMatchObject({ isMine: false })
  writer.hurry()
  expect(await refused).toBeNull()
  await writer.drained()
})
