import { bodyOf, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const URL = 'https://receiver.example/hooks'
/** Disabled: nothing is sent to it. */
const SILENT = { url: URL, enabled: false }

const world = await openWorld()
const service = await world.service()
const { portal, company } = service
const WEBHOOKS = `${service.path}/webhooks`

describe('creating', () => {
  test('a service may have several webhooks, listed oldest first, page by page [HOOK-01]', async () => {
    const own = await world.service([], { company })
    const made = [await own.makeWebhook(SILENT), await own.makeWebhook(SILENT), await own.makeWebhook(SILENT)]
    const path = `${own.path}/webhooks`
    const listed = await bodyOf(portal('GET', path))
    expect(listed).toMatchObject({ total: 3, items: made.map(({ id }) => ({ id })), next_cursor: null })
    const first = await bodyOf(portal('GET', `${path}?limit=2`))
    expect(first).toMatchObject({ total: 3, items: [{ id: made[0]?.id }, { id: made[1]?.id }] })
    const rest = await bodyOf(portal('GET', `${path}?cursor=${String(first['next_cursor'])}`))
    expect(rest).toMatchObject({ items: [{ id: made[2]?.id }], next_cursor: null })
    expect(keyOf(await portal('GET', `${path}?cursor=deliveries~${made[0]?.id ?? ''}`))).toBe('request.invalid')
    expect(keyOf(await portal('GET', `${path}?limit=0`))).toBe('request.invalid')
  })

  test('the answer has the given settings, defaults for the rest, and the health running [HOOK-05]', async () => {
    const { path, hmac_secret_once, ...made } = await service.makeWebhook({ url: URL })
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
      created_at: world.time(),
      paused: false,
      health: {
        state: 'running',
        since: world.time(),
        backlog_count: 0,
        backlog_oldest_at: null,
        last_error: null,
      },
    })
    expect(await bodyOf(portal('GET', path))).toEqual(made)
    await bodyOf(portal('DELETE', path), 204)
  })

  test.each(['ftp://receiver.example', 'https://', '/hooks', 'https://user:pass@receiver.example', 7, null, undefined])(
    '%j is not an http or https URL with a host [HOOK-02]',
    async (url) => {
      const { path } = await service.makeWebhook(SILENT)
      for (const refused of [
        await portal('POST', WEBHOOKS, { body: { url } }),
        await portal('PUT', path, { body: { url } }),
      ]) {
        expect(refused).toMatchObject({ status: 400, body: { error_key: 'services.webhook_url_invalid' } })
      }
      await bodyOf(portal('DELETE', path), 204)
    },
  )

  test.each([{ events: ['nothing_known'] }, { events: ['test'] }, { format: 'yaml' }, { auth_type: 'digest' }])(
    '%j has an unknown value',
    async (given) => {
      expect(await portal('POST', WEBHOOKS, { body: { ...SILENT, ...given } })).toMatchObject({
        status: 400,
        body: { error_key: 'services.webhook_invalid' },
      })
    },
  )

  test.each([{ enabled: 'yes' }, { encrypt_payload: 1 }, { auth_token: 7 }, { hmac_secret: 'a'.repeat(4097) }])(
    '%j has the wrong shape',
    async (given) => {
      expect(keyOf(await portal('POST', WEBHOOKS, { body: { ...SILENT, ...given } }))).toBe('request.invalid')
    },
  )

  test('a service has at most ten webhooks, also with concurrent creations', async () => {
    const own = await world.service([], { company })
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => portal('POST', `${own.path}/webhooks`, { body: SILENT })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(keyOf)).toEqual(Array.from({ length: 4 }, () => 'services.webhook_limit'))
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    const { total, items } = await bodyOf(portal('GET', `${own.path}/webhooks`))
    expect([total, Array.isArray(items) ? items.length : 0]).toEqual([10, 10])
    const [{ id }] = answers.flatMap(({ body }) => ('id' in body ? [{ id: String(body['id']) }] : [])) as [
      { id: string },
    ]
    await bodyOf(portal('DELETE', `${own.path}/webhooks/${id}`), 204)
    await own.makeWebhook(SILENT)
  })

  test('a repeated creation makes one webhook, and its secret is not answered again', async () => {
    const own = await world.service([], { company })
    const key = 'create-once'
    const [first, again] = [
      await portal('POST', `${own.path}/webhooks`, { body: SILENT, key }),
      await portal('POST', `${own.path}/webhooks`, { body: SILENT, key }),
    ]
    expect(first.body['hmac_secret_once']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(again.body).toEqual({ ...first.body, hmac_secret_once: null })
    expect(await bodyOf(portal('GET', `${own.path}/webhooks`))).toMatchObject({ total: 1 })
  })

  test('a level without webhooks cannot create one, but can read, change and delete existing ones', async () => {
    const poor = await world.service()
    const { path } = await poor.makeWebhook(SILENT)
    await poor.company.setLevel('free')
    expect(await poor.portal('POST', `${poor.path}/webhooks`, { body: SILENT })).toMatchObject({
      status: 403,
      body: { error_key: 'account.level_required', required_level: 'basic' },
    })
    expect(await bodyOf(poor.portal('GET', `${poor.path}/webhooks`))).toMatchObject({ total: 1 })
    await bodyOf(poor.portal('PUT', path, { body: { ...SILENT, format: 'xml' } }))
    await bodyOf(poor.portal('DELETE', path), 204)
    await poor.company.setLevel('basic')
    await poor.makeWebhook(SILENT)
  })
})

describe('changing', () => {
  test('a replacement gives absent members their defaults, and its repetition changes nothing', async () => {
    const full = { ...SILENT, events: ['field_updated'], format: 'xml', auth_type: 'none', encrypt_payload: true }
    const { path } = await service.makeWebhook(full)
    expect(await bodyOf(portal('GET', path))).toMatchObject(full)
    const plain = { url: 'https://other.example/', enabled: false }
    for (const body of [plain, plain]) {
      expect(await bodyOf(portal('PUT', path, { body }))).toMatchObject({
        ...plain,
        events: [],
        format: 'json',
        auth_type: 'hmac',
        encrypt_payload: false,
      })
    }
    const { items } = await bodyOf(portal('GET', `${service.path}/logs?type=webhook&limit=2`))
    expect(items).toMatchObject([
      { message: 'The configuration of a webhook was changed' },
      { message: 'A webhook was made' },
    ])
    await bodyOf(portal('DELETE', path), 204)
  })

  test('the audit of the company names caller and action', async () => {
    const { id, path } = await service.makeWebhook(SILENT)
    await bodyOf(portal('PUT', path, { body: { ...SILENT, format: 'xml' } }))
    await bodyOf(portal('POST', `${path}/regenerate-hmac-secret`))
    await bodyOf(portal('POST', `${path}/pause`))
    await bodyOf(portal('DELETE', path), 204)
    const { items } = await bodyOf(portal('GET', '/api/portal/audit?limit=5'))
    const actions = ['delete', 'pause', 'regenerate_hmac_secret', 'change', 'create']
    const { userId } = company
    expect(items).toMatchObject(actions.map((action) => ({ action: `webhooks.${action}`, ref: id, actor_id: userId })))
  })

  test('concurrent changes of one webhook each apply as a whole', async () => {
    const { path } = await service.makeWebhook(SILENT)
    const changes = Array.from({ length: 6 }, (_, no) => ({
      ...SILENT,
      url: `https://receiver${no}.example/`,
      auth_type: 'basic',
      auth_username: `username-${no}`,
      auth_password: `password-${no}`,
    }))
    await Promise.all(changes.map((body) => bodyOf(portal('PUT', path, { body }))))
    const now = await bodyOf(portal('GET', path))
    const no = String(now['url']).slice('https://receiver'.length)[0]
    expect(now).toMatchObject({ auth_username: `••••me-${no}`, auth_password: `••••rd-${no}` })
    await bodyOf(portal('DELETE', path), 204)
  })
})

test("a service's backend reads and publishes its request fields and reads its logs, webhooks among them [REQF-10]", async () => {
  const own = await world.service([], { company })
  const { id, path } = await own.makeWebhook(SILENT)
  const fields = '/api/company-data/request-fields'
  const { config_token, request_fields } = await bodyOf(own.data('GET', fields))
  expect(request_fields).toEqual([])
  const row = { slug: 'email', label: 'E-mail', type: 'email' }
  const published = await bodyOf(own.data('PUT', fields, { body: { config_token, request_fields: [row] } }))
  expect(published).toMatchObject({ request_fields: [row] })
  expect(await bodyOf(own.data('GET', fields))).toEqual(published)
  const logs = '/api/company-data/logs'
  expect(await bodyOf(own.data('GET', `${logs}?type=webhook`))).toMatchObject({
    items: [{ type: 'webhook', message: 'A webhook was made', metadata: { webhook_id: id } }],
  })
  const { items } = await bodyOf(own.data('GET', logs))
  expect(new Set(Array.isArray(items) ? items.map(({ type }) => type) : [])).toEqual(
    new Set(['config', 'webhook', 'client']),
  )
  await bodyOf(portal('DELETE', path), 204)
})

describe('access', () => {
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

  test("a call without a token is refused, and another company's webhook answers the same 404 as a missing one", async () => {
    const { path } = await service.makeWebhook(SILENT)
    const other = await world.service()
    const missing = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    for (const [method, route] of routes(WEBHOOKS, path)) {
      const sent = method === 'PUT' || (method === 'POST' && route === WEBHOOKS) ? { body: SILENT } : {}
      const bare = await fetch(`${world.eu.url}${route}`, { method })
      expect(bare.status).toBe(401)
      const theirs = await other.portal(method, route, sent)
      expect(theirs).toMatchObject({ status: 404, body: { error_key: 'services.not_found' } })
      if (!route.startsWith(path)) continue
      const own = await other.makeWebhook(SILENT)
      const crossed = await portal(method, route.replace(path, `${WEBHOOKS}/${own.id}`), sent)
      const none = await portal(method, route.replace(path, missing), sent)
      expect([crossed.status, keyOf(crossed)]).toEqual([404, 'services.webhook_not_found'])
      expect(crossed.body).toEqual(none.body)
      await bodyOf(other.portal('DELETE', own.path), 204)
    }
    await bodyOf(portal('DELETE', path), 204)
  })

  test('a path without a valid id answers like a missing webhook; a second deletion answers 404', async () => {
    expect(keyOf(await portal('GET', `${WEBHOOKS}/none`))).toBe('services.webhook_not_found')
    const { path } = await service.makeWebhook(SILENT)
    await bodyOf(portal('DELETE', path), 204)
    expect(keyOf(await portal('DELETE', path))).toBe('services.webhook_not_found')
    expect(keyOf(await portal('GET', path))).toBe('services.webhook_not_found')
  })
})
