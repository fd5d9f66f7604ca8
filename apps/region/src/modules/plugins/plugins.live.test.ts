import { addPlugin, bodyOf, keyOf, openWorld } from '@sealpost/testkit'
import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'

const PATH = '/api/account/plugins'
const MISSING = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const FORWARDER_URL = 'https://forwarder.sealpost.example'

const world = await openWorld()
const company = await world.company()
const stranger = await world.company({ region: 'us' })

const client = { name: 'A client', capabilities: [] }
const at = (host: string) => ({ base_url: `https://${host}.example.com` })

/** The claims of a pass that the published keys verify. */
async function claimsOf(pass: unknown) {
  const keys: unknown = await (await fetch(`${world.frontDoor.url}/oauth2/jwks`)).json()
  expect(decodeProtectedHeader(String(pass))).toMatchObject({ alg: 'ES256', typ: 'plugin-pass+jwt' })
  const { payload } = await jwtVerify(String(pass), createLocalJWKSet(keys as { keys: JWK[] }), {
    issuer: world.frontDoor.url ?? '',
    audience: FORWARDER_URL,
    algorithms: ['ES256'],
    currentDate: new Date(world.clock.now()),
  })
  return payload
}

describe('POST /api/account/plugins', () => {
  test('adds a plugin by its address and answers it with a registry pass [PLUGIN-03]', async () => {
    const body = await bodyOf(company.portal('POST', PATH, { body: { ...at('vat'), token: 'a-token-of-12' } }), 201)
    const plugin = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'vat.example.com',
      base_url: 'https://vat.example.com',
      builtin_key: null,
      token: '••••f-12',
      field_types: [],
      key_rollovers: [],
      last_refresh: null,
      last_error: null,
      in_use: [],
      created_at: world.time(),
    }
    expect(body).toEqual({ plugin, pass: expect.any(String), forwarder_url: FORWARDER_URL })
    const { id } = body['plugin'] as { id: string }
    const now = Math.floor(world.clock.now() / 1000)
    expect(await claimsOf(body['pass'])).toEqual({
      kind: 'registry',
      cid: company.companyId,
      pid: [id],
      rgn: 'eu',
      iss: world.frontDoor.url,
      aud: FORWARDER_URL,
      iat: now,
      exp: now + 600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('a repeated call with the same key adds one plugin; the pass is shown once', async () => {
    const sent = { body: at('repeated'), key: 'add-one-plugin' }
    const first = await bodyOf(company.portal('POST', PATH, sent), 201)
    expect(await bodyOf(company.portal('POST', PATH, sent), 201)).toEqual({ ...first, pass: null })
  })

  test('a second plugin at the same address is refused, however the address is spelt [PLUGIN-06]', async () => {
    await addPlugin(company, at('twice'))
    for (const base_url of [
      'https://twice.example.com',
      'https://TWICE.example.com:443/',
      'https://twice.example.com.',
    ]) {
      const again = await company.portal('POST', PATH, { body: { base_url } })
      expect([again.status, keyOf(again)]).toEqual([409, 'plugins.duplicate'])
    }
    await addPlugin(stranger, at('twice'))
  })

  test('of two concurrent calls one adds the plugin', async () => {
    const answers = await Promise.all([1, 2].map(() => company.portal('POST', PATH, { body: at('raced') })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
  })

  test.each([
    ['http://plugin.example.com', 'https'],
    ['https://plugin.example.com:8443', 'port'],
    ['https://user@plugin.example.com', 'user name'],
    ['https://plugin.example.com/?a=1', 'query'],
    ['https://plugin.example.com/#a', 'fragment'],
    ['https://224.0.0.1', 'multicast'],
    ['https://192.0.2.1', 'documentation'],
    ['https://0xc0000201', 'documentation'],
    [FORWARDER_URL, 'platform'],
    ['plugin', 'absolute'],
  ])('%s is refused, and the reason is named [PLUGIN-04]', async (base_url, reason) => {
    const refused = await company.portal('POST', PATH, { body: { base_url } })
    expect([refused.status, keyOf(refused)]).toEqual([400, 'plugins.url_invalid'])
    expect(refused.body['error']).toContain(reason)
  })

  test.each([
    {},
    { base_url: null },
    { base_url: '' },
    { base_url: 7 },
    { ...at('bad'), token: '' },
    { ...at('bad'), token: 'two words' },
    { ...at('bad'), token: 'x'.repeat(4097) },
    { ...at('bad'), token: 7 },
  ])('%j has no address or an unusable token [PLUGIN-05]', async (body) => {
    const refused = await company.portal('POST', PATH, { body })
    expect([refused.status, keyOf(refused)]).toEqual([400, 'plugins.body_invalid'])
  })

  test('tokens, purposes and share codes have their lengths and no other [LIMIT-03]', async () => {
    const service = await world.service([], { company })
    const lengths = [
      [4096, (text: string) => company.portal('POST', PATH, { body: { ...at(`t${text.length}`), token: text } })],
      [64, (purpose: string) => company.portal('POST', '/api/account/clients', { body: { ...client, purpose } })],
      [8, (code: string) => company.portal('PUT', `${service.path}/share-code`, { body: { share_code: code } })],
    ] as const
    for (const [most, send] of lengths) {
      const letter = most === 8 ? 'Z' : 'z'
      const statuses = [0, 1, most, most + 1].map(async (length) => (await send(letter.repeat(length))).status)
      expect(await Promise.all(statuses)).toEqual([400, most === 8 ? 200 : 201, most === 8 ? 200 : 201, 400])
    }
  })
})

describe('the private addresses of production', async () => {
  const strict = await world.another('eu', { ALLOW_PRIVATE_TARGETS: '0', EGRESS_PLATFORM_HOSTS: '.own.example' })

  test.each([
    ['https://127.0.0.1', 'loopback'],
    ['https://localhost', 'loopback'],
    ['https://10.1.2.3', 'private'],
    ['https://100.64.0.1', 'carrier'],
    ['https://169.254.169.254', 'link-local'],
    ['https://[fd00::1]', 'unique local'],
    ['https://2130706433', 'loopback'],
    ['https://api.own.example', 'platform'],
    ['http://127.0.0.1:4001', 'https'],
  ])('%s is refused [PLUGIN-04]', async (base_url, reason) => {
    const refused = await company.portal('POST', PATH, { body: { base_url }, url: strict.url ?? '' })
    expect([refused.status, keyOf(refused)]).toEqual([400, 'plugins.url_invalid'])
    expect(refused.body['error']).toContain(reason)
  })
})

describe('built-in plugins', () => {
  test('are listed, switched on once, and switched off by deleting them [PLUGIN-02] [PLUGIN-06] [PLUGIN-07]', async () => {
    const own = await world.company({ region: 'us' })
    const listed = async () => (await bodyOf(own.portal('GET', PATH)))['builtin']
    expect(await listed()).toEqual([{ key: 'iso_lists', name: 'ISO lists', enabled: false }])
    const on = await bodyOf(own.portal('POST', `${PATH}/builtin/iso_lists`), 201)
    expect(on).toMatchObject({
      plugin: { name: 'ISO lists', base_url: null, builtin_key: 'iso_lists', token: null },
      forwarder_url: FORWARDER_URL,
    })
    const { id } = on['plugin'] as { id: string }
    expect(await claimsOf(on['pass'])).toMatchObject({ kind: 'registry', pid: [id], cid: own.companyId, rgn: 'us' })
    expect(await listed()).toEqual([{ key: 'iso_lists', name: 'ISO lists', enabled: true }])
    const again = await own.portal('POST', `${PATH}/builtin/iso_lists`)
    expect([again.status, keyOf(again)]).toEqual([409, 'plugins.duplicate'])
    await bodyOf(own.portal('DELETE', `${PATH}/${id}`), 204)
    expect(await listed()).toEqual([{ key: 'iso_lists', name: 'ISO lists', enabled: false }])
  })

  test('of an unknown key are refused [PLUGIN-08]', async () => {
    const refused = await company.portal('POST', `${PATH}/builtin/nothing`)
    expect([refused.status, keyOf(refused)]).toEqual([404, 'plugins.builtin_unknown'])
  })

  test('take no token [PLUGIN-10]', async () => {
    const on = await bodyOf(company.portal('POST', `${PATH}/builtin/iso_lists`), 201)
    const path = `${PATH}/${(on['plugin'] as { id: string }).id}`
    const refused = await company.portal('PUT', path, { body: { token: 'a-token' } })
    expect([refused.status, keyOf(refused)]).toEqual([400, 'plugins.builtin_token_locked'])
    for (const token of ['', null]) expect((await company.portal('PUT', path, { body: { token } })).status).toBe(200)
  })
})

describe('PUT /api/account/plugins/{id}', () => {
  test('replaces the token, keeps it by an empty text and clears it by null [PLUGIN-09]', async () => {
    const path = `${PATH}/${await addPlugin(company, { token: 'first-token' })}`
    const put = async (token: unknown) => (await bodyOf(company.portal('PUT', path, { body: { token } })))['token']
    expect(await put('')).toBe('••••oken')
    expect(await put('second-word')).toBe('••••word')
    expect(await put('')).toBe('••••word')
    expect(await put(null)).toBeNull()
    expect(await put('')).toBeNull()
  })

  test.each([{}, { token: 'a b' }, { token: 7 }, { token: '••••oken' }])(
    'refuses %j and keeps the token [PLUGIN-05]',
    async (body) => {
      const path = `${PATH}/${await addPlugin(company, { token: 'first-token' })}`
      const refused = await company.portal('PUT', path, { body })
      expect([refused.status, keyOf(refused)]).toEqual([400, 'plugins.body_invalid'])
      expect(await bodyOf(company.portal('PUT', path, { body: { token: '' } }))).toMatchObject({ token: '••••oken' })
    },
  )
})

test('a token is stored sealed and answered in masked form; a short one shows nothing [PLUGIN-14]', async () => {
  const id = await addPlugin(company, { token: 'seven77' })
  const listed = await company.portal('GET', PATH)
  expect(listed.text).not.toContain('seven77')
  expect(listed.body['items']).toContainEqual(expect.objectContaining({ id, token: '••••' }))
  const [row] = await world.rows<{ token: Buffer }>('select token from plugins.plugin where id = $1', [id])
  expect(row?.token.toString('latin1')).not.toContain('seven77')
})

describe('GET /api/account/plugins', () => {
  test('lists the plugins oldest first, page by page [PLUGIN-02]', async () => {
    const own = await world.company()
    const ids = [await addPlugin(own), await addPlugin(own), await addPlugin(own)]
    const first = await bodyOf(own.portal('GET', `${PATH}?limit=2`))
    expect(first).toMatchObject({ items: [{ id: ids[0] }, { id: ids[1] }] })
    const rest = await bodyOf(own.portal('GET', `${PATH}?cursor=${String(first['next_cursor'])}`))
    expect(rest).toMatchObject({ items: [{ id: ids[2] }], next_cursor: null, builtin: [{ key: 'iso_lists' }] })
    expect(await bodyOf(own.portal('GET', PATH))).toMatchObject({ total: 3, next_cursor: null })
  })
})

describe('POST /api/account/plugins/{id}/registry-pass', () => {
  test('answers a pass for the plugin of 10 minutes [PLUGIN-11]', async () => {
    const id = await addPlugin(stranger)
    const body = await bodyOf(stranger.portal('POST', `${PATH}/${id}/registry-pass`))
    expect(body).toEqual({ pass: expect.any(String), forwarder_url: FORWARDER_URL })
    const claims = await claimsOf(body['pass'])
    expect(claims).toMatchObject({ kind: 'registry', pid: [id], cid: stranger.companyId, rgn: 'us' })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(600)
  })

  test('a pass is no access token', async () => {
    const id = await addPlugin(company)
    const { pass } = await bodyOf(company.portal('POST', `${PATH}/${id}/registry-pass`))
    const headers = { authorization: `Bearer ${String(pass)}` }
    const answer = await fetch(`${world.eu.url ?? ''}${PATH}`, { headers })
    expect(answer.status).toBe(401)
  })
})

describe('another company’s plugin', () => {
  test('answers the same 404 as a missing one [PLUGIN-13]', async () => {
    const other = await world.company()
    const id = await addPlugin(company)
    const calls = [
      ['PUT', '', { token: 'a-token' }],
      ['POST', '/registry-pass', undefined],
      ['DELETE', '', undefined],
    ] as const
    for (const [method, below, body] of calls) {
      const theirs = await other.portal(method, `${PATH}/${id}${below}`, { body })
      const missing = await other.portal(method, `${PATH}/${MISSING}${below}`, { body })
      expect([theirs.status, keyOf(theirs), theirs.text]).toEqual([404, 'plugins.not_found', missing.text])
    }
    expect((await bodyOf(other.portal('GET', PATH)))['items']).toEqual([])
  })
})

test('a plugin is deleted once, and its address is free again', async () => {
  const id = await addPlugin(company, at('freed'))
  await bodyOf(company.portal('DELETE', `${PATH}/${id}`), 204)
  expect(keyOf(await company.portal('DELETE', `${PATH}/${id}`))).toBe('plugins.not_found')
  await addPlugin(company, at('freed'))
})

test('a caller without a token is refused', async () => {
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['POST', `${PATH}/builtin/iso_lists`],
    ['PUT', `${PATH}/${MISSING}`],
    ['POST', `${PATH}/${MISSING}/registry-pass`],
    ['DELETE', `${PATH}/${MISSING}`],
  ] as const) {
    expect(keyOf(await world.anonymous(method, path))).toBe('auth.token_missing')
  }
})

test('the audit log names additions, changes and deletions', async () => {
  const own = await world.company()
  const id = await addPlugin(own)
  await own.portal('PUT', `${PATH}/${id}`, { body: { token: 'a-token' } })
  await own.portal('DELETE', `${PATH}/${id}`)
  const { items } = await bodyOf(own.portal('GET', '/api/portal/audit'))
  const actions = (items as { action: string; ref: string }[]).filter(({ ref }) => ref === id)
  expect(actions.map(({ action }) => action).toSorted()).toEqual(['plugins.change', 'plugins.create', 'plugins.delete'])
})

test('an erased account leaves no plugins', async () => {
  const erased = await world.company()
  await addPlugin(erased)
  await erased.erase()
  expect(await world.rows('select id from plugins.plugin where company_id = $1', [erased.companyId])).toEqual([])
})
