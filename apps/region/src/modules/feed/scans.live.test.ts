import { type Instant, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { systemIds } from '@sealpost/process'
import { openTables } from '@sealpost/testkit'
import { beforeEach, expect, test } from 'vitest'
import { feedMigrations } from './migrations.ts'
import type { FeedOwner } from './model.ts'
import { appendEvents } from './operations/append-events.ts'
import { oldestVisible } from './rules/retention.ts'
import { type FreeEventsQuery, readChosen, readFree } from './store/events.ts'
import { connectionDeleted } from './testing/feeds.ts'

const ids = systemIds()
const { database, clock } = await openTables('feed', feedMigrations, { poolSize: 2 })
let serviceId: ServiceId
let owner: FeedOwner

beforeEach(() => {
  serviceId = ids.uuid<ServiceId>()
  owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId }
})

/** One event per key; an event without a key is never hidden. */
async function append(keys: readonly (string | null)[], at: Instant = clock.now()): Promise<void> {
  const events = keys.map((key) => ({ owner, ...connectionDeleted(ids.uuid()), key }))
  await database.transaction((tx) => appendEvents({ clock: { now: () => at }, ids }, tx, events))
}

async function scan(query: Partial<FreeEventsQuery> = {}): Promise<readonly number[]> {
  const whole = { cursor: 0, gone: '{}', leased: '{}', limit: 10, visibleFrom: oldestVisible(clock.now()), ...query }
  const events = await database.read((read) => readFree(read, { ownerId: serviceId, ...whole }))
  return events.map(({ no }) => no)
}

test('an event is hidden by a later one of its key, in the same scan or far beyond it', async () => {
  await append(['a', 'b', 'a', null])
  expect(await scan()).toEqual([2, 3, 4])
  await append(Array.from({ length: 120 }, () => null))
  await append(['a'])
  expect(await scan({ limit: 3 })).toEqual([2, 4, 5])
  await append(Array.from({ length: 380 }, () => null))
  await append(['b'])
  expect(await scan({ limit: 3 })).toEqual([4, 5, 6])
  expect((await scan({ limit: 600 })).at(-1)).toBe(506)
})

test('an event stays hidden by one that is leased or gone', async () => {
  await append(['a', null, 'a', null])
  expect(await scan({ leased: '{[3,4)}' })).toEqual([2, 4])
  expect(await scan({ gone: '{[3,4)}' })).toEqual([2, 4])
})

test('leased and gone events are skipped, however many there are', async () => {
  await append(Array.from({ length: 1000 }, () => null))
  expect(await scan({ cursor: 5, leased: '{[6,700)}', gone: '{[702,990)}', limit: 4 })).toEqual([700, 701, 990, 991])
})

test('events of several days come in the order of their numbers, and expired ones are left out', async () => {
  const day = 86_400_000
  for (const age of [8, 3, 5, 0]) await append([null, null], instant(clock.now() - age * day))
  expect(await scan()).toEqual([3, 4, 5, 6, 7, 8])
})

test('a reader that returns after a long time skips the numbers of swept events', async () => {
  await append([null])
  await database.transaction(async (tx) => {
    await runStatement(tx, 'delete from feed.event where owner_id = $1', [serviceId])
    await runStatement(tx, 'update feed.head set last_no = 400000000 where owner_id = $1', [serviceId])
  })
  expect(await scan()).toEqual([])
  await append([null])
  expect(await scan()).toEqual([400_000_001])
})

test('an event is read exactly as it was stored, separators in its payload included', async () => {
  const payload = { person_user_id: 'a\u001fb\u001ec\\"\n', share_code: null, list: [1, { deep: 'ü' }] }
  const event = { owner, kind: 'connection_deleted' as const, connectionId: null, payload, key: null }
  await database.transaction((tx) => appendEvents({ clock, ids }, tx, [event]))
  const query = { ownerId: serviceId, cursor: 0, gone: '{}', leased: '{}', limit: 1, visibleFrom: instant(0) }
  const [found] = await database.read((read) => readFree(read, query))
  expect(found).toMatchObject({ no: 1, connectionId: null, payload, at: clock.now(), kind: 'connection_deleted' })
  const chosen = await database.read((read) => readChosen(read, serviceId, '{[1,2)}'))
  expect(chosen).toEqual([found])
})
