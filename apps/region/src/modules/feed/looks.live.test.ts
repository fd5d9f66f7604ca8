import { type Instant, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { systemIds } from '@sealpost/process'
import { createTestDatabase, fixedClock, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appendEvents } from './append.ts'
import { feedMigrations } from './migrations.ts'
import type { FeedOwner } from './owner.ts'
import { oldestVisible } from './rules.ts'
import { readChosen, readFree, type Wish } from './store/log.ts'
import { connectionDeleted } from './testing/feeds.ts'

const ids = systemIds()
const clock = fixedClock()
let place: TestDatabase
let database: Database
let serviceId: ServiceId
let owner: FeedOwner

beforeAll(async () => {
  place = await createTestDatabase({ template: 'feed', migrations: feedMigrations })
  database = openDatabase({ url: place.url, poolSize: 2 })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})
beforeEach(() => {
  serviceId = ids.uuid<ServiceId>()
  owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId }
})

/** One event per key; null for one that nothing hides. */
async function append(keys: readonly (string | null)[], at: Instant = clock.now()): Promise<void> {
  const events = keys.map((key) => ({ owner, ...connectionDeleted(ids.uuid()), key }))
  await database.transaction((tx) => appendEvents(tx, { clock: { now: () => at }, ids }, events))
}

async function look(wish: Partial<Wish> = {}): Promise<readonly number[]> {
  const whole = { cursor: 0, gone: '{}', leased: '{}', limit: 10, visibleFrom: oldestVisible(clock.now()), ...wish }
  const events = await database.read((read) => readFree(read, { ownerId: serviceId, ...whole }))
  return events.map(({ no }) => no)
}

test('an event is hidden by a later one of its key, near by or far behind', async () => {
  await append(['a', 'b', 'a', null])
  expect(await look()).toEqual([2, 3, 4])
  await append(Array.from({ length: 120 }, () => null))
  await append(['a'])
  expect(await look({ limit: 3 })).toEqual([2, 4, 5])
  await append(Array.from({ length: 380 }, () => null))
  await append(['b'])
  expect(await look({ limit: 3 })).toEqual([4, 5, 6])
  expect((await look({ limit: 600 })).at(-1)).toBe(506)
})

test('an event stays hidden by one that another call has, or that is gone', async () => {
  await append(['a', null, 'a', null])
  expect(await look({ leased: '{[3,4)}' })).toEqual([2, 4])
  expect(await look({ gone: '{[3,4)}' })).toEqual([2, 4])
})

test('what others have taken is passed over, however much it is', async () => {
  await append(Array.from({ length: 1000 }, () => null))
  expect(await look({ cursor: 5, leased: '{[6,700)}', gone: '{[702,990)}', limit: 4 })).toEqual([700, 701, 990, 991])
})

test('events of several days come in the order of their numbers, and too old ones not at all', async () => {
  const day = 86_400_000
  for (const age of [8, 3, 5, 0]) await append([null, null], instant(clock.now() - age * day))
  expect(await look()).toEqual([3, 4, 5, 6, 7, 8])
})

test('a reader who comes back after a long time does not walk over numbers that nothing is left of', async () => {
  await append([null])
  await database.transaction(async (tx) => {
    await runStatement(tx, 'delete from feed.event where owner_id = $1', [serviceId])
    await runStatement(tx, 'update feed.head set last_no = 400000000 where owner_id = $1', [serviceId])
  })
  expect(await look()).toEqual([])
  await append([null])
  expect(await look()).toEqual([400_000_001])
})

test('what was stored comes back as it was, whatever is written in it', async () => {
  const payload = { person_user_id: 'a\u001fb\u001ec\\"\n', share_code: null, list: [1, { deep: 'ü' }] }
  const event = { owner, kind: 'connection_deleted' as const, connectionId: null, payload, key: null }
  await database.transaction((tx) => appendEvents(tx, { clock, ids }, [event]))
  const wish = { ownerId: serviceId, cursor: 0, gone: '{}', leased: '{}', limit: 1, visibleFrom: instant(0) }
  const [found] = await database.read((read) => readFree(read, wish))
  expect(found).toMatchObject({ no: 1, connectionId: null, payload, at: clock.now(), kind: 'connection_deleted' })
  const chosen = await database.read((read) => readChosen(read, serviceId, '{[1,2)}'))
  expect(chosen).toEqual([found])
})
