import { randomBytes } from 'node:crypto'
import { objectKey, type ObjectKey, type Objects, sha256Of } from '@sealpost/objects'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeBucket } from '../../engines/bucket.ts'
import { contentType, random, type Storage } from './storage.ts'

const sealed = randomBytes(1000)
const expected = { sha256: sha256Of(sealed), maxBytes: sealed.length }

export function describeVersions(storage: () => Storage): void {
  describe('removing', () => {
    test('a bucket without versioning keeps nothing of a removed object', async () => {
      const { objects } = storage()
      expect(await objects.isVersioned()).toBe(false)
      const [removed, erased] = [await stored(objects), await stored(objects)]
      await objects.remove(removed)
      await objects.erase(erased)
      for (const key of [removed, erased]) {
        expect(await objects.get(key, expected)).toEqual({ ok: false, refusal: 'not_found' })
        expect(await objects.recover(key)).toBe(false)
      }
    })

    test('a bucket with versioning keeps a removed object until it is erased', async () => {
      const { place, open } = storage()
      const bucket = await makeBucket(place, { isVersioned: true })
      const objects = open({ ...place, bucket: bucket.name })
      onTestFinished(() => objects.close())
      expect(await objects.isVersioned()).toBe(true)
      const key = await stored(objects)
      await objects.remove(key)
      await objects.remove(key)
      expect(await objects.get(key, expected)).toEqual({ ok: false, refusal: 'not_found' })
      expect(await objects.recover(key)).toBe(true)
      expect(await objects.get(key, expected)).toMatchObject({ ok: true })
      await objects.remove(key)
      await objects.erase(key)
      expect(await bucket.versionsOf(key)).toBe(0)
      expect(await objects.recover(key)).toBe(false)
      await objects.erase(key)
    })
  })
}

async function stored(objects: Objects): Promise<ObjectKey> {
  const key = objectKey(random)
  await objects.put(key, sealed, { contentType })
  return key
}
