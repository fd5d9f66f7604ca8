import type { ObjectKey } from '@sealpost/objects'
import { openDatabase } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, seededRandom, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { announceObject, discardObjects, GarbageError, garbageMigrations, keepObject, sweepGarbage } from './index.ts'

const HOUR_MS = 3_600_000
let place: TestDatabase
let database: ReturnType<typeof openDatabase>
const clock = fixedClock()
const random = seededRandom(5)
/** What was asked to be removed, and whether the storage is away. */
const storage = { removed: [] as ObjectKey[], isAway: false, locked: null as ObjectKey | null }
const objects = {
  async remove(key: ObjectKey): Promise<void> {
    if (storage.isAway || key === storage.locked) throw new Error('storage is away')
    storage.removed.push(key)
  },
}
const needs = () => ({ database, clock, random, objects })

beforeAll(async () => {
  place = await createTestDatabase({ template: 'garbage', migrations: garbageMigrations })
  database = openDatabase({ url: place.url, poolSize: 3 })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})
beforeEach(async () => {
  storage.locked = null
  clock.advance(2 * HOUR_MS)
  await sweepGarbage(needs(), 1000)
  storage.removed.length = 0
  storage.isAway = false
})

test('an object that nothing came to refer to is removed after its hour, not before', async () => {
  const key = await announceObject(needs())
  clock.advance(HOUR_MS - 1)
  expect(await sweepGarbage(needs(), 10)).toBe(0)
  clock.advance(1)
  expect(await sweepGarbage(needs(), 10)).toBe(1)
  expect(storage.removed).toEqual([key])
  expect(await sweepGarbage(needs(), 10)).toBe(0)
})

test('one that is kept stays, and one whose transaction failed does not', async () => {
  const [kept, lost] = [await announceObject(needs()), await announceObject(needs())]
  await database.transaction((tx) => keepObject(tx, kept))
  const failing = database.transaction(async (tx) => {
    await keepObject(tx, lost)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  clock.advance(HOUR_MS)
  await sweepGarbage(needs(), 10)
  expect(storage.removed).toEqual([lost])
})

test('one that is being removed cannot be kept any more', async () => {
  const key = await announceObject(needs())
  clock.advance(HOUR_MS)
  storage.isAway = true
  await expect(sweepGarbage(needs(), 10)).rejects.toThrow('away')
  await expect(database.transaction((tx) => keepObject(tx, key))).rejects.toThrow(GarbageError)
  storage.isAway = false
  expect(await sweepGarbage(needs(), 10)).toBe(1)
  expect(storage.removed).toEqual([key])
})

test('what is discarded goes at its time, in steps of the limit, whoever discards it twice', async () => {
  const keys = [await announceObject(needs()), await announceObject(needs()), await announceObject(needs())]
  for (const key of keys) await database.transaction((tx) => keepObject(tx, key))
  const dueAt = clock.now()
  for (let turn = 0; turn < 2; turn += 1) await database.transaction((tx) => discardObjects(tx, keys, dueAt))
  expect(await sweepGarbage(needs(), 2)).toBe(2)
  expect(await sweepGarbage(needs(), 2)).toBe(1)
  expect(storage.removed.toSorted()).toEqual(keys.toSorted())
})

test('one that storage does not let go of keeps nobody else’s from being removed', async () => {
  const locked = await announceObject(needs())
  storage.locked = locked
  clock.advance(1000)
  const others = [await announceObject(needs()), await announceObject(needs())]
  clock.advance(HOUR_MS)
  await expect(sweepGarbage(needs(), 10)).rejects.toThrow('away')
  await expect(sweepGarbage(needs(), 10)).rejects.toThrow('away')
  expect(storage.removed.toSorted()).toEqual(others.toSorted())
  storage.locked = null
  expect(await sweepGarbage(needs(), 10)).toBe(1)
  expect(storage.removed).toContain(locked)
})
