import { runStatement } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, fixedIds } from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { feedMigrations } from '../migrations.ts'
import { takeDueHeads } from '../store/heads.ts'
import {
  openOutletPlace,
  openTestService,
  openTestWorker,
  type OutletPlace,
  type TestService,
} from '../testing/outlets.ts'
import type { ClaimedOutlet, Round } from './index.ts'

let place: OutletPlace

beforeAll(async () => {
  const clock = fixedClock()
  const made = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  place = openOutletPlace(made, clock, fixedIds(clock))
})
afterAll(() => place.close())
afterEach(() => execute('truncate feed.head, feed.channel, feed.subscription'))

function execute(sql: string): Promise<void> {
  return place.database.transaction(async (tx) => void (await runStatement(tx, sql, [])))
}

async function busyService(outlets: number): Promise<TestService> {
  const service = openTestService(place)
  for (let made = 0; made < outlets; made += 1) await service.open()
  await service.append({}, {})
  return service
}

const companiesOf = (claimed: readonly ClaimedOutlet[]) => claimed.map(({ name }) => name.companyId)

test('of several companies each gets one before any gets two', async () => {
  const [big, small] = [await busyService(6), await busyService(1)]
  const shares = { held: new Map(), free: 10 }
  const claimed = await openTestWorker(place).claim({ live: 2, shares })
  expect(new Set(companiesOf(claimed))).toEqual(new Set([big.owner.companyId, small.owner.companyId]))
})

test('what a company has too much of waits and is in nobody’s way, however long it has been waiting', async () => {
  const worker = openTestWorker(place)
  const big = await busyService(6)
  const bigId = big.owner.companyId
  const first = await worker.claim({ live: 100, shares: { held: new Map(), free: 4 } })
  expect(companiesOf(first)).toEqual([bigId, bigId, bigId])
  // The rest of them were woken and now stand first in the queue. Next to them, one that had no room when it was woken.
  const small = await busyService(1)
  expect(await worker.claim({ live: 1, shares: { held: new Map(), free: 0 } })).toEqual([])
  const shares = { held: new Map([[bigId, 3]]), free: 1 }
  expect(companiesOf(await worker.claim({ live: 1, shares }))).toEqual([small.owner.companyId])
  expect(await worker.claim({ live: 1, shares: { held: new Map([[bigId, 3]]), free: 0 } })).toEqual([])
  expect(companiesOf(await worker.claim({ live: 100 }))).toEqual([bigId, bigId, bigId])
})

test('one whose worker died comes before those that have waited for less long', async () => {
  const worker = openTestWorker(place)
  await busyService(3)
  const [dead] = await worker.claim({ live: 1 })
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  const [next] = await worker.claim({ live: 1 })
  expect(next?.name.webhookId).toBe(dead?.name.webhookId)
  expect(next?.token).toBe(2)
})

test('a report of somebody who lost an outlet keeps nobody else from it for longer', async () => {
  const worker = openTestWorker(place)
  await busyService(1)
  const [late] = await worker.claim()
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  const [dead] = await worker.claim()
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  if (late === undefined || dead === undefined) throw new Error('nothing was claimed')
  expect(await worker.settle(late, { sent: { no: 1, outcome: 'delivered' } })).toMatchObject({ isMine: false })
  expect(await worker.claim()).toMatchObject([{ token: dead.token + 1 }])
})

test('services that grow all the time keep nobody from being looked at', async () => {
  const all = await Promise.all(Array.from({ length: 25 }, () => busyService(1)))
  const due = new Set<string>(all.map(({ owner }) => owner.serviceId))
  const seen: string[] = []
  let last: (typeof all)[number]['owner']['serviceId'] | null = null
  for (let looks = 0; looks < 3; looks += 1) {
    const taken = await place.database.transaction((tx) => takeDueHeads(tx, 10, last))
    expect(taken).toHaveLength(10)
    seen.push(...taken)
    last = taken.at(-1) ?? null
    await execute('update feed.head set is_due = true')
  }
  expect(new Set(seen.slice(0, 25))).toEqual(due)
})

test('a worker goes on where it stopped looking, and begins again behind the last one', async () => {
  const worker = openTestWorker(place)
  const round: Round = { lastService: null }
  const services = await Promise.all([1, 2, 3].map(() => busyService(1)))
  const ids = services.map(({ owner }) => owner.serviceId).toSorted()
  expect(await worker.claim({ round })).toHaveLength(3)
  expect(round.lastService).toBe(ids.at(-1))
  expect(await worker.claim({ round })).toEqual([])
  expect(round.lastService).toBe(ids.at(-1))
  await services[0]?.append({})
  await worker.claim({ round })
  expect(round.lastService).toBe(services[0]?.owner.serviceId)
})

test('a look reads no more heads than it takes, however many are due', async () => {
  await execute(`insert into feed.head (owner_id, account_id, kind, last_no, has_outlets, is_due)
    select gen_random_uuid(), gen_random_uuid(), 'service', 1, true, true from generate_series(1, 5000)`)
  await execute('analyze feed.head')
  const rowsRead = await place.database.transaction(async (tx) => {
    expect(await takeDueHeads(tx, 20, null)).toHaveLength(20)
    const [row] = await runStatement<{ rows: number }>(
      tx,
      `select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
      where schemaname = 'feed' and relname = 'head'`,
      [],
    )
    return row?.rows ?? Number.POSITIVE_INFINITY
  })
  expect(rowsRead).toBeGreaterThanOrEqual(20)
  // Several times over, as the plan has it, but nothing of the rest.
  expect(rowsRead).toBeLessThanOrEqual(500)
})
