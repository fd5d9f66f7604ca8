import type { ServiceId, WebhookId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import {
  type HookDesk,
  northwind,
  openHooks,
  type ReceivedHook,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { claimQueues } from '../../feed/index.ts'
import { openOutcomeWriter, type Outcome } from './operations/outcome-writer.ts'

const IN_TIME_MS = 20_000
let two: TwoRegions
let hooks: HookDesk

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  hooks = await openHooks(two)
})
afterEach(() => hooks.close())

function idsOf(received: readonly ReceivedHook[]): readonly string[] {
  return received.map(({ eventId }) => eventId)
}

async function appendMany(count: number, database?: Database): Promise<readonly string[]> {
  const ids: string[] = []
  for (let done = 0; done < count; done += 1) ids.push(...(await hooks.appendBy(database)))
  return ids
}

async function isDone(hook: TestHook, count: number): Promise<void> {
  await waitUntil('all deliveries are logged', IN_TIME_MS, async () => (await hook.deliveries()).length >= count)
}

describe('several workers', () => {
  test('never send two events at once to one webhook, keep its order and repeat none [HOOK-21]', async () => {
    const others = await Promise.all([1, 2].map(() => two.another('eu', { REGION_ROLES: 'worker' })))
    const all = await Promise.all([1, 2, 3, 4].map(() => hooks.hook()))
    const ids = await appendMany(60)
    for (const hook of all) {
      expect(idsOf(await hook.receiver.take(60))).toEqual(ids)
      expect(hook.receiver.mostAtOnce()).toBe(1)
    }
    await Promise.all(others.map((other) => other.close()))
    await Promise.all(all.map((hook) => isDone(hook, 60)))
    for (const hook of all) expect(hook.receiver.all).toHaveLength(60)
  })

  test('a worker that stops waits for its POST, and another continues at once', async () => {
    const other = await two.another('eu', { REGION_ROLES: 'worker' })
    const hook = await hooks.hook()
    hook.receiver.behave((_received, response) => void setTimeout(() => response.writeHead(200).end(), 20))
    const ids = await hooks.append(...Array.from({ length: 50 }, () => ({})))
    await hook.receiver.take(5)
    await other.close()
    expect(idsOf(await hook.receiver.take(50))).toEqual(ids)
    expect(hook.receiver.mostAtOnce()).toBe(1)
  })
})

test('a dead worker holds a queue until its lease ends, not longer', async () => {
  const hook = await hooks.hook()
  const ids = [...(await hooks.append())]
  await hook.receiver.take(1)
  await waitUntil('no worker holds it', IN_TIME_MS, async () => !(await isHeld(hook)))
  // A worker claims and dies: in the transaction of the append, so that no other worker is faster.
  const { database, clock } = two.eu.platform
  const dead = await database.transaction(async (tx) => {
    ids.push(...(await hooks.appendIn(tx)))
    return claimQueues({ clock }, tx, { live: 100, probes: 0 })
  })
  expect(dead.map(({ name }) => name.webhookId)).toContain(hook.id)
  ids.push(...(await hooks.append()))
  await waitUntil('the other workers have polled', IN_TIME_MS, async () => !(await isDue()))
  expect(hook.receiver.all).toHaveLength(1)
  await database.transaction((tx) =>
    runStatement(tx, `update feed.channel set lease_until = clock_timestamp() where webhook_id = $1`, [hook.id]),
  )
  expect(idsOf(await hook.receiver.take(3))).toEqual(ids)
})

async function isHeld(hook: TestHook): Promise<boolean> {
  return isAny('select from feed.channel where webhook_id = $1 and lease_until is not null', hook.id)
}

/** Whether the feed has grown and no worker has polled since. */
async function isDue(): Promise<boolean> {
  return isAny('select from feed.head where owner_id = $1 and is_due', hooks.desk.serviceId)
}

async function isAny(sql: string, id: string): Promise<boolean> {
  return (await two.eu.platform.database.read((read) => runStatement(read, sql, [id]))).length > 0
}

test('broken database connections lose no event and keep the order', async () => {
  // A separate connection for appends, which stays intact.
  const url = two.environment.eu['DATABASE_URL'] ?? ''
  const own = openDatabase({ url, poolSize: 1, applicationName: 'test' })
  onTestFinished(() => own.close())
  const all = await Promise.all([1, 2, 3].map(() => hooks.hook()))
  const ids = await appendMany(80, own)
  const last = ids.at(-1) ?? ''
  for (const { receiver } of all) {
    let broken = 0
    await waitUntil('the last event came', 60_000, async () => {
      // Break the connections again after every few deliveries.
      if (receiver.all.length >= broken + 7) {
        broken = receiver.all.length
        await breakConnections(own)
      }
      return idsOf(receiver.all).includes(last)
    })
  }
  for (const hook of all) {
    const received = idsOf(hook.receiver.all)
    expect([...new Set(received)]).toEqual(ids)
    expect(received.length).toBe(ids.length)
    expect(hook.receiver.mostAtOnce()).toBe(1)
    expect(await hook.health()).toMatchObject({ state: 'running' })
  }
}, 90_000)

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
  const broken = await hooks.hook()
  const healthy = await hooks.hook()
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update webhooks.endpoint set secrets = '\\x00' where id = $1`, [broken.id]),
  )
  const ids = await hooks.append({}, {})
  expect(idsOf(await healthy.receiver.take(2))).toEqual(ids)
  await broken.becomes('bad')
  expect(broken.receiver.all).toEqual([])
})

test('metrics count deliveries by mode and outcome, and name no webhook', async () => {
  const hook = await hooks.hook()
  await hooks.append({}, {})
  await hook.receiver.take(2)
  await isDone(hook, 2)
  const metrics = await two.telemetry.prometheus()
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
  const { platform } = two.eu
  const { clock, ids } = platform
  const metrics = { attempted() {}, left() {}, written() {} }
  const writer = openOutcomeWriter({ ...platform, probeDelayMs: 1, metrics })
  const outcome = (durationMs: number): Outcome => {
    const name = { companyId: northwind.companyId, serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
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
