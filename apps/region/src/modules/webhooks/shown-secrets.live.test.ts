import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import { bodyOf, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const SILENT = { url: 'https://receiver.example/hooks', enabled: false }
const SECRETS = {
  hmac_secret: 'planted-signing-secret-1111',
  auth_token: 'planted-bearer-token-2222',
  auth_username: 'planted-user-name-3333',
  auth_password: 'planted-pass-word-4444',
  auth_header_name: 'X-Planted-Header-5555',
  auth_header_value: 'planted-header-value-6666',
}
const MASKS = {
  hmac_secret: '••••1111',
  auth_token: '••••2222',
  auth_username: '••••3333',
  auth_password: '••••4444',
  auth_header_name: '••••5555',
  auth_header_value: '••••6666',
}
const platform = createCryptoPlatform(globalThis)

const world = await openWorld()
const service = await world.service()
const { portal, company } = service
const WEBHOOKS = `${service.path}/webhooks`

/** The answer to the creation of a webhook with these members, which is deleted again. */
async function shown(members: object): Promise<object> {
  const { path, ...made } = await service.makeWebhook({ ...SILENT, ...members })
  await bodyOf(portal('DELETE', path), 204)
  return made
}

describe('reading', () => {
  test('all six secrets are masked on every read: four bullets and the last four characters [HOOK-08] [HOOK-09]', async () => {
    const { path, ...made } = await service.makeWebhook({ ...SILENT, ...SECRETS })
    expect(made).toMatchObject({ ...MASKS, hmac_secret_once: null })
    expect(await bodyOf(portal('GET', path))).toMatchObject(MASKS)
    expect(await bodyOf(portal('GET', WEBHOOKS))).toMatchObject({ items: [MASKS] })
    expect(await bodyOf(portal('POST', `${path}/pause`))).toMatchObject(MASKS)
    await bodyOf(portal('DELETE', path), 204)
  })

  test('the mask of a short secret contains nothing of it', async () => {
    const short = { auth_type: 'basic', auth_username: 'shop', auth_password: '1234567' }
    expect(await shown(short)).toMatchObject({ auth_username: '••••', auth_password: '••••' })
  })
})

describe('changing', () => {
  test('a change that omits secrets, or sends back the answer, keeps them [HOOK-10]', async () => {
    const { path, id } = await service.makeWebhook({ ...SILENT, ...SECRETS })
    const sealed = await sealedOf(id)
    for (const given of [{}, MASKS, { auth_password: '' }]) {
      const body = { ...SILENT, ...given, format: 'xml', auth_type: 'basic' }
      expect(await bodyOf(portal('PUT', path, { body }))).toMatchObject({ ...MASKS, hmac_secret_once: null })
    }
    // Read, changed and sent back, like a portal.
    const read = await bodyOf(portal('GET', path))
    expect(await bodyOf(portal('PUT', path, { body: read }))).toMatchObject({ ...MASKS, auth_type: 'basic' })
    const body = { ...SILENT, auth_type: 'basic', auth_password: 'another-one-7777', auth_token: null }
    expect(await bodyOf(portal('PUT', path, { body }))).toMatchObject({
      ...MASKS,
      auth_password: '••••7777',
      auth_token: null,
    })
    expect(await sealedOf(id)).not.toEqual(sealed)
    await bodyOf(portal('DELETE', path), 204)
  })

  test('a mask of another secret is refused instead of stored', async () => {
    const { path } = await service.makeWebhook({ ...SILENT, ...SECRETS })
    const answer = await portal('PUT', path, { body: { ...SILENT, auth_token: '••••9999' } })
    expect([answer.status, keyOf(answer)]).toEqual([400, 'services.webhook_auth_invalid'])
    await bodyOf(portal('DELETE', path), 204)
  })

  test('a type without its secret is refused, on creation and on a change', async () => {
    const { path } = await service.makeWebhook(SILENT)
    for (const auth_type of ['bearer', 'basic', 'header']) {
      const body = { ...SILENT, auth_type }
      for (const answer of [await portal('POST', WEBHOOKS, { body }), await portal('PUT', path, { body })]) {
        expect([answer.status, keyOf(answer)]).toEqual([400, 'services.webhook_auth_invalid'])
      }
    }
    await bodyOf(portal('DELETE', path), 204)
  })
})

describe('a custom header', () => {
  test.each([
    'Host',
    'Content-Type',
    'content-encoding',
    'webhook-id',
    'Webhook-Other',
    'X-Platform-Event',
    'a b',
    'é',
  ])('cannot be %s, on creation or on a change [HOOK-39]', async (auth_header_name) => {
    const { path } = await service.makeWebhook(SILENT)
    const body = { ...SILENT, auth_type: 'header', auth_header_name, auth_header_value: 'value' }
    for (const answer of [await portal('POST', WEBHOOKS, { body }), await portal('PUT', path, { body })]) {
      expect([answer.status, keyOf(answer)]).toEqual([400, 'services.webhook_auth_invalid'])
    }
    await bodyOf(portal('DELETE', path), 204)
  })

  test('may be Authorization [HOOK-39]', async () => {
    const named = { auth_type: 'header', auth_header_name: 'Authorization', auth_header_value: 'ApiKey 12345678' }
    expect(await shown(named)).toMatchObject({ auth_header_name: '••••tion', auth_header_value: '••••5678' })
  })
})

describe('the signing secret', () => {
  test('is generated when none is given, answered once, and recoverable from its sealed copy [HOOK-11]', async () => {
    const made = await service.makeWebhook(SILENT)
    const secret = String(made['hmac_secret_once'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made['hmac_secret']).toBe(`••••${secret.slice(-4)}`)
    for (const answer of [
      await portal('GET', made.path),
      await portal('GET', WEBHOOKS),
      await portal('PUT', made.path, { body: SILENT }),
    ]) {
      expect(answer.text).not.toContain(secret)
    }
    expect(await recovered(made.id)).toBe(secret)
    await bodyOf(portal('DELETE', made.path), 204)
    expect(await recovered(made.id)).toBeNull()
  })

  test('is generated by the first change to hmac without one, and by no other', async () => {
    const made = await service.makeWebhook({ ...SILENT, auth_type: 'none' })
    expect(made).toMatchObject({ hmac_secret: null, hmac_secret_once: null })
    const first = await bodyOf(portal('PUT', made.path, { body: SILENT }))
    expect(first['hmac_secret_once']).toMatch(/^whsec_/)
    expect(await recovered(made.id)).toBe(first['hmac_secret_once'])
    const none = { ...SILENT, auth_type: 'none' }
    expect(await bodyOf(portal('PUT', made.path, { body: none }))).toMatchObject({ hmac_secret_once: null })
    const again = await bodyOf(portal('PUT', made.path, { body: SILENT }))
    expect(again).toMatchObject({ hmac_secret: first['hmac_secret'], hmac_secret_once: null })
    await bodyOf(portal('DELETE', made.path), 204)
  })

  test('is answered once when it is regenerated, the old one stays valid for the grace, and the copy is replaced', async () => {
    const made = await service.makeWebhook(SILENT)
    const path = `${made.path}/regenerate-hmac-secret`
    const rotated = await bodyOf(portal('POST', path))
    expect(rotated).toEqual({
      hmac_secret_once: expect.stringMatching(/^whsec_/),
      previous_valid_until: world.time(86_400_000),
    })
    expect(rotated['hmac_secret_once']).not.toBe(made['hmac_secret_once'])
    expect(await recovered(made.id)).toBe(rotated['hmac_secret_once'])
    expect(await bodyOf(portal('POST', path, { body: { grace_seconds: 60 } }))).toMatchObject({
      previous_valid_until: world.time(60_000),
    })
    expect(await bodyOf(portal('POST', path, { body: { grace_seconds: 0 } }))).toMatchObject({
      previous_valid_until: null,
    })
    for (const grace_seconds of [-1, 604_801, 1.5, '60', null]) {
      expect(keyOf(await portal('POST', path, { body: { grace_seconds } }))).toBe('request.invalid')
    }
    const key = 'rotate-once'
    const [first, again] = [await portal('POST', path, { key }), await portal('POST', path, { key })]
    expect(again.body).toEqual({ ...first.body, hmac_secret_once: null })
    expect(await recovered(made.id)).toBe(first.body['hmac_secret_once'])
    await bodyOf(portal('DELETE', made.path), 204)
  })

  test('is never answered if the company chose it, and the copy of a replaced generated one is deleted', async () => {
    const made = await service.makeWebhook(SILENT)
    const answer = await portal('PUT', made.path, { body: { ...SILENT, hmac_secret: 'chosen-by-the-company' } })
    expect(answer.body).toMatchObject({ hmac_secret: '••••pany', hmac_secret_once: null })
    expect(answer.text).not.toContain('chosen')
    expect(await recovered(made.id)).toBeNull()
    await bodyOf(portal('DELETE', made.path), 204)
  })

  test('a client secret, a service passphrase and a signing secret are each answered once only [ACCT-08]', async () => {
    const { path, client } = await world.service([], { company })
    const hook = await bodyOf(portal('POST', `${path}/webhooks`, { body: SILENT }), 201)
    expect(client.clientSecret).toMatch(/^[\w-]{43}$/)
    const reads = ['', '/client', '/webhooks', `/webhooks/${String(hook['id'])}`, '/private-key', '/logs']
    const texts = await Promise.all(reads.map(async (read) => (await portal('GET', path + read)).text))
    // The passphrase never reaches the platform, which only stores the key that it wraps.
    for (const text of texts) {
      expect(text).not.toContain(client.clientSecret)
      expect(text).not.toContain(String(hook['hmac_secret_once']))
      expect(text).not.toMatch(/"(passphrase|client_secret|hmac_secret_once)"/)
    }
  })
})

test('no table, log or trace contains a secret in the clear', async () => {
  const { path } = await service.makeWebhook({ ...SILENT, ...SECRETS, auth_type: 'header' })
  const made = await bodyOf(portal('POST', WEBHOOKS, { body: SILENT, key: 'once' }), 201)
  const rotated = await bodyOf(portal('POST', `${path}/regenerate-hmac-secret`, { key: 'once' }))
  await portal('PUT', path, { body: { ...SILENT, ...SECRETS, auth_type: 'nonsense' } })
  await portal('PUT', path, { body: { ...SILENT, ...SECRETS, auth_header_name: 'planted header 8888' } })
  const once = [made, rotated].map(({ hmac_secret_once: secret }) => String(secret))
  const planted = [...Object.values(SECRETS), ...once, 'planted header 8888']
  const rest = [await everyTable(), world.telemetry.text(), JSON.stringify(world.telemetry.spans())].join('\n')
  expect(rest).toContain('webhooks.endpoint')
  for (const secret of planted) {
    expect(rest).not.toContain(secret)
    expect(rest).not.toContain(Buffer.from(secret).toString('hex'))
    expect(rest).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20))
  }
})

async function sealedOf(id: string): Promise<string> {
  const sql = `select encode(secrets, 'hex') as sealed from webhooks.endpoint where id = $1`
  const [row] = await world.rows<{ sealed: string }>(sql, [id])
  return row?.sealed ?? ''
}

/** The secret in the recovery copy of a webhook. */
async function recovered(id: string): Promise<string | null> {
  const sql = `select sealed from account.recovery_copy where company_id = $1 and kind = 'webhook_secret' and ref_id = $2`
  const { userId, recoveryKeys } = company
  const [row] = await world.rows<{ sealed: string }>(sql, [userId, id])
  if (row === undefined || recoveryKeys === null) return null
  const key = await importOpeningKey(platform, recoveryKeys.privateKey)
  const opened = key.ok ? await openWrapper(platform, key.value, row.sealed) : null
  return opened?.ok === true ? opened.value : null
}

async function everyTable(): Promise<string> {
  const tables = await world.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await world.rows<{ row: string }>(`select t::text as row from ${name} t`)
    texts.push(name, ...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}
