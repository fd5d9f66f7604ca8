import {
  type Calls,
  demand,
  keyOf,
  openShop,
  openShopService,
  openWebhook,
  type Shop,
  startWithoutLimits,
  type TwoRegions,
  webhooksPath,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const URL = 'https://receiver.example/hooks'
/** Nothing is sent to it. */
const SILENT = { url: URL, enabled: false }
let two: TwoRegions
let shop: Shop
let portal: Calls

beforeAll(async () => {
  two = await startWithoutLimits()
  shop = await openShop(two)
  ;({ portal } = shop)
})
afterAll(() => two.close())

const freshShop = () => openShopService(two, shop.company, portal)

describe('creating', () => {
  test('a service may have several webhooks, listed oldest first, page by page [HOOK-01]', async () => {
    const own = await freshShop()
    const made = [await openWebhook(own, SILENT), await openWebhook(own, SILENT), await openWebhook(own, SILENT)]
    const path = webhooksPath(own)
    const listed = await demand(portal('GET', path))
    expect(listed).toMatchObject({ total: 3, items: made.map(({ id }) => ({ id })), next_cursor: null })
    const first = await demand(portal('GET', `${path}?limit=2`))
    expect(first).toMatchObject({ total: 3, items: [{ id: made[0]?.id }, { id: made[1]?.id }] })
    const rest = await demand(portal('GET', `${path}?cursor=${String(first['next_cursor'])}`))
    expect(rest).toMatchObject({ items: [{ id: made[2]?.id }], next_cursor: null })
    expect(keyOf(await portal('GET', `${path}?cursor=deliveries~${made[0]?.id ?? ''}`))).toBe('request.invalid')
    expect(keyOf(await portal('GET', `${path}?limit=0`))).toBe('request.invalid')
  })

  test('the record has what was set, defaults for the rest, and a health that runs [HOOK-05]', async () => {
    const { path, hmac_secret_once, ...made } = await openWebhook(shop, { url: URL })
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL,
      events: [],
      format: 'json',
      auth_type: 'hmac',
      encrypt_payload: false,
      enabled: true,
      hmac_secret: `••••${String(hmac_secret_once).slice(-4)}`,
      auth_token: null,
      auth_username: null,
      auth_password: null,
      auth_header_name: null,
      auth_header_value: null,
      created_at: '2026-05-01T09:30:00.000+00:00',
      paused: false,
      health: {
        state: 'running',
        since: '2026-05-01T09:30:00.000+00:00',
        backlog_count: 0,
        backlog_oldest_at: null,
        last_error: null,
      },
    })
    expect(await demand(portal('GET', path))).toEqual(made)
    await demand(portal('DELETE', path), 204)
  })

  test.each(['ftp://receiver.example', 'https://', '/hooks', 'https://user:pass@receiver.example', 7, null, undefined])(
    '%j is no http or https address with a host [HOOK-02]',
    async (url) => {
      const { path } = await openWebhook(shop, SILENT)
      for (const told of [
        await portal('POST', webhooksPath(shop), { body: { url } }),
        await portal('PUT', path, { body: { url } }),
      ]) {
        expect(told).toMatchObject({ status: 400, body: { error_key: 'services.webhook_url_invalid' } })
      }
      await demand(portal('DELETE', path), 204)
    },
  )

  test.each([{ events: ['nothing_known'] }, { events: ['test'] }, { format: 'yaml' }, { auth_type: 'digest' }])(
    '%j has an unknown value',
    async (given) => {
      expect(await portal('POST', webhooksPath(shop), { body: { ...SILENT, ...given } })).toMatchObject({
        status: 400,
        body: { error_key: 'services.webhook_invalid' },
      })
    },
  )

  test.each([{ enabled: 'yes' }, { encrypt_payload: 1 }, { auth_token: 7 }, { hmac_secret: 'a'.repeat(4097) }])(
    '%j has the wrong shape',
    async (given) => {
      expect(keyOf(await portal('POST', webhooksPath(shop), { body: { ...SILENT, ...given } }))).toBe('request.invalid')
    },
  )

  test('ten of them and no more, also when they are made at once', async () => {
    const own = await freshShop()
    const told = await Promise.all(
      Array.from({ length: 14 }, () => portal('POST', webhooksPath(own), { body: SILENT })),
    )
    expect(told.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = told.filter(({ status }) => status !== 201)
    expect(refused.map(keyOf)).toEqual(Array.from({ length: 4 }, () => 'services.webhook_limit'))
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    const { total, items } = await demand(portal('GET', webhooksPath(own)))
    expect([total, Array.isArray(items) ? items.length : 0]).toEqual([10, 10])
    const [{ id }] = told.flatMap(({ body }) => ('id' in body ? [{ id: String(body['id']) }] : [])) as [{ id: string }]
    await demand(portal('DELETE', `${webhooksPath(own)}/${id}`), 204)
    await openWebhook(own, SILENT)
  })

  test('the same creation repeated is one webhook, and its secret is not shown again', async () => {
    const own = await freshShop()
    const key = 'create-once'
    const [first, again] = [
      await portal('POST', webhooksPath(own), { body: SILENT, key }),
      await portal('POST', webhooksPath(own), { body: SILENT, key }),
    ]
    expect(first.body['hmac_secret_once']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(again.body).toEqual({ ...first.body, hmac_secret_once: null })
    expect(await demand(portal('GET', webhooksPath(own)))).toMatchObject({ total: 1 })
  })

  test('a level without webhooks makes none, and reads, changes and deletes what there is', async () => {
    const poor = await openShop(two)
    const { path } = await openWebhook(poor, SILENT)
    await two.eu.core.operations.setLevel(poor.company.userId, 'free')
    expect(await poor.portal('POST', webhooksPath(poor), { body: SILENT })).toMatchObject({
      status: 403,
      body: { error_key: 'account.level_required', required_level: 'basic' },
    })
    expect(await demand(poor.portal('GET', webhooksPath(poor)))).toMatchObject({ total: 1 })
    await demand(poor.portal('PUT', path, { body: { ...SILENT, format: 'xml' } }))
    await demand(poor.portal('DELETE', path), 204)
    await two.eu.core.operations.setLevel(poor.company.userId, 'basic')
    await openWebhook(poor, SILENT)
  })
})

describe('changing', () => {
  test('a replacement gives what is absent its default, and the same one twice changes nothing more', async () => {
    const full = { ...SILENT, events: ['field_updated'], format: 'xml', auth_type: 'none', encrypt_payload: true }
    const { path } = await openWebhook(shop, full)
    expect(await demand(portal('GET', path))).toMatchObject(full)
    const plain = { url: 'https://other.example/', enabled: false }
    for (const body of [plain, plain]) {
      expect(await demand(portal('PUT', path, { body }))).toMatchObject({
        ...plain,
        events: [],
        format: 'json',
        auth_type: 'hmac',
        encrypt_payload: false,
      })
    }
    const { items } = await demand(portal('GET', `/api/services/${shop.service.serviceId}/logs?type=webhook&limit=2`))
    expect(items).toMatchObject([
      { message: 'The configuration of a webhook was changed' },
      { message: 'A webhook was made' },
    ])
    await demand(portal('DELETE', path), 204)
  })

  test('who did what is in the audit of the company', async () => {
    const { id, path } = await openWebhook(shop, SILENT)
    await demand(portal('PUT', path, { body: { ...SILENT, format: 'xml' } }))
    await demand(portal('POST', `${path}/regenerate-hmac-secret`))
    await demand(portal('POST', `${path}/pause`))
    await demand(portal('DELETE', path), 204)
    const { items } = await demand(portal('GET', '/api/portal/audit?limit=5'))
    const actions = ['delete', 'pause', 'regenerate_hmac_secret', 'change', 'create']
    const { userId } = shop.company
    expect(items).toMatchObject(actions.map((act) => ({ action: `webhooks.${act}`, ref: id, actor_id: userId })))
  })

  test('changes at once of one webhook each apply as a whole', async () => {
    const { path } = await openWebhook(shop, SILENT)
    const wishes = Array.from({ length: 6 }, (_, no) => ({
      ...SILENT,
      url: `https://receiver${no}.example/`,
      auth_type: 'basic',
      auth_username: `username-${no}`,
      auth_password: `password-${no}`,
    }))
    await Promise.all(wishes.map((body) => demand(portal('PUT', path, { body }))))
    const now = await demand(portal('GET', path))
    const no = String(now['url']).slice('https://receiver'.length)[0]
    expect(now).toMatchObject({ auth_username: `••••me-${no}`, auth_password: `••••rd-${no}` })
    await demand(portal('DELETE', path), 204)
  })
})

test("a service's backend reads and publishes its request fields and reads its logs, webhooks among them [REQF-10]", async () => {
  const own = await freshShop()
  const { id, path } = await openWebhook(own, SILENT)
  const fields = '/api/company-data/request-fields'
  const { config_token, request_fields } = await demand(own.data('GET', fields))
  expect(request_fields).toEqual([])
  const row = { slug: 'email', label: 'E-mail', type: 'email' }
  const published = await demand(own.data('PUT', fields, { body: { config_token, request_fields: [row] } }))
  expect(published).toMatchObject({ request_fields: [row] })
  expect(await demand(own.data('GET', fields))).toEqual(published)
  const logs = '/api/company-data/logs'
  expect(await demand(own.data('GET', `${logs}?type=webhook`))).toMatchObject({
    items: [{ type: 'webhook', message: 'A webhook was made', metadata: { webhook_id: id } }],
  })
  const { items } = await demand(own.data('GET', logs))
  expect(new Set(Array.isArray(items) ? items.map(({ type }) => type) : [])).toEqual(
    new Set(['config', 'webhook', 'client']),
  )
  await demand(portal('DELETE', path), 204)
})

describe('who may', () => {
  const routes = (path: string, webhook: string) =>
    [
      ['GET', path],
      ['POST', path],
      ['GET', webhook],
      ['PUT', webhook],
      ['DELETE', webhook],
      ['POST', `${webhook}/regenerate-hmac-secret`],
      ['POST', `${webhook}/pause`],
      ['POST', `${webhook}/resume`],
      ['POST', `${webhook}/probe`],
      ['POST', `${webhook}/test`],
      ['POST', `${webhook}/replay`],
      ['GET', `${webhook}/deliveries`],
    ] as const

  test("nobody without a login, and another company's webhook is as unknown as none", async () => {
    const { path } = await openWebhook(shop, SILENT)
    const other = await openShop(two)
    const missing = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const [method, route] of routes(webhooksPath(shop), path)) {
      const sent = method === 'PUT' || (method === 'POST' && route === webhooksPath(shop)) ? { body: SILENT } : {}
      const bare = await fetch(`${two.eu.url}${route}`, { method })
      expect(bare.status).toBe(401)
      const theirs = await other.portal(method, route, sent)
      expect(theirs).toMatchObject({ status: 404, body: { error_key: 'services.not_found' } })
      if (!route.startsWith(path)) continue
      const own = await openWebhook(other, SILENT)
      const crossed = await portal(method, route.replace(path, `${webhooksPath(shop)}/${own.id}`), sent)
      const none = await portal(method, route.replace(path, missing), sent)
      expect([crossed.status, keyOf(crossed)]).toEqual([404, 'services.webhook_not_found'])
      expect(crossed.body).toEqual(none.body)
      await demand(other.portal('DELETE', own.path), 204)
    }
    await demand(portal('DELETE', path), 204)
  })

  test('a path that holds no id at all answers like a missing webhook; deleting twice finds nothing', async () => {
    expect(keyOf(await portal('GET', `${webhooksPath(shop)}/none`))).toBe('services.webhook_not_found')
    const { path } = await openWebhook(shop, SILENT)
    await demand(portal('DELETE', path), 204)
    expect(keyOf(await portal('DELETE', path))).toBe('services.webhook_not_found')
    expect(keyOf(await portal('GET', path))).toBe('services.webhook_not_found')
  })
})
