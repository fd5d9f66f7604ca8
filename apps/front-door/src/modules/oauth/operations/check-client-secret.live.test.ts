import { parseKeyring, Secret } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, fixedClock, fixedIds, northwind, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { frontDoorMigrations } from '../../../index.ts'
import { hashSecret } from '../../directory/index.ts'
import { startTokenServer } from '../testing/token-server.ts'

const first = `a:${'a'.repeat(32)}`
const second = `b:${'b'.repeat(32)}`
const third = `c:${'c'.repeat(32)}`
const clock = fixedClock()
const ids = fixedIds(clock)
const wrong = { ...northwind, clientSecret: 'wrong' }
let place: TestDatabase
let database: Database

beforeAll(async () => {
  place = await createTestDatabase({ template: 'directory', migrations: frontDoorMigrations })
  database = openDatabase({ url: place.url })
})
beforeEach(() => storeClient(first))
afterAll(async () => {
  await database.close()
  await place.drop()
})

test('a client that requests a token between two rotations of the pepper is locked out by neither', async () => {
  expect(await statusUnder(`${second},${first}`)).toBe(200)
  expect(await keyIdAtRest()).toBe('b')
  expect(await statusUnder(`${third},${second}`)).toBe(200)
  expect(await keyIdAtRest()).toBe('c')
  expect(await statusUnder(third)).toBe(200)
  expect(await statusUnder(third, wrong)).toBe(401)
})

test('a wrong secret is not hashed under the new key', async () => {
  expect(await statusUnder(`${second},${first}`, wrong)).toBe(401)
  expect(await keyIdAtRest()).toBe('a')
})

test('a token is issued even when the new hash cannot be stored', async () => {
  const telemetry = recordingTelemetry()
  const readOnly = openDatabase({ url: `${place.url}?options=-c%20default_transaction_read_only%3Don` })
  expect(await statusUnder(`${second},${first}`, northwind, { database: readOnly, telemetry })).toBe(200)
  await readOnly.close()
  expect(await keyIdAtRest()).toBe('a')
  expect(telemetry.lines().filter(({ level }) => level === 'warn')).toHaveLength(1)
})

async function statusUnder(
  pepper: string,
  client = northwind,
  given = { database, telemetry: recordingTelemetry() },
): Promise<number> {
  const server = await startTokenServer({ ...given, clock, ids }, pepper)
  try {
    return (await server.ask(client)).status
  } finally {
    await server.close()
  }
}

const ACCOUNT = `insert into directory.account (user_id, user_type, region, level, share_code)
  values ($1, 'company', 'eu', 'pro', 'NRTHWD')`

const CLIENT = `insert into directory.client (client_id, kind, user_id, service_id, name, capabilities, patterns, redirect_uris,
    is_confidential, secret_id, secret_key_id, secret_hash, created_at)
  values ($1, 'svc', $2, $3, 'A client', '{}', '{}', '{}', true, $4, $5, $6, to_timestamp(0))`

async function storeClient(pepper: string): Promise<void> {
  const { keyId, hash } = hashSecret(parseKeyring(pepper), new Secret(northwind.clientSecret))
  const { clientId, companyId, serviceId } = northwind
  await database.transaction(async (tx) => {
    await runStatement(tx, 'truncate directory.account cascade', [])
    await runStatement(tx, ACCOUNT, [companyId])
    await runStatement(tx, CLIENT, [clientId, companyId, serviceId, ids.uuid(), keyId, hash])
  })
}

async function keyIdAtRest(): Promise<string | undefined> {
  const sql = 'select secret_key_id from directory.client where client_id = $1'
  const rows = await database.read((read) => runStatement<{ secret_key_id: string }>(read, sql, [northwind.clientId]))
  return rows[0]?.secret_key_id
}
