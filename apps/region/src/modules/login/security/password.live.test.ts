import {
  type Account,
  callsWith,
  deriveVerifier,
  type LoggedIn,
  logIn,
  newPassword,
  openWorld,
  refreshWith,
  tryLogIn,
  unrestrictedClient,
} from '@sealpost/testkit'
import { openPrivateKey } from '@sealpost/vault'
import { expect, test } from 'vitest'

const PATH = '/api/account/password'

const world = await openWorld()

const change = ({ calls }: Account, body: object) => calls('PUT', PATH, { body })
const statusOf = async ({ apiUrl, token }: LoggedIn) =>
  (await callsWith(apiUrl, token)('GET', '/api/account/2fa')).status

test.each(['person', 'company'] as const)(
  'a %s: the new password is in force everywhere, other sessions have ended, the own one stays [AUTH-15]',
  async (userType) => {
    const owner = await world[userType]({ region: userType === 'person' ? 'eu' : 'us' })
    const { email } = owner
    const other = await owner.logIn()
    expect(await statusOf(other)).toBe(200)
    const { body, next } = await newPassword(owner, 'another password')
    expect(await change(owner, body)).toMatchObject({ status: 200, body: { status: 'changed' } })

    expect(await statusOf(owner)).toBe(200)
    expect(await statusOf(other)).toBe(401)
    expect((await refreshWith(world.frontDoor.url, other.cookies, userType)).status).toBe(401)

    expect((await tryLogIn(world, owner)).status).toBe(401)
    const authVerifier = await deriveVerifier(world, email, 'another password')
    expect(authVerifier).toBe(next.authVerifier.reveal())
    const again = await logIn(world, { email, authVerifier })
    if (userType === 'company') {
      const keys = await callsWith(again.apiUrl, again.token)('GET', '/api/account-key')
      await expect(openPrivateKey(keys.body['encrypted_private_key'] as never, next.wrapKey)).resolves.toBeDefined()
    }
    await expect(world.mail.waitFor(email, 'password')).resolves.toContain('was changed')
  },
)

test('a repeated call after a lost answer gets the same answer', async () => {
  const owner = await world.person({ region: 'eu' })
  const { body } = await newPassword(owner, 'another password')
  expect(await change(owner, body)).toMatchObject({ status: 200 })
  expect(await change(owner, body)).toMatchObject({ status: 200 })
  const authVerifier = await deriveVerifier(world, owner.email, 'another password')
  expect((await tryLogIn(world, { email: owner.email, authVerifier })).status).toBe(200)
})

test('a wrong current password, a missing recovery key or an incomplete one changes nothing', async () => {
  const owner = await world.company()
  const { body } = await newPassword(owner, 'another password')
  const wrong = { ...body, current_auth_verifier: Buffer.alloc(32, 7).toString('base64') }
  expect(await change(owner, wrong)).toMatchObject({ status: 401, body: { error_key: 'session.invalid' } })
  const { encrypted_recovery_key: _left, ...half } = body
  expect(await change(owner, half)).toMatchObject({
    status: 400,
    body: { details: [{ path: '/encrypted_recovery_key' }] },
  })
  const weak = { ...body, kdf: { ...body.kdf, memory_kib: 1024 } }
  expect(await change(owner, weak)).toMatchObject({ status: 400 })
  expect((await tryLogIn(world, owner)).status).toBe(200)
})

test('exactly one of two concurrent changes wins, and its password is in force', async () => {
  const owner = await world.person({ region: 'eu' })
  const bodies = [(await newPassword(owner, 'first password')).body, (await newPassword(owner, 'second password')).body]
  const response = await Promise.all(bodies.map((body) => change(owner, body)))
  const winner = response.findIndex(({ status }) => status === 200)
  expect(response.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  const password = winner === 0 ? 'first password' : 'second password'
  const authVerifier = await deriveVerifier(world, owner.email, password)
  expect((await tryLogIn(world, { email: owner.email, authVerifier })).status).toBe(200)
})

test('no client reaches it, and no call without a login [WHITELIST-19]', async () => {
  const client = await unrestrictedClient(world)
  for (const path of [PATH, '/api/account/email']) {
    expect(await world.anonymous('PUT', path, { body: {} })).toMatchObject({ status: 401 })
    const response = await client('PUT', path, { body: {} })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})
