import { createHash } from 'node:crypto'
import { openEgress } from '@sealpost/egress'
import { objectKey, openObjects, parseSha256, sha256Of } from '@sealpost/objects'
import { fixedClock, readEngines, seededRandom } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectAttachments } from './attachments.ts'

const { eu, us } = readEngines()
const random = seededRandom(11)
const place = ({ s3 }: typeof eu) => ({ ...s3, forcePathStyle: true })
const sending = openObjects(place(eu))
const receiving = openObjects(place(us))
const policy = { internalHosts: [new URL(eu.s3.endpoint).host] }
const egress = openEgress({ policy, clock: fixedClock() })
const sender = objectAttachments({ objects: sending, egress, random })
const receiver = objectAttachments({ objects: receiving, egress, random })
const bytes = Buffer.alloc(300_000, 'sealed')
const digest = createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  await sending.ensureBucket()
  await receiving.ensureBucket()
})
afterAll(() => {
  egress.close()
  sending.close()
  receiving.close()
})

test('a file of one region is copied into the store of another from a link, and the sender can then drop its own', async () => {
  const key = objectKey(random)
  await sending.put(key, bytes, { contentType: 'application/octet-stream', sha256: sha256Of(bytes) })
  const copied = await receiver.copyIn(await sender.presign(key), digest)
  await sender.remove(key)
  const expected = { sha256: parseSha256(digest) ?? expect.fail(), maxBytes: bytes.length }
  const read = await receiving.get(copied as typeof key, expected)
  expect(read).toMatchObject({ ok: true })
  await receiver.remove(copied)
})

test('bytes that are not those announced are not kept', async () => {
  const key = objectKey(random)
  await sending.put(key, bytes, { contentType: 'application/octet-stream', sha256: sha256Of(bytes) })
  await expect(receiver.copyIn(await sender.presign(key), '0'.repeat(64))).rejects.toThrow(
    'not those that were announced',
  )
  await sender.remove(key)
})

test('a link that leads anywhere but to a known store is refused', async () => {
  const guarded = openEgress({ policy: {}, clock: fixedClock() })
  const stranger = objectAttachments({ objects: receiving, egress: guarded, random })
  await expect(stranger.copyIn('http://127.0.0.1:9/x', digest)).rejects.toThrow('could not be copied')
  guarded.close()
})
