import type { ObjectKey } from '@sealpost/objects'
import { runStatement } from '@sealpost/postgres'
import {
  contactPath,
  demand,
  newOwner,
  northwind,
  type Owner,
  ownerOf,
  photoEnvelope,
  refused,
  sealTo,
  sealToSelf,
  startWithoutLimits,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepGarbage } from '../garbage/index.ts'
import { tidyVault } from './tidy.ts'

const HOUR_MS = 3_600_000

let two: TwoRegions

beforeAll(async () => {
  two = await startWithoutLimits()
}, 120_000)
afterAll(() => two.close())

/** The keys of all objects that this region knows. The store itself is shared with other tests. */
async function knownKeys(): Promise<readonly ObjectKey[]> {
  const rows = await two.us.platform.database.read((read) =>
    runStatement<{ key: ObjectKey }>(
      read,
      `select object_key as key from vault.garbage union select object_key from vault.staged_share
      union select object_key from vault.value where object_key is not null`,
      [],
    ),
  )
  return rows.map(({ key }) => key)
}

/** The number of these keys that are in the store. */
async function storedOf(keys: readonly ObjectKey[]): Promise<number> {
  const heads = await Promise.all(keys.map((key) => two.us.platform.objects.head(key)))
  return heads.filter(({ ok }) => ok).length
}

/** Runs upkeep a day later. */
async function tidyUp(): Promise<void> {
  two.clock.advance(25 * HOUR_MS)
  await tidyVault(two.us.modules.vault)
  two.clock.advance(HOUR_MS)
  while ((await sweepGarbage(two.us.modules.vault, 100)) > 0);
}

async function rowCount({ user }: Owner): Promise<number> {
  const rows = await two.us.platform.database.read((read) =>
    runStatement<{ rows: number }>(
      read,
      `select (select count(*) from vault.value where account_id = $1)::int
        + (select count(*) from vault.staged_share where account_id = $1)::int
        + (select count(*) from vault.verification where account_id = $1)::int as rows`,
      [user.userId],
    ),
  )
  return rows[0]?.rows ?? -1
}

function newPerson(): Promise<Owner> {
  return newOwner(two, { userType: 'person', region: 'us' })
}

async function putPhoto(owner: Owner): Promise<string> {
  const path = await contactPath(owner, 'photo')
  await demand(owner.call('PUT', path, { value: await sealToSelf(owner, photoEnvelope()) }))
  return path
}

test('replaced, removed and unused staged files leave no object behind', async () => {
  const owner = await newPerson()
  const path = await putPhoto(owner)
  await putPhoto(owner)
  await putPhoto(owner)
  const sealed = await sealTo(northwind.service.publicKey, photoEnvelope())
  await demand(owner.call('POST', `${path}/shares`, { value: sealed }), 201)
  const keys = await knownKeys()
  expect(keys).toHaveLength(4)
  expect(await storedOf(keys)).toBe(4)
  await tidyUp()
  expect(await storedOf(keys)).toBe(1)
  const later = await ownerOf(two, owner.user)
  expect(await later.call('GET', `${path}/file`)).toMatchObject({ status: 200, body: { encrypted: true } })
  await demand(later.call('DELETE', path), 204)
  expect(await storedOf(keys)).toBe(1)
  await tidyUp()
  expect(await storedOf(keys)).toBe(0)
  expect(await knownKeys()).toEqual([])
})

test('deleting an own field deletes its value', async () => {
  const owner = await newPerson()
  const field = await demand(owner.call('POST', '/api/contact-fields', { label: 'Locker', type: 'photo' }), 201)
  const path = `/api/contact-data/${String(field['id'])}`
  await demand(owner.call('PUT', path, { value: await sealToSelf(owner, photoEnvelope()) }))
  expect(await rowCount(owner)).toBe(1)
  await demand(owner.call('DELETE', `/api/contact-fields/${String(field['id'])}`), 204)
  expect(await rowCount(owner)).toBe(0)
  expect(await owner.call('GET', path)).toMatchObject(refused(404, 'request.not_found'))
})

test('erasing an account deletes its values, files and verifications', async () => {
  const owner = await newPerson()
  const path = await putPhoto(owner)
  await demand(owner.call('PUT', await contactPath(owner, 'email'), { value: await sealToSelf(owner, 'x') }))
  const value = await sealTo(northwind.service.publicKey, photoEnvelope())
  await demand(owner.call('POST', `${path}/shares`, { value }), 201)
  const mail = await contactPath(owner, 'email')
  await demand(owner.call('POST', `${mail}/verifications`, { provider: 'platform_email' }), 201)
  expect(await rowCount(owner)).toBe(4)
  const keys = await knownKeys()
  expect(await storedOf(keys)).toBeGreaterThanOrEqual(2)
  await two.us.operations.eraseAccount(owner.user.userId)
  expect(await rowCount(owner)).toBe(0)
  await tidyUp()
  expect(await storedOf(keys)).toBe(0)
})
