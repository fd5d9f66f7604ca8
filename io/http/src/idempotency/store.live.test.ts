import { randomBytes } from 'node:crypto'
import { createIds, instant } from '@sealpost/kernel'
import { type Database, openDatabase } from '@sealpost/postgres'
import { describeIdempotency } from '@sealpost/testkit/conformance/http'
import { createTestDatabase, type TestDatabase } from '@sealpost/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idempotencyMigrations } from './migrations.ts'
import { postgresIdempotency } from './postgres.ts'

let created: TestDatabase
let database: Database

beforeAll(async () => {
  created = await createTestDatabase({ template: 'idempotency', migrations: idempotencyMigrations })
  database = openDatabase({ url: created.url })
})
afterAll(async () => {
  await database.close()
  await created.drop()
})

describe('the PostgreSQL store', () => {
  describeIdempotency('durably', async (clock) => ({
    store: postgresIdempotency(database, clock, createIds(clock, { bytes: (length) => randomBytes(length) })),
    transaction: (work) => database.transaction(work),
  }))

  test('expired keys are deleted in batches', async () => {
    let now = instant(0)
    const clock = { now: () => now }
    const store = postgresIdempotency(database, clock, createIds(clock, { bytes: (length) => randomBytes(length) }))
    for (const key of ['a', 'b', 'c']) {
      await store.begin({ caller: 'svc_old', method: 'POST', path: '/', key, bodyHash: 'aa'.repeat(32) })
    }
    now = instant(24 * 3_600_000)
    expect(await store.removeExpired(2)).toBe(2)
    expect(await store.removeExpired(2)).toBe(1)
    expect(await store.removeExpired(2)).toBe(0)
  })
})
