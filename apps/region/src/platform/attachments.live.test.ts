import { createHash } from 'node:crypto'
import { openEgress } from '@sealpost/egress'
import { objectKey, type ObjectKey, openObjects, parseObjectKey, parseSha256, sha256Of } from '@sealpost/objects'
import { openTables, readEngines, seededRandom } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { garbageMigrations, sweepGarbage } from '../modules/vault/index.ts'
import { objectAttachments } from './attachments.ts'

const { eu, us } = readEngines()
const random = seededRandom(11)
const place = ({ s3 }: typeof eu) => ({ ...s3, forcePathStyle: true })
const sending = openObjects(place(eu))
const receiving = openObjects(place(us))
const policy = { internalHosts: [new URL(eu.s3.endpoint).host] }
const { database, clock } = await openTables('garbage', garbageMigrations, { poolSize: 2 })
const egress = openEgress({ policy, clock })
const sender = objectAttachments({ objects: sending, egress, random, database, clock })
const receiver = objectAttachments({ objects: receiving, egress, random, database, clock })
const bytes = Buffer.alloc(300_000, 'sealed')
const digest = createHash('sha256').update(bytes).digest('hex')

await sending.ensureBucket()
await receiving.ensureBucket()
afterAll(() => {
  egress.close()
  sending.close()
  receiving.close()
})

/** A copy in the store of the receiver, as for a tell. */
async function copyOne(): Promise<ObjectKey> {
  const key = objectKey(random)
  await sending.put(key, bytes, { contentType: 'application/octet-stream', sha256: sha256Of(bytes) })
  const copied = parseObjectKey(await receiver.copyIn(await sender.presign(key), digest))
  await sender.remove(key)
  return copied ?? expect.fail('the copy has an invalid key')
}

const isThere = async (key: ObjectKey): Promise<boolean> =>
  (await receiving.get(key, { sha256: sha256Of(bytes), maxBytes: bytes.length })).ok

test('an object of one region is copied into the store of another from a link, and the sender can then delete its own', async () => {
  const copied = await copyOne()
  const expected = { sha256: parseSha256(digest) ?? expect.fail(), maxBytes: bytes.length }
  expect(await receiving.get(copied, expected)).toMatchObject({ ok: true })
  await receiver.remove(copied)
})

test('a copy without a reference is removed after an hour, and a kept one is not', async () => {
  const [left, kept] = [await copyOne(), await copyOne()]
  await database.transaction((tx) => receiver.keep(tx, kept))
  clock.advance(3_599_999)
  await sweepGarbage({ database, clock, objects: receiving }, 10)
  expect([await isThere(left), await isThere(kept)]).toEqual([true, true])
  clock.advance(1)
  await sweepGarbage({ database, clock, objects: receiving }, 10)
  expect([await isThere(left), await isThere(kept)]).toEqual([false, true])
  await receiver.remove(kept)
})

test('a copy that is being removed after its hour cannot be kept', async () => {
  const late = await copyOne()
  clock.advance(3_600_000)
  await sweepGarbage({ database, clock, objects: receiving }, 10)
  await expect(database.transaction((tx) => receiver.keep(tx, late))).rejects.toThrow(
    'it expired before it was referred to',
  )
})

test('bytes with another digest than announced are refused', async () => {
  const key = objectKey(random)
  await sending.put(key, bytes, { contentType: 'application/octet-stream', sha256: sha256Of(bytes) })
  await expect(receiver.copyIn(await sender.presign(key), '0'.repeat(64))).rejects.toThrow(
    'not those that were announced',
  )
  await sender.remove(key)
})

test('a link to an address other than a known store is refused', async () => {
  const guarded = openEgress({ policy: {}, clock })
  const confined = objectAttachments({ objects: receiving, egress: guarded, random, database, clock })
  await expect(confined.copyIn('http://127.0.0.1:9/x', digest)).rejects.toThrow('could not be copied')
  guarded.close()
})
