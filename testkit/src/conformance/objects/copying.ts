import { randomBytes } from 'node:crypto'
import { openEgress, type Egress, type EgressResponse } from '@sealpost/egress'
import { instant, Secret } from '@sealpost/kernel'
import { copyIn, objectKey, sha256Of, type CopyInExpectation, type ObjectKey } from '@sealpost/objects'
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { contentType, openTampered, random, type Storage } from './storage.ts'

const sealed = randomBytes(200_000)
const expected: CopyInExpectation = { sha256: sha256Of(sealed), maxBytes: 200_000, contentType }

export function describeCopying(storage: () => Storage): void {
  describe('presigned URLs', () => {
    test('a presigned URL reads one object without credentials, and does not show when printed', async () => {
      const { key, url } = await presigned(storage(), 60)
      expect((await get(storage(), url.reveal())).body.equals(sealed)).toBe(true)
      expect(JSON.stringify({ url })).not.toContain(key)
    })

    test('a presigned URL is for one object and one time', async () => {
      const { key, url } = await presigned(storage(), 1)
      const { key: another } = await presigned(storage(), 60)
      expect((await get(storage(), url.reveal().replace(key, another))).status).toBe(403)
      await waitUntil('the URL has expired', 10_000, async () => (await get(storage(), url.reveal())).status === 403)
    })
  })

  describe('copying in', () => {
    test('an object of another region is stored under a fresh key', async () => {
      const { key, url } = await presigned(storage(), 60)
      const copied = await copyIn(needs(storage()), url, expected)
      if (!copied.ok) throw new Error(copied.refusal.kind)
      expect(copied.value.sizeBytes).toBe(sealed.byteLength)
      expect(copied.value.key).not.toBe(key)
      const read = await storage().objects.get(copied.value.key, expected)
      expect(read).toMatchObject({ ok: true, value: sealed })
    })

    test('what is too large, damaged, withdrawn or not to be called leaves nothing behind', async () => {
      const { key, url } = await presigned(storage(), 60)
      const copy = (from: Secret<string>, change: Partial<CopyInExpectation> = {}) =>
        copyIn(needs(storage()), from, { ...expected, ...change })
      const before = await countObjects(storage())
      expect(await copy(url, { maxBytes: 199_999 })).toEqual(refused({ kind: 'too_large' }))
      expect(await copy(url, { sha256: sha256Of(randomBytes(1)) })).toEqual(refused({ kind: 'damaged' }))
      expect(await copy(new Secret('http://10.0.0.1/object'))).toEqual(
        refused({ kind: 'unanswered', failure: { kind: 'refused', reason: 'private' } }),
      )
      await storage().objects.remove(key)
      expect(await copy(url)).toEqual(refused({ kind: 'status', status: 404 }))
      expect(await countObjects(storage())).toBe(before - 1)
    })

    test('a wire that cuts our own storage off is an error of the storage, not of the sender', async () => {
      const { url } = await presigned(storage(), 60)
      const objects = await openTampered(storage(), { down: ['HTTP/1.1 200', 'HTTP/9.9 999'] })
      await expect(copyIn({ ...needs(storage()), objects }, url, expected)).rejects.toThrow(
        'object storage: put failed',
      )
    })
  })
}

const refused = (refusal: object): object => ({ ok: false, refusal })

async function presigned({ objects }: Storage, seconds: number): Promise<{ key: ObjectKey; url: Secret<string> }> {
  const key = objectKey(random)
  await objects.put(key, sealed, { contentType })
  return { key, url: await objects.presignGet(key, seconds) }
}

function needs(storage: Storage) {
  return { objects: storage.objects, egress: egressTo(storage), random }
}

/** May call this storage and, like everybody, the public Internet, which no test names. */
export function egressTo({ place }: Storage): Egress {
  return openEgress({
    policy: { internalHosts: [new URL(place.endpoint).host] },
    clock: { now: () => instant(performance.now()) },
  })
}

async function get(storage: Storage, url: string): Promise<{ status: number; body: Buffer }> {
  const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxResponseBytes: 1_048_576 }
  const result = await egressTo(storage).send({ method: 'GET', url, ...limits })
  if (!result.ok) throw new Error(result.refusal.kind)
  const { status, body }: EgressResponse = result.value
  return { status, body: Buffer.from(body) }
}

async function countObjects({ objects }: Storage): Promise<number> {
  return (await objects.list({ limit: 1_000 })).objects.length
}
