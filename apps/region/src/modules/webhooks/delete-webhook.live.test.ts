import { instant, parseKeyring, type UserId, type WebhookId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  callsWith,
  demand,
  keyOf,
  logIn,
  openShop,
  openShopService,
  openWebhook,
  type Shop,
  startWithoutLimits,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebhookName } from '../feed/index.ts'
import { insertDeliveries, tidyDeliveries } from './operations/delivery-log.ts'
import { findEndpointFacts, loadEndpoints } from './operations/load-endpoints.ts'
import { rewrapWebhooks } from './operations/rewrap-secrets.ts'

const SILENT = { url: 'https://receiver.example/hooks', enabled: false }
const DAY_MS = 86_400_000
let two: TwoRegions
let shop: Shop

beforeAll(async () => {
  two = await startWithoutLimits()
  shop = await openShop(two)
})
afterAll(() => two.close())

describe('a webhook', () => {
  test('is deleted with its service at once, with its queue and the copies of its secrets', async () => {
    const own = await openShopService(two, shop.company, shop.portal)
    const other = await openWebhook(shop, SILENT)
    const [one, second] = [await openWebhook(own, SILENT), await openWebhook(own, SILENT)]
    await demand(shop.portal('DELETE', `/api/services/${own.service.serviceId}`), 204)
    expect(keyOf(await shop.portal('GET', one.path))).toBe('services.not_found')
    expect(await traces([one.id, second.id])).toEqual([])
    expect(await traces([other.id])).toEqual(['account.recovery_copy', 'feed.channel', 'webhooks.endpoint'])
    await demand(shop.portal('DELETE', other.path), 204)
    expect(await traces([other.id])).toEqual([])
  })

  test('is deleted with its account without a trace', async () => {
    const gone = await openShop(two)
    const made = await openWebhook(gone, SILENT)
    await two.eu.operations.eraseAccount(gone.company.userId)
    expect(await traces([made.id])).toEqual([])
    expect(await rostersOf(gone.company.userId)).toBe(0)
  })
})

describe('a new DATA_KEY', () => {
  test('moves the secrets, which then open without the old key; a repetition moves nothing', async () => {
    const made = await openWebhook(shop, { ...SILENT, auth_type: 'bearer', auth_token: 'planted-token' })
    const name = nameOf(made.id)
    const { database } = two.eu.platform
    const old = two.environment.eu['DATA_KEY'] ?? ''
    const fresh = `k2:${'b'.repeat(32)}`
    const tokenUnder = async (dataKey: string) => {
      const context = { database, settings: { DATA_KEY: parseKeyring(dataKey) } }
      const endpoint = (await loadEndpoints(context, [name])).get(name.webhookId)
      return endpoint?.auth?.type === 'bearer' ? endpoint.auth.token.reveal() : null
    }
    expect(await tokenUnder(fresh)).toBeNull()
    const rewrapUnder = (dataKey: string) => rewrapWebhooks({ database, settings: { DATA_KEY: parseKeyring(dataKey) } })
    const both = `${fresh},${old}`
    expect((await rewrapUnder(both)).moved).toBeGreaterThan(0)
    expect(await rewrapUnder(both)).toEqual({ moved: 0, unreadable: [] })
    expect(await tokenUnder(fresh)).toBe('planted-token')
    await rewrapUnder(`${old},${fresh}`)
    expect(await tokenUnder(old)).toBe('planted-token')
    await demand(shop.portal('DELETE', made.path), 204)
  })
})

test('an operator finds a webhook by its id, without its secrets', async () => {
  const made = await openWebhook(shop, SILENT)
  const name = nameOf(made.id)
  const facts = await two.eu.platform.database.read((read) => findEndpointFacts(read, name.webhookId))
  expect(facts).toMatchObject({ name, url: SILENT.url, authType: 'hmac', isEnabled: false, lastError: null })
  expect(Object.keys(facts ?? {}).filter((member) => member.startsWith('secret'))).toEqual([])
  await demand(shop.portal('DELETE', made.path), 204)
})

describe('the list of deliveries', () => {
  test('is newest first, paged, and covers 7 days', async () => {
    const made = await openWebhook(shop, SILENT)
    const name = nameOf(made.id)
    const { database, clock, ids } = two.eu.platform
    const rows = [200, 503, null].map((httpStatus) => ({
      id: ids.uuid(),
      name,
      event: 'field_updated' as const,
      eventId: ids.uuid(),
      kind: 'live' as const,
      httpStatus,
      errorClass: httpStatus === null ? 'timeout' : null,
      durationMs: 12,
      at: clock.now(),
    }))
    await database.transaction((tx) => insertDeliveries(tx, rows))
    // A commit with unknown outcome is repeated.
    await database.transaction((tx) => insertDeliveries(tx, rows))
    const path = `${made.path}/deliveries`
    const wire = rows.toReversed().map(({ id, httpStatus: http_status, errorClass: error_class }) => ({
      id,
      http_status,
      error_class,
      event: 'field_updated',
      kind: 'live',
      duration_ms: 12,
      at: '2026-05-01T09:30:00.000+00:00',
    }))
    expect(await demand(shop.portal('GET', path))).toMatchObject({ total: 3, items: wire, next_cursor: null })
    const first = await demand(shop.portal('GET', `${path}?limit=2`))
    expect(first).toMatchObject({ total: 3, items: wire.slice(0, 2) })
    const cursor = String(first['next_cursor'])
    expect(await demand(shop.portal('GET', `${path}?cursor=${cursor}`))).toMatchObject({ items: wire.slice(2) })
    expect(keyOf(await shop.portal('GET', `${path}?cursor=nonsense`))).toBe('request.invalid')

    const later = async (ms: number) => {
      two.clock.advance(ms)
      const { apiUrl, token } = await logIn(two, shop.company)
      return demand(callsWith(apiUrl, token)('GET', path))
    }
    expect(await later(7 * DAY_MS - 1)).toMatchObject({ total: 3 })
    expect(await later(1)).toMatchObject({ total: 0, items: [] })
    expect(await kept(name)).toBe(3)
    await waitUntil('the day is swept', 10_000, async () => {
      two.clock.advance(DAY_MS / 2)
      await tidyDeliveries(two.eu.platform)
      return (await kept(name)) === 0
    })
    expect(two.clock.now()).toBeLessThanOrEqual(instant(rows[0]?.at ?? 0) + 10 * DAY_MS)
  })
})

function nameOf(id: string): WebhookName {
  return { companyId: shop.company.userId, serviceId: shop.service.serviceId, webhookId: id as WebhookId }
}

/** The tables that still contain one of these webhooks. */
async function traces(ids: readonly string[]): Promise<readonly string[]> {
  const rows = await two.eu.platform.database.read((read) =>
    runStatement<{ table: string }>(
      read,
      `select distinct "table" from (
        select 'webhooks.endpoint' as "table" from webhooks.endpoint where id = any($1::uuid[])
        union all select 'feed.channel' from feed.channel where webhook_id = any($1::uuid[])
        union all select 'account.recovery_copy' from account.recovery_copy where ref_id = any($1::text[])) as found
      order by "table"`,
      [ids],
    ),
  )
  return rows.map(({ table }) => table)
}

async function rostersOf(companyId: UserId): Promise<number> {
  const sql = 'select 1 from webhooks.roster where company_id = $1'
  return (await two.eu.platform.database.read((read) => runStatement(read, sql, [companyId]))).length
}

async function kept({ serviceId, webhookId }: WebhookName): Promise<number> {
  const sql = 'select 1 from webhooks.delivery where service_id = $1 and webhook_id = $2'
  return (await two.eu.platform.database.read((read) => runStatement(read, sql, [serviceId, webhookId]))).length
}
