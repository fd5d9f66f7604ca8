import { parseKeyring, Secret, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, fixedIds, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { WebhookName } from '../feed/index.ts'
import { webhooksMigrations } from './migrations.ts'
import { rewrapWebhooks } from './operations/rewrap-secrets.ts'
import { sealSecrets } from './operations/seal-secrets.ts'
import { NO_SECRETS } from './rules/secrets.ts'
import { findEndpoint, insertEndpoint, setLastErrors } from './store/endpoints.ts'

const OLD = `k1:${'a'.repeat(32)}`
const FRESH = `k2:${'b'.repeat(32)}`
const GONE = `k0:${'c'.repeat(32)}`
const both = parseKeyring(`${FRESH},${OLD}`)
const clock = fixedClock()
const ids = fixedIds(clock)
const companyId = ids.uuid<UserId>()
const values = { ...NO_SECRETS.values, auth_token: new Secret('planted-token') }

let database: Database
let close: () => Promise<void>
let conflicts = 0

beforeAll(async () => {
  const made = await createTestDatabase({ template: 'webhooks', migrations: webhooksMigrations })
  const observer = { transactionRepeated: () => void (conflicts += 1) }
  database = openDatabase({ url: made.url, poolSize: 4, observer })
  close = async () => {
    await database.close()
    await made.drop()
  }
})
afterAll(() => close())
beforeEach(() => database.transaction((tx) => runStatement(tx, 'delete from webhooks.endpoint', [])))

/** A webhook whose secrets are sealed under this key. */
async function planted(ring: string, serviceId = ids.uuid<ServiceId>()): Promise<WebhookName> {
  const name = { companyId, serviceId, webhookId: ids.uuid<WebhookId>() }
  const sealed = sealSecrets(parseKeyring(ring), name.webhookId, { values, earlier: [] })
  const row = {
    ...name,
    url: 'https://receiver.example/',
    events: [],
    format: 'json',
    authType: 'bearer',
    encryptPayload: false,
    isEnabled: true,
    secrets: sealed.bytes,
    secretsKeyId: sealed.keyId,
    lastError: null,
    createdAt: clock.now(),
  } as const
  await database.transaction((tx) => insertEndpoint(tx, row))
  return name
}

const rewrap = () => rewrapWebhooks({ database, settings: { DATA_KEY: both } })

const keyOf = async (name: WebhookName) => (await database.read((read) => findEndpoint(read, name)))?.secretsKeyId

async function waiting(): Promise<number> {
  const sql = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const [row] = await database.read((read) => runStatement<{ count: number }>(read, sql, []))
  return row?.count ?? 0
}

test('an unreadable webhook is reported and left unchanged; those before and after it are moved', async () => {
  const names = [await planted(OLD), await planted(GONE), await planted(OLD), await planted(FRESH)]
  const outcome = await rewrap()
  expect(outcome).toEqual({
    moved: 2,
    unreadable: [{ webhookId: names[1]?.webhookId, reason: expect.stringContaining('the key k0 is not in the ring') }],
  })
  expect(await Promise.all(names.map(keyOf))).toEqual(['k2', 'k0', 'k2', 'k2'])
  expect(await rewrap()).toEqual({ ...outcome, moved: 0 })
})

test('secrets that were changed concurrently are not overwritten', async () => {
  const name = await planted(OLD)
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>()
  const { promise: isSet, resolve: set } = Promise.withResolvers<void>()
  const chosen = sealSecrets(both, name.webhookId, { ...NO_SECRETS })
  const change = database.transaction(async (tx) => {
    const sql = 'update webhooks.endpoint set secrets = $2, secrets_key_id = $3 where id = $1'
    await runStatement(tx, sql, [name.webhookId, chosen.bytes, chosen.keyId])
    set()
    await goOn
  })
  await isSet
  const rewrapping = rewrap()
  await waitUntil('the rewrap waits for it', 10_000, async () => (await waiting()) === 1)
  release()
  await change
  expect(await rewrapping).toMatchObject({ moved: 0 })
  const row = await database.read((read) => findEndpoint(read, name))
  expect(Buffer.from(row?.secrets ?? []).equals(chosen.bytes)).toBe(true)
})

test('a rewrap locks one webhook at a time, so it cannot deadlock with outcomes of deliveries', async () => {
  const [older, younger] = [ids.uuid<ServiceId>(), ids.uuid<ServiceId>()]
  // The ids rise in this order; the services of the first and the last in the opposite one.
  const [first, held, last] = [await planted(OLD, younger), await planted(OLD), await planted(OLD, older)]
  const { promise: goOn, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const holding = database.transaction(async (tx) => {
    await setLastErrors(tx, [{ ...held, lastError: 'answered 500' }])
    hold()
    await goOn
  })
  await isHeld
  const before = conflicts
  const rewrapping = rewrap()
  await waitUntil('the rewrap waits for the one that is held', 10_000, async () => (await waiting()) === 1)
  const errors = [first, last].map((name) => ({ ...name, lastError: 'answered 503' }))
  let isWritten = false
  const writing = database.transaction((tx) => setLastErrors(tx, errors)).then(() => void (isWritten = true))
  await waitUntil('the errors are written, or wait', 10_000, async () => isWritten || (await waiting()) === 2)
  release()
  await Promise.all([holding, rewrapping, writing])
  expect(conflicts - before).toBe(0)
  expect(await Promise.all([first, held, last].map(keyOf))).toEqual(['k2', 'k2', 'k2'])
})
