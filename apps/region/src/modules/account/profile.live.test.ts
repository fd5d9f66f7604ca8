import { Secret, type UserId } from '@sealpost/kernel'
import { callsWith, logIn, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()

describe('GET /api/account', () => {
  test('answers a company its own account', async () => {
    const answer = await northwind.calls('GET', '/api/account')
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      id: northwind.companyId,
      user_type: 'company',
      email: northwind.email,
      level: 'pro',
      display_name: northwind.companyName,
      share_code: northwind.shareCode,
      region: 'eu',
      public_key: northwind.login.keys.publicKey,
      storage: { stored_bytes: 0, quota_bytes: 20_000 * 1_048_576 },
    })
  })

  test('answers a person the own account, and 401 without a token', async () => {
    const { body } = await mara.calls('GET', '/api/account')
    expect(body).toMatchObject({ id: mara.userId, user_type: 'person', level: 'free', region: 'us' })
    expect(await world.anonymous('GET', '/api/account')).toMatchObject({
      status: 401,
      body: { error_key: 'auth.token_missing' },
    })
  })

  test('in another region answers the address of the home region', async () => {
    expect(await northwind.calls('GET', '/api/account', { url: harborline.apiUrl })).toMatchObject({
      status: 421,
      body: { error_key: 'region.rebase_required', api_url: northwind.apiUrl },
    })
  })
})

describe('/api/profile', () => {
  test('changes the sent members and keeps the others; a repetition changes nothing', async () => {
    const change = { body: { display_name: 'Northwind Hospital' } }
    for (const answer of [
      await northwind.calls('PUT', '/api/profile', change),
      await northwind.calls('PUT', '/api/profile', change),
      await northwind.calls('GET', '/api/profile'),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { display_name: 'Northwind Hospital', language: 'en' } })
    }
    const back = { body: { display_name: northwind.companyName, language: 'de-AT' } }
    expect(await northwind.calls('PUT', '/api/profile', back)).toMatchObject({
      body: { display_name: northwind.companyName, language: 'de-AT' },
    })
  })

  test.each([{ display_name: '  ' }, { display_name: 7 }, { language: 'German' }, { language: null }])(
    'refuses %j',
    async (body) => {
      expect(await mara.calls('PUT', '/api/profile', { body })).toMatchObject({
        status: 400,
        body: { error_key: 'request.invalid' },
      })
    },
  )

  test('is closed without a token', async () => {
    expect(await world.anonymous('PUT', '/api/profile', { body: {} })).toMatchObject({ status: 401 })
  })
})

describe('an account client without capabilities', () => {
  test('reads the account and changes the display name, and nothing more [WHITELIST-26]', async () => {
    const client = await harborline.accountClient([])
    const account = await client.calls('GET', '/api/account')
    expect(account).toMatchObject({ status: 200, body: { id: harborline.companyId } })
    expect(await client.calls('GET', '/api/profile')).toMatchObject({ status: 200 })
    const renamed = await client.calls('PUT', '/api/profile', { body: { display_name: 'Harborline' } })
    expect(renamed).toMatchObject({ status: 200, body: { display_name: 'Harborline', language: 'en' } })
    for (const language of ['de', 'not a language', null]) {
      const refused = await client.calls('PUT', '/api/profile', { body: { display_name: 'X', language } })
      expect(refused).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
    }
    expect(await client.calls('GET', '/api/profile')).toMatchObject({ body: { display_name: 'Harborline' } })
    const otherMethods = [
      ['PUT', '/api/account'],
      ['DELETE', '/api/account'],
      ['POST', '/api/profile'],
      ['DELETE', '/api/profile'],
    ] as const
    for (const [method, path] of otherMethods) {
      expect(await client.calls(method, path)).toMatchObject({
        status: 403,
        body: { error_key: 'auth.client_endpoint_forbidden' },
      })
    }
    for (const path of ['/api/account/recovery-key', '/api/profile/keys', '/api/delegates', '/api/portal/audit']) {
      expect(await client.calls('GET', path)).toMatchObject({
        status: 403,
        body: { error_key: 'auth.client_endpoint_forbidden' },
      })
    }
  })
})

describe('keys', () => {
  test('of a company are answered to a portal login only [AUTH-11, WHITELIST-23]', async () => {
    const bundle = {
      public_key: northwind.login.keys.publicKey,
      encrypted_private_key: northwind.login.keys.encryptedPrivateKey,
      // A company needs it to wrap its recovery key anew when it changes the password.
      encrypted_recovery_key: { iv: expect.any(String), data: expect.any(String) },
    }
    expect(await northwind.calls('GET', '/api/account-key')).toMatchObject({ status: 200, body: bundle })
    const everything = ['service_management', 'company_profile_fields', 'oauth_apps', 'delegate_management']
    const clients = [(await northwind.accountClient(everything)).calls, northwind.data, mara.calls]
    for (const calls of clients) {
      expect(await calls('GET', '/api/account-key')).toMatchObject({
        status: 403,
        body: { error_key: 'auth.client_endpoint_forbidden' },
      })
    }
    expect(await world.anonymous('GET', '/api/account-key')).toMatchObject({ status: 401 })
  })

  test('that are missing can be added, and the public key is then found by others', async () => {
    const { operations, platform } = world.eu
    const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = mara.login.keys
    const id = platform.ids.uuid<UserId>()
    const fresh = { id, userType: 'person', email: `keyless-${id}@persons.example` } as const
    const rest = { displayName: 'Keyless', language: 'en', level: 'free', kdf: mara.login.kdf } as const
    const listing = await operations.createAccount({ ...fresh, ...rest, keys: null, recoveryKeys: null })
    await operations.setPassword(fresh.id, new Secret(mara.login.authVerifier))
    const { apiUrl, token } = await logIn(world, { email: fresh.email, authVerifier: mara.login.authVerifier })
    const keyless = callsWith(apiUrl, token)
    expect(await keyless('GET', '/api/profile/keys')).toMatchObject({
      status: 404,
      body: { error_key: 'keys.not_found' },
    })
    const body = { public_key, encrypted_private_key }
    expect(await keyless('POST', '/api/profile/keys', { body })).toMatchObject({ status: 201, body })
    const delegate = { share_code: listing?.shareCode, role: 'operator', services: [] }
    const added = await harborline.calls('POST', '/api/delegates', { body: delegate })
    expect(added).toMatchObject({ status: 201, body: { public_key } })
  })

  test('of a person are stored once: the same bundle again is accepted, another one refused', async () => {
    const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = mara.login.keys
    const bundle = { public_key, encrypted_private_key }
    expect(await mara.calls('GET', '/api/profile/keys')).toMatchObject({ status: 200, body: bundle })
    expect(await mara.calls('POST', '/api/profile/keys', { body: bundle })).toMatchObject({ status: 201 })
    const other = { ...bundle, public_key: northwind.login.keys.publicKey }
    expect(await mara.calls('POST', '/api/profile/keys', { body: other })).toMatchObject({
      status: 409,
      body: { error_key: 'profile.keys_exist' },
    })
    const broken = { ...bundle, public_key: 'AAAA' }
    expect(await mara.calls('POST', '/api/profile/keys', { body: broken })).toMatchObject({
      status: 400,
      body: { error_key: 'services.key_invalid' },
    })
    expect(await northwind.calls('GET', '/api/profile/keys')).toMatchObject({ status: 403 })
    expect(await world.anonymous('GET', '/api/profile/keys')).toMatchObject({ status: 401 })
  })
})
