import { randomBytes } from 'node:crypto'
import { DamagedObjectError, objectKey, sha256Of, type ObjectKey } from '@sealpost/objects'
import { describe, expect, test } from 'vitest'
import { collect, contentType, openTampered, random, type Storage } from './storage.ts'

const MEBIBYTE = 1_048_576
const notFound = { ok: false, refusal: 'not_found' }

export function describeReading(storage: () => Storage): void {
  describe('reading', () => {
    test('a missing object is not found, and removing it is no error', async () => {
      const { objects } = storage()
      const key = objectKey(random)
      const sha256 = sha256Of(randomBytes(1))
      expect(await objects.get(key, { sha256, maxBytes: 1 })).toEqual(notFound)
      expect(await objects.open(key, sha256)).toEqual(notFound)
      expect(await objects.head(key)).toEqual(notFound)
      await objects.remove(key)
    })

    test('a removed object is gone', async () => {
      const { objects } = storage()
      const key = await put(storage(), randomBytes(10))
      await objects.remove(key)
      await objects.remove(key)
      expect(await objects.head(key)).toEqual(notFound)
    })

    test('an object that is not the expected one is damaged', async () => {
      const key = await put(storage(), randomBytes(100_000))
      const sha256 = sha256Of(randomBytes(1))
      expect(await storage().objects.get(key, { sha256, maxBytes: MEBIBYTE })).toEqual({
        ok: false,
        refusal: 'damaged',
      })
    })

    test('an object damaged on the way is never read to its end', async () => {
      const content = Buffer.from(`${'x'.repeat(50_000)}GOOD${'x'.repeat(50_000)}`)
      const sha256 = sha256Of(content)
      const key = await put(storage(), content)
      const tampered = await openTampered(storage(), { down: ['GOOD', 'EVIL'] })
      expect(await tampered.get(key, { sha256, maxBytes: MEBIBYTE })).toEqual({ ok: false, refusal: 'damaged' })
      const opened = await tampered.open(key, sha256)
      if (!opened.ok) throw new Error(opened.refusal)
      let seenBytes = 0
      const reading = async (): Promise<void> => {
        for await (const chunk of opened.value.bytes) seenBytes += chunk.byteLength
      }
      await expect(reading()).rejects.toBeInstanceOf(DamagedObjectError)
      expect(seenBytes).toBeLessThan(content.byteLength)
    })

    test('an object larger than allowed is not read into memory', async () => {
      const content = randomBytes(100_000)
      const key = await put(storage(), content)
      const expected = { sha256: sha256Of(content), maxBytes: 99_999 }
      expect(await storage().objects.get(key, expected)).toEqual({ ok: false, refusal: 'too_large' })
    })

    test('an opened object is read as it comes', async () => {
      const content = randomBytes(3 * MEBIBYTE)
      const key = await put(storage(), content)
      const opened = await storage().objects.open(key, sha256Of(content))
      if (!opened.ok) throw new Error(opened.refusal)
      expect(opened.value.sizeBytes).toBe(content.byteLength)
      expect((await collect(opened.value.bytes)).equals(content)).toBe(true)
    })

    test('pages list every object once, in the order of keys', async () => {
      const keys = await Promise.all(Array.from({ length: 7 }, () => put(storage(), randomBytes(5))))
      const listed = await listAll(storage(), 3)
      expect(listed).toEqual(listed.toSorted())
      expect(new Set(listed).size).toBe(listed.length)
      for (const key of keys) expect(listed).toContain(key)
    })

    test('the bucket may already be there', async () => {
      const twice = Promise.all([storage().objects.ensureBucket(), storage().objects.ensureBucket()])
      await expect(twice).resolves.toHaveLength(2)
    })
  })
}

async function put({ objects }: Storage, content: Uint8Array): Promise<ObjectKey> {
  const key = objectKey(random)
  await objects.put(key, content, { contentType })
  return key
}

async function listAll({ objects }: Storage, limit: number): Promise<readonly ObjectKey[]> {
  const keys: ObjectKey[] = []
  for (let after: string | null = ''; after !== null;) {
    const page = await objects.list({ limit, ...(after === '' ? {} : { after }) })
    expect(page.objects.length).toBeLessThanOrEqual(limit)
    keys.push(...page.objects.map(({ key }) => key))
    after = page.next
  }
  return keys
}
