import type { ObjectKey } from '@sealpost/objects'
import { openTables, seededRandom } from '@sealpost/testkit'
import { beforeEach, expect, test } from 'vitest'
import { announceObject, discardObjects, GarbageError, keepObject, sweepGarbage } from './index.ts'
import { garbageMigrations } from './migrations.ts'

const HOUR_MS = 3_600_000
const { database, clock } = await openTables('garbage', garbageMigrations, { poolSize: 3 })
const random = seededRandom(5)
/** The removed keys, and whether the storage fails: for all keys or for one. */
const storage = { removed: [] as ObjectKey[], isAway: false, locked: null as ObjectKey | null }
const objects = {
  async remove(key: ObjectKey): Promise<void> {
    if (storage.isAway || key === storage.locked) throw new Error('storage is away')
    storage.removed.push(key)
  },
}
const platform = { database, clock, random, objects }

beforeEach(async () => {
  storage.locked = null
  clock.advance(2 * HOUR_MS)
  await sweepGarbage(platform, 1000)
  storage.removed.length = 0
  storage.isAway = false
})

test('an announced object that nothing refers to is removed after an hour, not before', async () => {
  const key = await announceObject(platform)
  clock.advance(HOUR_MS - 1)
  expect(await sweepGarbage(platform, 10)).toBe(0)
  clock.advance(1)
  expect(await sweepGarbage(platform, 10)).toBe(1)
  expect(storage.removed).toEqual([key])
  expect(await sweepGarbage(platform, 10)).toBe(0)
})

test('a kept object stays; one whose transaction failed is removed', async () => {
  const [kept, lost] = [await announceObject(platform), await announceObject(platform)]
  await database.transaction((tx) => keepObject(tx, kept))
  const failing = database.transaction(async (tx) => {
    await keepObject(tx, lost)
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  clock.advance(HOUR_MS)
  await sweepGarbage(platform, 10)
  expect(storage.removed).toEqual([lost])
})

test('an object that is being removed cannot be kept', async () => {
  const key = await announceObject(platform)
  clock.advance(HOUR_MS)
  storage.isAway = true
  await expect(sweepGarbage(platform, 10)).rejects.toThrow('away')
  await expect(database.transaction((tx) => keepObject(tx, key))).rejects.toThrow(GarbageError)
  storage.isAway = false
  expect(await sweepGarbage(platform, 10)).toBe(1)
  expect(storage.removed).toEqual([key])
})

test('discarded objects are removed when due, at most `limit` at a time, also when discarded twice', async () => {
  const keys = [await announceObject(platform), await announceObject(platform), await announceObject(platform)]
  for (const key of keys) await database.transaction((tx) => keepObject(tx, key))
  const dueAt = clock.now()
  for (let turn = 0; turn < 2; turn += 1) await database.transaction((tx) => discardObjects(tx, keys, dueAt))
  expect(await sweepGarbage(platform, 2)).toBe(2)
  expect(await sweepGarbage(platform, 2)).toBe(1)
  expect(storage.removed.toSorted()).toEqual(keys.toSorted())
})

test('an object that cannot be removed does not block the others', async () => {
  const locked = await announceObject(platform)
  storage.locked = locked
  clock.advance(1000)
  const others = [await announceObject(platform), await announceObject(platform)]
  clock.advance(HOUR_MS)
  await expect(sweepGarbage(platform, 10)).rejects.toThrow('away')
  await expect(sweepGarbage(platform, 10)).rejects.toThrow('away')
  expect(storage.removed.toSorted()).toEqual(others.toSorted())
  storage.locked = null
  expect(await sweepGarbage(platform, 10)).toBe(1)
  expect(storage.removed).toContain(locked)
})
