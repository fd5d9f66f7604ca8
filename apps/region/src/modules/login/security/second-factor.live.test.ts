import { runStatement } from '@sealpost/postgres'
import {
  call,
  newOwner,
  northwind,
  type Owner,
  ownerOf,
  startWithoutLimits,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'

const STEP_MS = 30_000

let two: TwoRegions
beforeAll(async () => {
  two = await startWithoutLimits()
})
afterAll(() => two.close())

const codeNow = (secret: string) => new TOTP({ secret }).generate({ timestamp: two.clock.now() })

async function enable(owner: Owner): Promise<{ secret: string; backupCodes: string[] }> {
  const begun = await owner.call('POST', '/api/account/2fa', { auth_verifier: owner.user.authVerifier })
  expect(begun).toMatchObject({ status: 200, body: { enabled: false } })
  const secret = String(begun.body['secret'])
  const confirmed = await owner.call('POST', '/api/account/2fa', { code: codeNow(secret) })
  expect(confirmed).toMatchObject({ status: 200, body: { enabled: true } })
  two.clock.advance(STEP_MS)
  return { secret, backupCodes: confirmed.body['backup_codes'] as string[] }
}

const logInWith = async (owner: Owner, otp?: string) => {
  const response = await tryLogIn(two, owner.user, otp === undefined ? {} : { otp })
  return { status: response.status, key: response.body['error_key'] }
}

test.each(['person', 'company'] as const)('a %s: after the confirmation logins need a code', async (userType) => {
  const owner = await newOwner(two, { userType })
  const begun = await owner.call('POST', '/api/account/2fa', { auth_verifier: owner.user.authVerifier })
  expect(begun.body['otpauth_url']).toContain(`secret=${String(begun.body['secret'])}`)
  expect(await logInWith(owner)).toMatchObject({ status: 200 })
  const { secret } = await enable(owner)
  expect(await logInWith(owner)).toEqual({ status: 401, key: 'session.otp_required' })
  expect(await logInWith(owner, '000000')).toEqual({ status: 401, key: 'session.invalid' })
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
  expect((await owner.call('GET', '/api/account/2fa')).body).toMatchObject({ enabled: true, backup_codes_left: 10 })
})

test('a code is valid once, also for concurrent logins', async () => {
  const owner = await newOwner(two)
  const { secret } = await enable(owner)
  const code = codeNow(secret)
  const both = await Promise.all([logInWith(owner, code), logInWith(owner, code)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect(await logInWith(owner, code)).toEqual({ status: 401, key: 'session.invalid' })
  two.clock.advance(STEP_MS)
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
})

test('the confirming code is used up, and no code of an earlier step is valid after a later one', async () => {
  const owner = await newOwner(two)
  const begun = await owner.call('POST', '/api/account/2fa', { auth_verifier: owner.user.authVerifier })
  const secret = String(begun.body['secret'])
  const confirming = codeNow(secret)
  await owner.call('POST', '/api/account/2fa', { code: confirming })
  expect(await logInWith(owner, confirming)).toMatchObject({ status: 401 })
  two.clock.advance(STEP_MS)
  const earlier = codeNow(secret)
  two.clock.advance(STEP_MS)
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
  expect(await logInWith(owner, earlier)).toMatchObject({ status: 401 })
})

test('each of the ten backup codes works once', async () => {
  const owner = await newOwner(two)
  const { backupCodes } = await enable(owner)
  expect(backupCodes).toHaveLength(10)
  const [first = '', second = ''] = backupCodes
  const race = await Promise.all([logInWith(owner, first), logInWith(owner, first)])
  expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect(await logInWith(owner, second.toUpperCase())).toMatchObject({ status: 200 })
  expect(await logInWith(owner, second)).toMatchObject({ status: 401 })
  expect((await owner.call('GET', '/api/account/2fa')).body).toMatchObject({ backup_codes_left: 8 })
})

test('with password and code ten new backup codes replace the old ones', async () => {
  const owner = await newOwner(two)
  const { secret, backupCodes } = await enable(owner)
  const proof = { auth_verifier: owner.user.authVerifier, code: codeNow(secret) }
  const renewed = await owner.call('POST', '/api/account/2fa', proof)
  expect(renewed.body['backup_codes']).toHaveLength(10)
  expect(await logInWith(owner, backupCodes[0])).toMatchObject({ status: 401 })
  expect(await logInWith(owner, (renewed.body['backup_codes'] as string[])[0])).toMatchObject({ status: 200 })
})

test('disabling requires password and code; then logins need no code', async () => {
  const owner = await newOwner(two)
  const { secret } = await enable(owner)
  const verifier = owner.user.authVerifier
  const wrongVerifier = Buffer.alloc(32, 7).toString('base64')
  const off = (body: unknown) => owner.call('DELETE', '/api/account/2fa', body)
  const invalid = { status: 401, body: { error_key: 'session.invalid' } }
  expect(await off({ auth_verifier: wrongVerifier, code: codeNow(secret) })).toMatchObject(invalid)
  expect(await off({ auth_verifier: verifier, code: '000000' })).toMatchObject(invalid)
  expect(await off({ auth_verifier: verifier })).toMatchObject({ status: 400 })
  expect(await off({ auth_verifier: verifier, code: codeNow(secret) })).toMatchObject({ status: 204 })
  expect(await off({ auth_verifier: verifier, code: codeNow(secret) })).toMatchObject(invalid)
  expect(await logInWith(owner)).toMatchObject({ status: 200 })
  expect((await owner.call('GET', '/api/account/2fa')).body).toEqual({
    enabled: false,
    enabled_at: null,
    backup_codes_left: 0,
  })
})

test('beginning requires the password, confirming the right code in time; an enabled factor is not replaced', async () => {
  const owner = await newOwner(two)
  const begin = (verifier: string) => owner.call('POST', '/api/account/2fa', { auth_verifier: verifier })
  expect(await begin(Buffer.alloc(32, 7).toString('base64'))).toMatchObject({ status: 401 })
  expect(await owner.call('POST', '/api/account/2fa', {})).toMatchObject({ status: 400 })
  expect(await owner.call('POST', '/api/account/2fa', { code: '123456' })).toMatchObject({
    status: 400,
    body: { error_key: 'request.invalid', details: [{ path: '/code' }] },
  })
  const begun = await begin(owner.user.authVerifier)
  two.clock.advance(31 * 60_000)
  const late = await owner.call('POST', '/api/account/2fa', { code: codeNow(String(begun.body['secret'])) })
  expect(late.status).toBe(400)
  await enable(owner)
  expect(await begin(owner.user.authVerifier)).toMatchObject({ status: 400 })
})

test('a browser that was trusted before the second factor was enabled loses its trust', async () => {
  const owner = await newOwner(two)
  const trusted = await ownerOf(two, owner.user, { trustDevice: true })
  await enable(owner)
  const response = await tryLogIn(two, owner.user, { cookies: trusted.cookies })
  expect(response.body['error_key']).toBe('session.otp_required')
})

test('no call without a login reaches it, and no client, whatever its patterns [WHITELIST-20]', async () => {
  const apiUrl = two.eu.url ?? ''
  expect(await call(apiUrl, 'GET', '/api/account/2fa')).toMatchObject({ status: 401 })
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update access.client set patterns = '{*}' where company_id = $1`, [northwind.companyId]),
  )
  const fresh = await two.another('eu')
  const token = await two.token(northwind)
  for (const [method, path] of [
    ['GET', '/api/account/2fa'],
    ['POST', '/api/account/2fa'],
    ['DELETE', '/api/account/2fa'],
    ['GET', '/api/account/trusted-devices'],
    ['POST', '/api/account/trusted-devices/options'],
    ['DELETE', '/api/account/trusted-devices/019a0000-0000-7000-8000-000000000001'],
  ] as const) {
    const response = await call({ token, apiUrl: fresh.url ?? '' }, method, path, method === 'GET' ? {} : { body: {} })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})

test('neither secret nor backup codes are readable in the database', async () => {
  const owner = await newOwner(two)
  const { secret, backupCodes } = await enable(owner)
  const rows = await two.eu.platform.database.read((read) =>
    runStatement<{ text: string }>(read, `select f::text as text from login.second_factor f where user_id = $1`, [
      owner.user.userId,
    ]),
  )
  const text = Buffer.from(/"?\\\\x([0-9a-f]+)/.exec(rows[0]?.text ?? '')?.[1] ?? '', 'hex').toString('latin1')
  expect(text.length).toBeGreaterThan(100)
  expect(text).not.toContain(secret)
  for (const code of backupCodes) expect(text).not.toContain(code)
})
