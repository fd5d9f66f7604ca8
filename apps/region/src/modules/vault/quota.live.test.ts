import { runStatement } from '@sealpost/postgres'
import { keyOf, membersOf, openWorld, type Person } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { recountStored } from './operations/stored-bytes.ts'

const MB = 1_048_576
const DAY_MS = 86_400_000
const world = await openWorld({ settings: { QUOTA_MB: 'free=1' } })

function put(person: Person, field: string, kilobytes: number) {
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(kilobytes * 768)])
  const file = `data:image/jpeg;base64,${jpeg.toString('base64')}`
  const paper = {
    pages: [{ file }],
    name: 'A',
    document_number: 'P1',
    expiry_date: '2031-05-06',
    issuing_country: 'NL',
  }
  return person.put(field, JSON.stringify(paper), [], { isPrivate: false, isClear: true })
}

async function storedBy(person: Person): Promise<Record<string, unknown>> {
  return membersOf((await person.calls('GET', '/api/account')).body['storage'])
}

test('files over the quota of the level are refused with what is stored and what to do', async () => {
  const person = await world.person({ region: 'eu' })
  expect(await storedBy(person)).toEqual({ stored_bytes: 0, quota_bytes: MB })
  expect((await put(person, 'passport', 600)).status).toBe(200)
  const before = await storedBy(person)
  expect(before['stored_bytes']).toBeGreaterThan(600 * 1024)

  const refused = await put(person, 'drivers_license', 600)
  expect([refused.status, keyOf(refused)]).toEqual([409, 'account.storage_exceeded'])
  expect(refused.body['error']).toMatch(/stores 0\.6 MB in files and its level allows 1\.0 MB.*would add 0\.6 MB/)
  expect(await storedBy(person)).toEqual(before)

  expect((await put(person, 'passport', 700)).status).toBe(200)
  expect((await put(person, 'passport', 100)).status).toBe(200)
  expect((await put(person, 'drivers_license', 600)).status).toBe(200)
  for (const field of ['passport', 'drivers_license']) {
    expect((await person.calls('DELETE', `/api/contact-data/${person.field(field)}`)).status).toBe(204)
  }
  expect(await storedBy(person)).toEqual({ stored_bytes: 0, quota_bytes: MB })
})

test('concurrent calls cannot exceed the quota together', async () => {
  const person = await world.person({ region: 'eu' })
  const fields = ['passport', 'drivers_license', 'residence_permit', 'id_card']
  const statuses = (await Promise.all(fields.map((field) => put(person, field, 400)))).map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 409, 409])
  expect((await storedBy(person))['stored_bytes']).toBeLessThanOrEqual(MB)
})

test('a level without a quota has none, and a wrong counter is corrected by upkeep', async () => {
  const company = await world.company()
  expect(await storedBy(company)).toEqual({ stored_bytes: 0, quota_bytes: null })
  const person = await world.person({ region: 'eu' })
  expect((await put(person, 'passport', 300)).status).toBe(200)
  const right = await storedBy(person)
  const { platform } = world.eu
  await platform.database.transaction((tx) =>
    runStatement(tx, 'update vault.stored_bytes set bytes = 7 where account_id = $1', [person.userId]),
  )
  const later = { now: () => world.clock.now() + 2 * DAY_MS } as typeof world.clock
  await recountStored({ ...platform, clock: later })
  expect(await storedBy(person)).toEqual(right)
  expect(world.telemetry.text()).toContain('the counter of stored bytes was wrong')
})
