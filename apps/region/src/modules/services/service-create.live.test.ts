import { generateKeyPairSync } from 'node:crypto'
import { keyOf, newServiceKey, openWorld, serviceBody, type ServiceWish } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const company = await world.company()
const { portal } = company

const make = async (change: ServiceWish = {}) => portal('POST', '/api/services', { body: await serviceBody(change) })

describe('POST /api/services', () => {
  test('creates a service for the portal [SERVICE-01] [SERVICE-07]', async () => {
    const body = await serviceBody({ name: 'Lab results' })
    const made = await portal('POST', '/api/services', { body })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      name: 'Lab results',
      share_code: 'LABRESUL',
      admin_email: 'ops@company.example',
      audience: 'both',
      number_matching: false,
      require_2fa: false,
      public_key: body.public_key,
      created_at: world.time(),
      state: 'active',
    })
    expect((await portal('GET', `/api/services/${String(made.body['id'])}`)).body).toEqual(made.body)
  })

  test('creates one for an account client with service_management, and for no other client [SERVICE-01]', async () => {
    const makeWith = async (capabilities: readonly string[]) => {
      const { calls } = await company.accountClient(capabilities)
      return calls('POST', '/api/services', { body: await serviceBody() })
    }
    expect((await makeWith(['service_management'])).status).toBe(201)
    const refused = await makeWith([
      'oauth_apps',
      'company_profile_fields',
      'customer_connections',
      'delegate_management',
    ])
    expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
  })

  test('stores the public key and the wrapped private key, and nothing that opens them [CRYPTO-16] [CRYPTO-19]', async () => {
    const key = await newServiceKey()
    const wish = { ...(await serviceBody({ name: 'Kept apart' }, key)), passphrase: key.passphrase }
    const { body } = await portal('POST', '/api/services', { body: wish })
    const shown = await portal('GET', `/api/services/${String(body['id'])}/private-key`)
    expect(shown.body).toEqual({
      public_key: key.publicKey,
      encrypted_private_key: key.encryptedPrivateKey,
      sealed_passphrase: null,
    })
    const columns = await columnsOf(String(body['id']))
    expect(columns.filter((name) => /key|pass|secret|wrap/.test(name)).toSorted()).toEqual([
      'encrypted_private_key',
      'public_key',
    ])
    expect(await tablesWith(key.passphrase)).toEqual([])
    expect(await tablesWith(key.encryptedPrivateKey.data)).toEqual(['services.service'])
  })

  test('accepts each key for one service only, also in concurrent calls [CRYPTO-14]', async () => {
    const key = await newServiceKey()
    const body = await serviceBody({}, key)
    const both = await Promise.all([
      portal('POST', '/api/services', { body }),
      portal('POST', '/api/services', { body }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
    const third = await portal('POST', '/api/services', { body })
    expect([third.status, keyOf(third)]).toEqual([400, 'services.key_invalid'])
    const { portal: other } = await world.company({ region: 'us' })
    expect((await other('POST', '/api/services', { body })).status).toBe(201)
  })

  test.each([undefined, null, '', 'ops', 'ops@', 'a b@x.co', 5, {}])(
    'admin_email %j is refused [SERVICE-02]',
    async (admin_email) => {
      const response = await make({ admin_email })
      expect([response.status, keyOf(response)]).toEqual([400, 'services.admin_email_invalid'])
    },
  )

  test('accepts only RSA-2048 with exponent 65537 as public_key [SERVICE-03] [CRYPTO-14]', async () => {
    const spki = (bits: number, publicExponent: number): string =>
      generateKeyPairSync('rsa', { modulusLength: bits, publicExponent })
        .publicKey.export({ type: 'spki', format: 'der' })
        .toString('base64')
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ type: 'spki', format: 'der' })
      .toString('base64')
    const good = spki(2048, 65_537)
    const pem = `-----BEGIN PUBLIC KEY-----\n${good}\n-----END PUBLIC KEY-----`
    const bad = [undefined, null, '', 'AAAA', 5, {}, curve, spki(1024, 65_537), spki(4096, 65_537), spki(2048, 3), pem]
    for (const public_key of [...bad, `${good.slice(0, -4)}AAAA`, ` ${good}`]) {
      const response = await make({ public_key })
      expect([public_key, response.status, keyOf(response)]).toEqual([public_key, 400, 'services.key_invalid'])
    }
    expect((await make({ public_key: good })).status).toBe(201)
  })

  test('accepts only the specified object as encrypted_private_key [SERVICE-04]', async () => {
    const { encryptedPrivateKey: wrap } = await newServiceKey()
    const { iter, salt, iv, data } = wrap
    const bad = [
      undefined,
      null,
      'wrap',
      [],
      {},
      { iter, salt, iv },
      { iter, salt, data },
      { iter, iv, data },
      { salt, iv, data },
      { ...wrap, iter: 1000 },
      { ...wrap, iter: 100_001 },
      { ...wrap, iter: '100000' },
      { ...wrap, salt: iv },
      { ...wrap, iv: salt },
      { ...wrap, data: '' },
      { ...wrap, data: '???' },
      { ...wrap, passphrase: 'x' },
    ]
    for (const encrypted_private_key of bad) {
      const response = await make({ encrypted_private_key })
      expect([encrypted_private_key, keyOf(response)]).toEqual([encrypted_private_key, 'services.key_invalid'])
      expect(response.status).toBe(400)
    }
    expect((await make({ encrypted_private_key: wrap })).status).toBe(201)
  })

  test.each(['intake', 'TOOLONGCODE', 'A-B', '', 'Ä', 7])(
    'share_code %j is refused [SERVICE-05]',
    async (share_code) => {
      const response = await make({ share_code })
      expect([response.status, keyOf(response)]).toEqual([400, 'services.share_code_invalid'])
    },
  )

  test('refuses a code of another service of the company; another company may have it [SERVICE-06]', async () => {
    const wish = { share_code: 'TWICE' }
    const both = await Promise.all([make(wish), make(wish)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const third = await make(wish)
    expect([third.status, keyOf(third)]).toEqual([409, 'services.share_code_taken'])
    const { portal: other } = await world.company({ region: 'us' })
    expect((await other('POST', '/api/services', { body: await serviceBody(wish) })).status).toBe(201)
  })

  test('gives services of one name different codes, also in concurrent calls', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => make({ name: 'Archive' })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const codes = made.map(({ body }) => String(body['share_code'])).toSorted()
    expect(codes).toEqual(['ARCHIVE', 'ARCHIVE2', 'ARCHIVE3', 'ARCHIVE4', 'ARCHIVE5'])
  })

  test.each([{ name: undefined }, { name: '' }, { name: '  ' }, { name: 5 }, { audience: 'all' }])(
    '%j is refused',
    async (change) => {
      const response = await make(change)
      expect([response.status, keyOf(response)]).toEqual([400, 'request.invalid'])
    },
  )

  test('creates one service for one Idempotency-Key', async () => {
    const body = await serviceBody({ name: 'Once' })
    const first = await portal('POST', '/api/services', { body, key: 'once' })
    const again = await portal('POST', '/api/services', { body, key: 'once' })
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await portal('POST', '/api/services', { body: { ...body, name: 'Twice' }, key: 'once' })
    expect([other.status, keyOf(other)]).toEqual([422, 'idempotency.conflict'])
  })

  test('is refused without a login', async () => {
    expect((await world.anonymous('POST', '/api/services')).status).toBe(401)
  })
})

async function columnsOf(serviceId: string): Promise<readonly string[]> {
  const [row] = await world.rows('select * from services.service where id = $1', [serviceId])
  return Object.keys(row ?? {})
}

/** The tables of both databases that contain the text in any column. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const hits: string[] = []
  for (const site of ['eu', 'us'] as const) {
    const tables = await world.rows<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
      [],
      site,
    )
    for (const { name } of tables) {
      const sql = `select 1 from ${name} t where t::text like $1 limit 1`
      if ((await world.rows(sql, [`%${text}%`], site)).length > 0) hits.push(name)
    }
  }
  return hits
}
