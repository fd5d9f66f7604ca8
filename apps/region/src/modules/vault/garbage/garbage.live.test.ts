import type { ObjectKey } from '@sealpost/objects'
import { openTables, seededRandom } from '@sealpost/testkit'
import { beforeEach, expect, test } from 'vitest'
import {
  announceObject,
  discardObjects,
  discardVersions,
  GarbageError,
  hideSuperseded,
  keepObject,
  supersedeObject,
  sweepGarbage,
} from './index.ts'
import { garbageMigrations } from './migrations.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const { database, clock } = await openTables('garbage', garbageMigrations, { poolSize: 3 })
const random = seededRandom(5)
/** The erased and hidden keys, and whether the storage fails: for all keys or for one. */
const storage = {
  removed: [] as ObjectKey[],
  hidden: [] as ObjectKey[],
  isAway: false,
  isVersioned: false,
  locked: null as ObjectKey | null,
}
const objects = {
  async erase(key: ObjectKey): Promise<void> {
    if (storage.isAway || key === storage.locked) throw new Error('storage is away')
    storage.removed.push(key)
  },
  async remove(key: ObjectKey): Promise<void> {
    storage.hidden.push(key)
  },
  isVersioned: () => Promise.resolve(storage.isVersioned),
}
const platform = { database, clock, random, objects, settings: { BACKUP_DAYS: 35 } }

beforeEach(async () => {
  storage.locked = null
  clock.advance(36 * DAY_MS)
  await sweepGarbage(platform, 1000)
  storage.removed.length = 0
  storage.hidden.length = 0
  storage.isAway = false
  storage.isVersioned = false
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

test('discarded objects are removed when their readers have left, at most `limit` at a time, also when discarded twice', async () => {
  const keys = [await announceObject(platform), await announceObject(platform), await announceObject(platform)]
  for (const key of keys) await database.transaction((tx) => keepObject(tx, key))
  const now = clock.now()
  for (let turn = 0; turn < 2; turn += 1) await database.transaction((tx) => discardObjects(tx, keys, now))
  clock.advance(10 * MINUTE_MS - 1)
  expect(await sweepGarbage(platform, 2)).toBe(0)
  clock.advance(1)
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

const account = '019a0000-0000-7000-8000-00000000000a'
const [photo, passport] = ['019a0000-0000-7000-8000-0000000000f1', '019a0000-0000-7000-8000-0000000000f2']

/** An object that was in use until a newer version came. */
async function superseded(partId = photo, subjectId = account): Promise<ObjectKey> {
  const key = await announceObject(platform)
  await database.transaction((tx) => keepObject(tx, key))
  await database.transaction((tx) => supersedeObject(platform, tx, key, { subjectId, partId }))
  return key
}

test('a replaced object stays as long as backups may refer to it', async () => {
  const key = await superseded()
  clock.advance(35 * DAY_MS)
  expect(await sweepGarbage(platform, 10)).toBe(0)
  clock.advance(10 * MINUTE_MS)
  expect(await sweepGarbage(platform, 10)).toBe(1)
  expect(storage.removed).toEqual([key])
  expect(await hideSuperseded(platform, 10)).toBe(0)
})

test('a value that is deleted takes its replaced objects with it, and those of no other value', async () => {
  const [first, second, other] = [await superseded(), await superseded(), await superseded(passport)]
  await database.transaction((tx) => discardVersions(tx, [account], [photo], clock.now()))
  clock.advance(10 * MINUTE_MS)
  await sweepGarbage(platform, 10)
  expect(storage.removed.toSorted()).toEqual([first, second].toSorted())
  await database.transaction((tx) => discardVersions(tx, [account], null, clock.now()))
  clock.advance(10 * MINUTE_MS)
  await sweepGarbage(platform, 10)
  expect(storage.removed).toContain(other)
})

test('of one value the newest 20 replaced objects stay', async () => {
  const keys: ObjectKey[] = []
  for (let turn = 0; turn < 22; turn += 1) {
    clock.advance(1000)
    keys.push(await superseded())
  }
  clock.advance(10 * MINUTE_MS)
  expect(await sweepGarbage(platform, 100)).toBe(2)
  expect(storage.removed.toSorted()).toEqual(keys.slice(0, 2).toSorted())
})

test('a bucket with versioning hides a replaced object at once; its bytes are erased after the backups', async () => {
  storage.isVersioned = true
  const key = await superseded()
  expect(await hideSuperseded(platform, 10)).toBe(0)
  clock.advance(10 * MINUTE_MS)
  expect(await hideSuperseded(platform, 10)).toBe(1)
  expect(await hideSuperseded(platform, 10)).toBe(0)
  expect([storage.hidden, storage.removed]).toEqual([[key], []])
  expect(await sweepGarbage(platform, 10)).toBe(0)
  clock.advance(35 * DAY_MS)
  await sweepGarbage(platform, 10)
  expect(storage.removed).toEqual([key])
})

test('a hidden object of a value that is deleted is erased at once', async () => {
  storage.isVersioned = true
  const key = await superseded()
  clock.advance(10 * MINUTE_MS)
  await hideSuperseded(platform, 10)
  await database.transaction((tx) => discardVersions(tx, [account], [photo], clock.now()))
  clock.advance(10 * MINUTE_MS)
  await sweepGarbage(platform, 10)
  expect(storage.removed).toEqual([key])
})
