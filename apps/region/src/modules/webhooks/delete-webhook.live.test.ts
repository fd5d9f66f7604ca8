import { instant, parseKeyring } from '@sealpost/kernel'
import { keyOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import type { WebhookName } from '../feed/index.ts'
import { insertDeliveries, tidyDeliveries } from './operations/delivery-log.ts'
import { findEndpointFacts, loadEndpoints } from './operations/load-endpoints.ts'
import { rewrapWebhooks } from './operations/rewrap-secrets.ts'
import { nameOf } from './testing/webhooks.ts'

const SILENT = { url: 'https://receiver.example/hooks', enabled: false }
const DAY_MS = 86_400_000
const GONE = { status: 204 }

const world = await openWorld({ own: true })
const service = await world.service()
const { company, portal } = service

describe('a webhook', () => {
  test('is deleted with its service at once, with its queue and the copies of its secrets', async () => {
    const own = await world.service([], { company })
    const other = await service.makeWebhook(SILENT)
    const [one, second] = [await own.makeWebhook(SILENT), await own.makeWebhook(SILENT)]
    expect(await portal('DELETE', own.path)).toMatchObject(GONE)
    expect(keyOf(await portal('GET', one.path))).toBe('services.not_found')
    expect(await traces([one.id, second.id])).toEqual([])
    expect(await traces([other.id])).toEqual(['account.recovery_copy', 'feed.channel', 'webhooks.endpoint'])
    expect(await portal('DELETE', other.path)).toMatchObject(GONE)
    expect(await traces([other.id])).toEqual([])
  })

  test('is deleted with its account without a trace', async () => {
    const gone = await world.service()
    const { id } = await gone.makeWebhook(SILENT)
    expect(await rostersOf(gone.company.companyId)).toBe(1)
    await gone.company.erase()
    expect(await traces([id])).toEqual([])
    expect(await rostersOf(gone.company.companyId)).toBe(0)
  })
})

describe('a new DATA_KEY', () => {
  test('moves the secrets, which then open without the old key; a repetition moves nothing', async () => {
    const made = await service.makeWebhook({ ...SILENT, auth_type: 'bearer', auth_token: 'planted-token' })
    const name = nameOf(service, made)
    const { database } = world.eu.platform
    const old = world.environment.eu['DATA_KEY'] ?? ''
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
    expect(await portal('DELETE', made.path)).toMatchObject(GONE)
  })
})

test('an operator finds a webhook by its id, without its secrets', async () => {
  const made = await service.makeWebhook(SILENT)
  const name = nameOf(service, made)
  const facts = await world.eu.platform.database.read((read) => findEndpointFacts(read, name.webhookId))
  expect(facts).toMatchObject({ name, url: SILENT.url, authType: 'hmac', isEnabled: false, lastError: null })
  expect(Object.keys(facts ?? {}).filter((member) => member.startsWith('secret'))).toEqual([])
  expect(await portal('DELETE', made.path)).toMatchObject(GONE)
})

describe('the list of deliveries', () => {
  test('is newest first, paged, and covers 7 days', async () => {
    const made = await service.makeWebhook(SILENT)
    const name = nameOf(service, made)
    const { database, clock, ids } = world.eu.platform
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
      at: world.time(),
    }))
    const list = async (query = '') => (await portal('GET', `${path}${query}`)).body
    expect(await list()).toMatchObject({ total: 3, items: wire, next_cursor: null })
    const first = await list('?limit=2')
    expect(first).toMatchObject({ total: 3, items: wire.slice(0, 2) })
    const cursor = String(first['next_cursor'])
    expect(await list(`?cursor=${cursor}`)).toMatchObject({ items: wire.slice(2) })
    expect(keyOf({ body: await list('?cursor=nonsense') })).toBe('request.invalid')

    world.clock.advance(7 * DAY_MS - 1)
    expect(await list()).toMatchObject({ total: 3 })
    world.clock.advance(1)
    expect(await list()).toMatchObject({ total: 0, items: [] })
    expect(await kept(name)).toBe(3)
    const keptAfterHalfADay = async () => {
      world.clock.advance(DAY_MS / 2)
      await tidyDeliveries(world.eu.platform)
      return kept(name)
    }
    await expect.poll(keptAfterHalfADay, { timeout: scaled(10_000) }).toBe(0)
    expect(world.clock.now()).toBeLessThanOrEqual(instant(rows[0]?.at ?? 0) + 10 * DAY_MS)
  })
})

/** The tables that still contain one of these webhooks. */
async function traces(ids: readonly string[]): Promise<readonly string[]> {
  const rows = await world.rows<{ table: string }>(
    `select distinct "table" from (
        select 'webhooks.endpoint' as "table" from webhooks.endpoint where id = any($1::uuid[])
        union all select 'feed.channel' from feed.channel where webhook_id = any($1::uuid[])
        union all select 'account.recovery_copy' from account.recovery_copy where ref_id = any($1::text[])) as found
      order by "table"`,
    [ids],
  )
  return rows.map(({ table }) => table)
}

async function rostersOf(companyId: string): Promise<number> {
  const sql = 'select 1 from webhooks.roster where company_id = $1'
  return (await world.rows(sql, [companyId])).length
}

async function kept({ serviceId, webhookId }: WebhookName): Promise<number> {
  const sql = 'select 1 from webhooks.delivery where service_id = $1 and webhook_id = $2'
  return (await world.rows(sql, [serviceId, webhookId])).length
}
