import { createIds, type ClientId, type ServiceId, type UserId } from '@sealpost/kernel'
import { type Database, openDatabase } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { createTestDatabase, fixedClock, seededRandom, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { regionMigrations } from '../../migrations.ts'
import type { ClientDirectory } from './directory.ts'
import { findClientOfService } from './guard/index.ts'
import { registerDataClient } from './operations.ts'

const clock = fixedClock()
const ids = createIds(clock, seededRandom(21))
let site: TestDatabase
let database: Database

beforeAll(async () => {
  site = await createTestDatabase({ template: 'region', migrations: regionMigrations })
  database = openDatabase({ url: site.url })
})
afterAll(async () => {
  await database.close()
  await site.drop()
})

/** The other party, which here may be away; it is on the far side of the bus. */
function directory(put: ClientDirectory['putClient']): ClientDirectory {
  const absent = () => Promise.reject(refuse('region.unreachable'))
  return { putClient: put, raiseEpoch: absent, findHome: absent, listSigningKeys: absent }
}

test('a registration that was cut off is finished by the next call, with the client that was begun', async () => {
  const company = ids.uuid<UserId>()
  const service = ids.uuid<ServiceId>()
  const asked: ClientId[] = []
  const away = directory(({ clientId }) => {
    asked.push(clientId)
    return Promise.reject(refuse('region.unreachable'))
  })
  await expect(registerDataClient({ database, clock, ids, directory: away }, company, service)).rejects.toMatchObject({
    key: 'region.unreachable',
  })
  const back = directory(({ clientId }) => {
    asked.push(clientId)
    return Promise.resolve({ epoch: 1 })
  })
  const issued = await registerDataClient({ database, clock, ids, directory: back }, company, service)
  expect(asked).toEqual([issued.clientId, issued.clientId])
  const stored = await database.read((read) => findClientOfService(read, company, service))
  expect(stored).toMatchObject({ clientId: issued.clientId, epoch: 1 })
})

test('a service has one data client', async () => {
  const company = ids.uuid<UserId>()
  const service = ids.uuid<ServiceId>()
  const needs = { database, clock, ids, directory: directory(() => Promise.resolve({ epoch: 1 })) }
  await registerDataClient(needs, company, service)
  await expect(registerDataClient(needs, company, service)).rejects.toMatchObject({ key: 'services.client_exists' })
})
