import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { installSlowGuard, Secret } from '@sealpost/kernel'
import { objectKey, ObjectStorageError, sha256Of, type ObjectKey } from '@sealpost/objects'
import { describe, expect, test } from 'vitest'
import { contentType, inChunks, openTampered, random, type Storage } from './storage.ts'

const sealed = randomBytes(100_000)
const sha256 = sha256Of(sealed)
const other = sha256Of(randomBytes(1))

export function describeStoring(storage: () => Storage): void {
  describe('storing', () => {
    test('what was put is there, with size and type', async () => {
      const key = objectKey(random)
      const stored = await storage().objects.put(key, sealed, { contentType: 'image/png', sha256 })
      expect(stored).toEqual({ ok: true, value: { sizeBytes: 100_000, sha256 } })
      expect(await storage().objects.head(key)).toEqual({
        ok: true,
        value: { sizeBytes: 100_000, contentType: 'image/png' },
      })
    })

    test('a stream of known length is stored like bytes', async () => {
      const key = objectKey(random)
      const about = { contentType, sha256, sizeBytes: 100_000 }
      expect(await storage().objects.putStream(key, inChunks(sealed), about)).toMatchObject({ ok: true })
      expect(await storage().objects.get(key, { sha256, maxBytes: 100_000 })).toMatchObject({ ok: true, value: sealed })
    })

    test('an empty object is an object', async () => {
      const nothing = new Uint8Array()
      const [key, streamed] = [objectKey(random), objectKey(random)]
      await storage().objects.put(key, nothing, { contentType })
      const about = { contentType, sha256: sha256Of(nothing), sizeBytes: 0 }
      expect(await storage().objects.putStream(streamed, inChunks(nothing), about)).toMatchObject({ ok: true })
      for (const each of [key, streamed]) {
        const read = await storage().objects.get(each, { sha256: sha256Of(nothing), maxBytes: 10 })
        expect(read.ok && read.value.byteLength).toBe(0)
      }
    })

    test('bytes that are not the announced ones are not stored', async () => {
      const key = objectKey(random)
      expect(await storage().objects.put(key, sealed, { contentType, sha256: other })).toEqual(damaged)
      await expectMissing(storage(), key)
    })

    test.each([
      ['of another content', { sha256: other, sizeBytes: 100_000 }],
      ['too short', { sha256, sizeBytes: 100_001 }],
      ['too long', { sha256, sizeBytes: 99_999 }],
    ])('a stream %s is not stored', async (_name, about) => {
      const key = objectKey(random)
      expect(await storage().objects.putStream(key, inChunks(sealed), { contentType, ...about })).toEqual(damaged)
      await expectMissing(storage(), key)
    })

    test('a stream that breaks off ends the upload with its own error', async () => {
      const key = objectKey(random)
      const about = { contentType, sha256, sizeBytes: 100_000 }
      const storing = storage().objects.putStream(key, breakingOff(), about)
      await expect(storing).rejects.toThrow('the source is gone')
      await expectMissing(storage(), key)
    })

    describeRefusals(storage)
  })
}

const damaged = { ok: false, refusal: 'damaged' }

function describeRefusals(storage: () => Storage): void {
  test.each(['bytes', 'stream'])('the server refuses what was damaged on the way (%s)', async (form) => {
    const content = Buffer.from(`${'x'.repeat(50_000)}GOOD${'x'.repeat(50_000)}`)
    const about = { contentType, sha256: sha256Of(content), sizeBytes: content.byteLength }
    const key = objectKey(random)
    const tampered = await openTampered(storage(), { up: ['GOOD', 'EVIL'] })
    const storing =
      form === 'bytes' ? tampered.put(key, content, about) : tampered.putStream(key, inChunks(content), about)
    await expect(storing).rejects.toMatchObject({ name: 'ObjectStorageError', status: 400 })
    await expectMissing(storage(), key)
  })

  test('a wrong secret is refused with advice, and the error does not show it', async () => {
    const { place, open } = storage()
    const stranger = open({ ...place, secretAccessKey: new Secret('not-the-secret-key') })
    const error = await stranger.put(objectKey(random), sealed, { contentType }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ObjectStorageError)
    expect(inspect(error, { depth: 20 })).toContain('check S3_ACCESS_KEY_ID')
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('not-the-secret-key')
  })

  test('a server that is down or a bucket that is missing is an error that says what to do', async () => {
    const { place, open } = storage()
    const down = open({ ...place, endpoint: 'http://127.0.0.1:9' })
    await expect(down.put(objectKey(random), sealed, { contentType })).rejects.toThrow('check that S3_ENDPOINT')
    const noBucket = open({ ...place, bucket: `missing-${randomBytes(6).toString('hex')}` })
    await expect(noBucket.put(objectKey(random), sealed, { contentType })).rejects.toThrow('create the bucket')
  })

  test('inside a transaction nothing is sent', async () => {
    const { objects } = storage()
    const key = objectKey(random)
    installSlowGuard((act) => {
      throw new Error(`${act} inside a transaction`)
    })
    const acts = [
      () => objects.put(key, sealed, { contentType }),
      () => objects.putStream(key, inChunks(sealed), { contentType, sha256, sizeBytes: sealed.byteLength }),
      () => objects.get(key, { sha256, maxBytes: 1 }),
      () => objects.open(key, sha256),
      () => objects.head(key),
      () => objects.remove(key),
      () => objects.list({ limit: 1 }),
      () => objects.ensureBucket(),
    ]
    const outcomes = await Promise.allSettled(acts.map(async (act) => act()))
    installSlowGuard(null)
    expect(outcomes.map(({ status }) => status)).toEqual(acts.map(() => 'rejected'))
    await expectMissing(storage(), key)
  })
}

async function expectMissing({ objects }: Storage, key: ObjectKey): Promise<void> {
  expect(await objects.head(key)).toEqual({ ok: false, refusal: 'not_found' })
}

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield sealed.subarray(0, 50_000)
  throw new Error('the source is gone')
}
