import { type Account, logIn, openWorld, tryLogIn, unrestrictedClient } from '@sealpost/testkit'
import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'

const PATH = '/api/account/2fa'
const STEP_MS = 30_000

const world = await openWorld()

const newPerson = () => world.person({ region: 'eu' })
const post = ({ calls }: Account, body: object) => calls('POST', PATH, { body })
const begin = (owner: Account, auth_verifier = owner.authVerifier) => post(owner, { auth_verifier })
const stateOf = async ({ calls }: Account) => (await calls('GET', PATH)).body
const codeNow = (secret: string) => new TOTP({ secret }).generate({ timestamp: world.clock.now() })

async function enable(owner: Account): Promise<{ secret: string; backupCodes: string[] }> {
  const begun = await begin(owner)
  expect(begun).toMatchObject({ status: 200, body: { enabled: false } })
  const secret = String(begun.body['secret'])
  const confirmed = await post(owner, { code: codeNow(secret) })
  expect(confirmed).toMatchObject({ status: 200, body: { enabled: true } })
  world.clock.advance(STEP_MS)
  return { secret, backupCodes: confirmed.body['backup_codes'] as string[] }
}

const logInWith = async (owner: Account, otp?: string) => {
  const response = await tryLogIn(world, owner, otp === undefined ? {} : { otp })
  return { status: response.status, key: response.body['error_key'] }
}

test.each(['person', 'company'] as const)('a %s: after the confirmation logins need a code', async (userType) => {
  const owner = await world[userType]({ region: 'eu' })
  const begun = await begin(owner)
  expect(begun.body['otpauth_url']).toContain(`secret=${String(begun.body['secret'])}`)
  expect(await logInWith(owner)).toMatchObject({ status: 200 })
  const { secret } = await enable(owner)
  expect(await logInWith(owner)).toEqual({ status: 401, key: 'session.otp_required' })
  expect(await logInWith(owner, '000000')).toEqual({ status: 401, key: 'session.invalid' })
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
  expect(await stateOf(owner)).toMatchObject({ enabled: true, backup_codes_left: 10 })
})

test('a code is valid once, also for concurrent logins', async () => {
  const owner = await newPerson()
  const { secret } = await enable(owner)
  const code = codeNow(secret)
  const both = await Promise.all([logInWith(owner, code), logInWith(owner, code)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect(await logInWith(owner, code)).toEqual({ status: 401, key: 'session.invalid' })
  world.clock.advance(STEP_MS)
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
})

test('the confirming code is used up, and no code of an earlier step is valid after a later one', async () => {
  const owner = await newPerson()
  const begun = await begin(owner)
  const secret = String(begun.body['secret'])
  const confirming = codeNow(secret)
  await post(owner, { code: confirming })
  expect(await logInWith(owner, confirming)).toMatchObject({ status: 401 })
  world.clock.advance(STEP_MS)
  const earlier = codeNow(secret)
  world.clock.advance(STEP_MS)
  expect(await logInWith(owner, codeNow(secret))).toMatchObject({ status: 200 })
  expect(await logInWith(owner, earlier)).toMatchObject({ status: 401 })
})

test('each of the ten backup codes works once', async () => {
  const owner = await newPerson()
  const { backupCodes } = await enable(owner)
  expect(backupCodes).toHaveLength(10)
  const [first = '', second = ''] = backupCodes
  const race = await Promise.all([logInWith(owner, first), logInWith(owner, first)])
  expect(race.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect(await logInWith(owner, second.toUpperCase())).toMatchObject({ status: 200 })
  expect(await logInWith(owner, second)).toMatchObject({ status: 401 })
  expect(await stateOf(owner)).toMatchObject({ backup_codes_left: 8 })
})

test('with password and code ten new backup codes replace the old ones', async () => {
  const owner = await newPerson()
  const { secret, backupCodes } = await enable(owner)
  const proof = { auth_verifier: owner.authVerifier, code: codeNow(secret) }
  const renewed = await post(owner, proof)
  expect(renewed.body['backup_codes']).toHaveLength(10)
  expect(await logInWith(owner, backupCodes[0])).toMatchObject({ status: 401 })
  expect(await logInWith(owner, (renewed.body['backup_codes'] as string[])[0])).toMatchObject({ status: 200 })
})

test('disabling requires password and code; then logins need no code', async () => {
  const owner = await newPerson()
  const { secret } = await enable(owner)
  const verifier = owner.authVerifier
  const wrongVerifier = Buffer.alloc(32, 7).toString('base64')
  const off = (body: unknown) => owner.calls('DELETE', PATH, { body })
  const invalid = { status: 401, body: { error_key: 'session.invalid' } }
  expect(await off({ auth_verifier: wrongVerifier, code: codeNow(secret) })).toMatchObject(invalid)
  expect(await off({ auth_verifier: verifier, code: '000000' })).toMatchObject(invalid)
  expect(await off({ auth_verifier: verifier })).toMatchObject({ status: 400 })
  expect(await off({ auth_verifier: verifier, code: codeNow(secret) })).toMatchObject({ status: 204 })
  expect(await off({ auth_verifier: verifier, code: codeNow(secret) })).toMatchObject(invalid)
  expect(await logInWith(owner)).toMatchObject({ status: 200 })
  expect(await stateOf(owner)).toEqual({
    enabled: false,
    enabled_at: null,
    backup_codes_left: 0,
  })
})

test('beginning requires the password, confirming the right code in time; an enabled factor is not replaced', async () => {
  const owner = await newPerson()
  expect(await begin(owner, Buffer.alloc(32, 7).toString('base64'))).toMatchObject({ status: 401 })
  expect(await post(owner, {})).toMatchObject({ status: 400 })
  expect(await post(owner, { code: '123456' })).toMatchObject({
    status: 400,
    body: { error_key: 'request.invalid', details: [{ path: '/code' }] },
  })
  const begun = await begin(owner)
  world.clock.advance(31 * 60_000)
  const late = await post(owner, { code: codeNow(String(begun.body['secret'])) })
  expect(late.status).toBe(400)
  await enable(owner)
  expect(await begin(owner)).toMatchObject({ status: 400 })
})

test('a browser that was trusted before the second factor was enabled loses its trust', async () => {
  const owner = await newPerson()
  const trusted = await logIn(world, owner, { trustDevice: true })
  await enable(owner)
  const response = await tryLogIn(world, owner, { cookies: trusted.cookies })
  expect(response.body['error_key']).toBe('session.otp_required')
})

test('no call without a login reaches it, and no client, whatever its patterns [WHITELIST-20]', async () => {
  expect(await world.anonymous('GET', PATH)).toMatchObject({ status: 401 })
  const client = await unrestrictedClient(world)
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['DELETE', PATH],
    ['GET', '/api/account/trusted-devices'],
    ['POST', '/api/account/trusted-devices/options'],
    ['DELETE', '/api/account/trusted-devices/019a0000-0000-7000-8000-000000000001'],
  ] as const) {
    const response = await client(method, path, method === 'GET' ? {} : { body: {} })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})

test('neither secret nor backup codes are readable in the database', async () => {
  const owner = await newPerson()
  const { secret, backupCodes } = await enable(owner)
  const sql = 'select f::text as text from login.second_factor f where user_id = $1'
  const [row] = await world.rows<{ text: string }>(sql, [owner.userId])
  const text = Buffer.from(/"?\\\\x([0-9a-f]+)/.exec(row?.text ?? '')?.[1] ?? '', 'hex').toString('latin1')
  expect(text.length).toBeGreaterThan(100)
  expect(text).not.toContain(secret)
  for (const code of backupCodes) expect(text).not.toContain(code)
})
