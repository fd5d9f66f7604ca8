import { runStatement } from '@sealpost/postgres'
import { afterEach, expect, test } from 'vitest'
import { takeDueHeads } from '../store/heads.ts'
import type { ClaimedQueue, ClaimPosition } from './index.ts'
import { openFeedFixture, type TestService } from './testing/queues.ts'

const fixture = await openFeedFixture()

afterEach(() => execute('truncate feed.head, feed.channel, feed.subscription'))

function execute(sql: string): Promise<void> {
  return fixture.database.transaction(async (tx) => void (await runStatement(tx, sql, [])))
}

async function busyService(queues: number): Promise<TestService> {
  const service = fixture.service()
  for (let made = 0; made < queues; made += 1) await service.open()
  await service.append({}, {})
  return service
}

const companiesOf = (claimed: readonly ClaimedQueue[]) => claimed.map(({ name }) => name.companyId)

test('each company gets one slot before any gets two', async () => {
  const [big, small] = [await busyService(6), await busyService(1)]
  const shares = { held: new Map(), free: 10 }
  const claimed = await fixture.worker().claim({ live: 2, shares })
  expect(new Set(companiesOf(claimed))).toEqual(new Set([big.owner.companyId, small.owner.companyId]))
})

test('queues beyond the share of a company wait and block no other company, however long they have waited', async () => {
  const worker = fixture.worker()
  const big = await busyService(6)
  const bigId = big.owner.companyId
  const first = await worker.claim({ live: 100, shares: { held: new Map(), free: 4 } })
  expect(companiesOf(first)).toEqual([bigId, bigId, bigId])
  // The rest of them are due and have waited the longest; then comes one that found no slot when it woke.
  const small = await busyService(1)
  expect(await worker.claim({ live: 1, shares: { held: new Map(), free: 0 } })).toEqual([])
  const shares = { held: new Map([[bigId, 3]]), free: 1 }
  expect(companiesOf(await worker.claim({ live: 1, shares }))).toEqual([small.owner.companyId])
  expect(await worker.claim({ live: 1, shares: { held: new Map([[bigId, 3]]), free: 0 } })).toEqual([])
  expect(companiesOf(await worker.claim({ live: 100 }))).toEqual([bigId, bigId, bigId])
})

test('a queue with a lapsed lease comes before those that have waited less', async () => {
  const worker = fixture.worker()
  await busyService(3)
  const [dead] = await worker.claim({ live: 1 })
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  const [next] = await worker.claim({ live: 1 })
  expect(next?.name.webhookId).toBe(dead?.name.webhookId)
  expect(next?.token).toBe(2)
})

test('a report of a worker that lost the queue does not renew its lease', async () => {
  const worker = fixture.worker()
  await busyService(1)
  const [late] = await worker.claim()
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  const [dead] = await worker.claim()
  await execute(`update feed.channel set lease_until = clock_timestamp() where lease_until is not null`)
  if (late === undefined || dead === undefined) throw new Error('no queue was claimed')
  expect(await worker.report(late, { sent: { no: 1, outcome: 'delivered' } })).toMatchObject({ isMine: false })
  expect(await worker.claim()).toMatchObject([{ token: dead.token + 1 }])
})

test('services that grow all the time do not starve the others', async () => {
  const all = await Promise.all(Array.from({ length: 25 }, () => busyService(1)))
  const due = new Set<string>(all.map(({ owner }) => owner.serviceId))
  const seen: string[] = []
  let last: (typeof all)[number]['owner']['serviceId'] | null = null
  for (let polls = 0; polls < 3; polls += 1) {
    const taken = await fixture.database.transaction((tx) => takeDueHeads(tx, 10, last))
    expect(taken).toHaveLength(10)
    seen.push(...taken)
    last = taken.at(-1) ?? null
    await execute('update feed.head set is_due = true')
  }
  expect(new Set(seen.slice(0, 25))).toEqual(due)
})

test('a worker continues after the service where it stopped, and wraps around after the last one', async () => {
  const worker = fixture.worker()
  const position: ClaimPosition = { lastService: null }
  const services = await Promise.all([1, 2, 3].map(() => busyService(1)))
  const ids = services.map(({ owner }) => owner.serviceId).toSorted()
  expect(await worker.claim({ position })).toHaveLength(3)
  expect(position.lastService).toBe(ids.at(-1))
  expect(await worker.claim({ position })).toEqual([])
  expect(position.lastService).toBe(ids.at(-1))
  await services[0]?.append({})
  await worker.claim({ position })
  expect(position.lastService).toBe(services[0]?.owner.serviceId)
})

test('a poll reads no more heads than it takes, however many are due', async () => {
  await execute(`insert into feed.head (owner_id, account_id, kind, last_no, has_webhook_queues, is_due)
    select gen_random_uuid(), gen_random_uuid(), 'service', 1, true, true from generate_series(1, 5000)`)
  await execute('analyze feed.head')
  const rowsRead = await fixture.database.transaction(async (tx) => {
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
  // The plan reads each of them several times, but none of the others.
  expect(rowsRead).toBeLessThanOrEqual(500)
})
