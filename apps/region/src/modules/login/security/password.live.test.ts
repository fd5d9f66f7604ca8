import { runStatement } from '@sealpost/postgres'
import {
  call,
  callSession,
  deriveVerifier,
  logIn,
  newOwner,
  northwind,
  type Owner,
  ownerOf,
  startWithoutLimits,
  TEST_KDF,
  type TestUser,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { deriveLogin, newKdf, openPrivateKey, passwordChangeBody } from '@sealpost/vault'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PATH = '/api/account/password'

let two: TwoRegions
beforeAll(async () => {
  two = await startWithoutLimits()
})
afterAll(() => two.close())

/** The request of a device for a new password. */
async function newPassword(user: TestUser, password: string) {
  const kdf = newKdf(TEST_KDF)
  const [current, next] = [await deriveLogin(user.password, user.kdf), await deriveLogin(password, kdf)]
  const { recoveryKeys } = user
  const body = await passwordChangeBody({
    current,
    next,
    kdf,
    encryptedPrivateKey: user.keys.encryptedPrivateKey,
    ...(recoveryKeys === null ? {} : { encryptedRecoveryKey: recoveryKeys.encryptedPrivateKey }),
  })
  return { body, kdf, next }
}

const accountStatus = async (owner: Owner) => (await owner.call('GET', '/api/account/2fa')).status

test.each(['person', 'company'] as const)(
  'a %s: the new password is in force everywhere, other sessions have ended, the own one stays [AUTH-15]',
  async (userType) => {
    const owner = await newOwner(two, { userType, region: userType === 'person' ? 'eu' : 'us' })
    const { user } = owner
    const other = await ownerOf(two, user)
    expect(await accountStatus(other)).toBe(200)
    const { body, next } = await newPassword(user, 'another password')
    expect(await owner.call('PUT', PATH, body)).toMatchObject({ status: 200, body: { status: 'changed' } })

    expect(await accountStatus(owner)).toBe(200)
    expect(await accountStatus(other)).toBe(401)
    const refresh = { body: { user_type: userType }, cookies: other.cookies }
    expect((await callSession(two.frontDoor.url, 'POST', '/api/session/refresh', refresh)).status).toBe(401)

    expect((await tryLogIn(two, user)).status).toBe(401)
    const verifier = await deriveVerifier(two, user.email, 'another password')
    expect(verifier).toBe(next.authVerifier.reveal())
    const again = await logIn(two, { email: user.email, authVerifier: verifier })
    if (userType === 'company') {
      const keys = await call(again, 'GET', '/api/account-key')
      await expect(openPrivateKey(keys.body['encrypted_private_key'] as never, next.wrapKey)).resolves.toBeDefined()
    }
    await expect(two.mail.waitFor(user.email, 'password')).resolves.toContain('was changed')
  },
)

test('a repeated call after a lost answer gets the same answer', async () => {
  const owner = await newOwner(two)
  const { body } = await newPassword(owner.user, 'another password')
  expect(await owner.call('PUT', PATH, body)).toMatchObject({ status: 200 })
  expect(await owner.call('PUT', PATH, body)).toMatchObject({ status: 200 })
  const verifier = await deriveVerifier(two, owner.user.email, 'another password')
  expect((await tryLogIn(two, { email: owner.user.email, authVerifier: verifier })).status).toBe(200)
})

test('a wrong current password, a missing recovery key or an incomplete one changes nothing', async () => {
  const owner = await newOwner(two, { userType: 'company' })
  const { body } = await newPassword(owner.user, 'another password')
  const wrong = { ...body, current_auth_verifier: Buffer.alloc(32, 7).toString('base64') }
  expect(await owner.call('PUT', PATH, wrong)).toMatchObject({ status: 401, body: { error_key: 'session.invalid' } })
  const { encrypted_recovery_key: _left, ...half } = body
  expect(await owner.call('PUT', PATH, half)).toMatchObject({
    status: 400,
    body: { details: [{ path: '/encrypted_recovery_key' }] },
  })
  const weak = { ...body, kdf: { ...body.kdf, memory_kib: 1024 } }
  expect(await owner.call('PUT', PATH, weak)).toMatchObject({ status: 400 })
  expect((await tryLogIn(two, owner.user)).status).toBe(200)
})

test('exactly one of two concurrent changes wins, and its password is in force', async () => {
  const owner = await newOwner(two)
  const { user } = owner
  const bodies = [(await newPassword(user, 'first password')).body, (await newPassword(user, 'second password')).body]
  const response = await Promise.all(bodies.map((body) => owner.call('PUT', PATH, body)))
  const winner = response.findIndex(({ status }) => status === 200)
  expect(response.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  const password = winner === 0 ? 'first password' : 'second password'
  const verifier = await deriveVerifier(two, user.email, password)
  expect((await tryLogIn(two, { email: user.email, authVerifier: verifier })).status).toBe(200)
})

test('without the bus the change is complete here and reaches the directory later', async () => {
  const owner = await newOwner(two)
  const { user } = owner
  const { body } = await newPassword(user, 'another password')
  await two.isolated.nats.eu.kill()
  expect(await owner.call('PUT', PATH, body)).toMatchObject({ status: 200 })
  await two.isolated.nats.eu.start()
  await expect
    .poll(() => deriveVerifier(two, user.email, 'another password'), { timeout: 20_000 })
    .toBe(body.auth_verifier)
  await expect
    .poll(async () => (await tryLogIn(two, { email: user.email, authVerifier: body.auth_verifier })).status, {
      timeout: 20_000,
    })
    .toBe(200)
})

test('no client reaches it, and no call without a login [WHITELIST-19]', async () => {
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update access.client set patterns = '{*}' where company_id = $1`, [northwind.companyId]),
  )
  const fresh = await two.another('eu')
  const token = await two.token(northwind)
  for (const path of [PATH, '/api/account/email']) {
    expect(await call(fresh.url ?? '', 'PUT', path, { body: {} })).toMatchObject({ status: 401 })
    const response = await call({ token, apiUrl: fresh.url ?? '' }, 'PUT', path, { body: {} })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})
