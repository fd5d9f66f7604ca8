import type { ObjectKey } from '@sealpost/objects'
import { bodyOf, openWorld, type Person, photoEnvelope, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { sweepGarbage } from '../garbage/index.ts'
import { tidyVault } from './tidy.ts'

const HOUR_MS = 3_600_000

const world = await openWorld({ own: true })
const service = await world.service()
const { vault } = world.us.modules

/** The keys of all objects that this region knows. The store itself is shared with other tests. */
async function knownKeys(): Promise<readonly ObjectKey[]> {
  const sql = `select object_key as key from vault.garbage union select object_key from vault.staged_share
    union select object_key from vault.value where object_key is not null`
  const rows = await world.rows<{ key: ObjectKey }>(sql, [], 'us')
  return rows.map(({ key }) => key)
}

/** The number of these keys that are in the store. */
async function storedOf(keys: readonly ObjectKey[]): Promise<number> {
  const heads = await Promise.all(keys.map((key) => world.us.platform.objects.head(key)))
  return heads.filter(({ ok }) => ok).length
}

/** Runs upkeep a day later. */
async function tidyUp(): Promise<void> {
  world.clock.advance(25 * HOUR_MS)
  await tidyVault(vault)
  world.clock.advance(HOUR_MS)
  while ((await sweepGarbage(vault, 100)) > 0);
}

async function rowCount({ userId }: Person): Promise<number> {
  const sql = `select (select count(*) from vault.value where account_id = $1)::int
    + (select count(*) from vault.staged_share where account_id = $1)::int
    + (select count(*) from vault.verification where account_id = $1)::int as rows`
  const [row] = await world.rows<{ rows: number }>(sql, [userId], 'us')
  return row?.rows ?? -1
}

async function putPhoto(owner: Person): Promise<string> {
  expect((await owner.put('photo', photoEnvelope())).status).toBe(200)
  return `/api/contact-data/${owner.field('photo')}`
}

test('removed and unused staged files leave no object behind, and a removed file takes the ones that it replaced along', async () => {
  const owner = await world.person()
  const path = await putPhoto(owner)
  await putPhoto(owner)
  await putPhoto(owner)
  const sealed = await service.seal(photoEnvelope())
  await bodyOf(owner.calls('POST', `${path}/shares`, { body: { value: sealed } }), 201)
  const keys = await knownKeys()
  expect(keys).toHaveLength(4)
  expect(await storedOf(keys)).toBe(4)
  await tidyUp()
  // The value and the two files that it replaced: a database restored from a backup may refer to them.
  expect(await storedOf(keys)).toBe(3)
  expect(await owner.calls('GET', `${path}/file`)).toMatchObject({ status: 200, body: { encrypted: true } })
  await bodyOf(owner.calls('DELETE', path), 204)
  expect(await storedOf(keys)).toBe(3)
  await tidyUp()
  expect(await storedOf(keys)).toBe(0)
  expect(await knownKeys()).toEqual([])
})

test('deleting an own field deletes its value', async () => {
  const owner = await world.person()
  const field = await bodyOf(
    owner.calls('POST', '/api/contact-fields', { body: { label: 'Locker', type: 'photo' } }),
    201,
  )
  const path = `/api/contact-data/${String(field['id'])}`
  await bodyOf(owner.calls('PUT', path, { body: { value: await owner.sealToSelf(photoEnvelope()) } }))
  expect(await rowCount(owner)).toBe(1)
  await bodyOf(owner.calls('DELETE', `/api/contact-fields/${String(field['id'])}`), 204)
  expect(await rowCount(owner)).toBe(0)
  expect(await owner.calls('GET', path)).toMatchObject(refused(404, 'request.not_found'))
})

test('erasing an account deletes its values, files and verifications', async () => {
  const owner = await world.person()
  const path = await putPhoto(owner)
  expect((await owner.put('email', 'x')).status).toBe(200)
  const value = await service.seal(photoEnvelope())
  await bodyOf(owner.calls('POST', `${path}/shares`, { body: { value } }), 201)
  const mail = `/api/contact-data/${owner.field('email')}`
  await bodyOf(owner.calls('POST', `${mail}/verifications`, { body: { provider: 'platform_email' } }), 201)
  expect(await rowCount(owner)).toBe(4)
  const keys = await knownKeys()
  expect(await storedOf(keys)).toBeGreaterThanOrEqual(2)
  await owner.erase()
  expect(await rowCount(owner)).toBe(0)
  await tidyUp()
  expect(await storedOf(keys)).toBe(0)
})
