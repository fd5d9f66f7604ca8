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
import { claimOutlets } from '../../feed/index.ts'
import { openLedger, type Outcome } from './ledger.ts'

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
  await waitUntil('all is written down', IN_TIME_MS, async () => (await hook.deliveries()).length >= count)
}

describe('several workers', () => {
  test('never send two at once to one webhook, keep its order and send nothing twice [HOOK-21]', async () => {
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

  test('one that ends waits for its delivery and another goes on at once', async () => {
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

test('a worker that died holds a webhook until its lease is over, not longer', async () => {
  const hook = await hooks.hook()
  await hooks.append()
  await hook.receiver.take(1)
  await isDone(hook, 1)
  const { database, clock } = two.eu.core
  // A worker that claims and dies: it takes the webhook before the others look.
  const [id] = await hooks.append()
  const dead = await database.transaction((tx) => claimOutlets(tx, { clock }, { live: 10, probes: 0 }))
  const isHeld = dead.some(({ name }) => name.webhookId === hook.id)
  if (isHeld) {
    await database.transaction((tx) =>
      runStatement(tx, `update feed.channel set lease_until = clock_timestamp() where webhook_id = $1`, [hook.id]),
    )
  }
  expect((await hook.receiver.take(2)).at(-1)?.eventId).toBe(id)
})

test('connections to the database that break lose nothing and change no order', async () => {
  // Its own: who appends is not what is broken here.
  const url = two.environment.eu['DATABASE_URL'] ?? ''
  const own = openDatabase({ url, poolSize: 1, applicationName: 'test' })
  onTestFinished(() => own.close())
  const all = await Promise.all([1, 2, 3].map(() => hooks.hook()))
  const ids = await appendMany(80, own)
  const last = ids.at(-1) ?? ''
  for (const { receiver } of all) {
    let broken = 0
    await waitUntil('the last one came', 60_000, async () => {
      // Again and again on the way, whenever some more have come.
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

/** What a restart of the database does to those who are connected to it. */
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

test('a webhook whose secrets cannot be opened holds up no other', async () => {
  const broken = await hooks.hook()
  const healthy = await hooks.hook()
  await two.eu.core.database.transaction((tx) =>
    runStatement(tx, `update webhooks.endpoint set secrets = '\\x00' where id = $1`, [broken.id]),
  )
  const ids = await hooks.append({}, {})
  expect(idsOf(await healthy.receiver.take(2))).toEqual(ids)
  await waitUntil('it is told', IN_TIME_MS, () =>
    two.telemetry.lines().some((line) => line['webhook_id'] === broken.id),
  )
  expect(broken.receiver.all).toEqual([])
})

test('the metrics tell what is sent and how, and name nobody', async () => {
  const hook = await hooks.hook()
  await hooks.append({}, {})
  await hook.receiver.take(2)
  await isDone(hook, 2)
  const metrics = await two.telemetry.prometheus()
  expect(metrics).toMatch(/webhook_deliveries_total\{[^}]*mode="live"[^}]*outcome="delivered"[^}]*\} \d+/)
  for (const name of ['webhook_commit_to_first_byte_seconds', 'webhook_in_flight', 'webhook_backlog', 'webhook_lanes'])
    expect(metrics).toContain(name)
  expect(metrics).toContain('webhook_oldest_pending_seconds')
  expect(metrics).not.toContain(hook.id)
})

test('an outcome that the database refuses is set apart: the others are written, and it is given up in the end', async () => {
  const { database, clock, ids, telemetry } = two.eu.core
  const metrics = { attempted() {}, left() {}, settled() {} }
  const needs = { database, clock, ids, telemetry, graceMs: 1, monotonicMs: () => performance.now() }
  const ledger = openLedger(needs, metrics)
  const outcome = (durationMs: number): Outcome => {
    const name = { companyId: northwind.companyId, serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
    const attempt = { kind: 'live', httpStatus: 200, errorClass: null, durationMs, at: clock.now() } as const
    return {
      report: { name, channel: 1, token: 1, epoch: 1, sent: null, end: null, isRelease: true },
      delivery: { id: ids.uuid(), name, eventId: ids.uuid(), event: 'connection_deleted', ...attempt },
      error: null,
    }
  }
  const refused = ledger.settle(outcome(1e12), performance.now())
  const others = await Promise.all([1, 2, 3].map((ms) => ledger.settle(outcome(ms), performance.now())))
  // Nobody holds these webhooks, which is an answer all the same.
  expect(others).toMatchObject([{ isMine: false }, { isMine: false }, { isMine: false }])
  ledger.hurry()
  expect(await refused).toBeNull()
  await ledger.drained()
})
