import { Secret } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  type Account,
  type Calls,
  callsWith,
  openWorld,
  scaled,
  signUp,
  tryLogIn,
  unrestrictedClient,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { tidyLogins } from '../operations/tidy.ts'
import { beginEmailChange, confirmEmailChange } from './operations/email.ts'

const world = await openWorld()
const context = world.eu.modules.login
let addresses = 0

const newAddress = () => `moved-${(addresses += 1)}@people.example`
const newPerson = () => world.person({ region: 'eu' })
const beginChange = ({ calls, authVerifier }: Pick<Account, 'calls' | 'authVerifier'>, email: string) =>
  calls('PUT', '/api/account/email', { body: { email, auth_verifier: authVerifier } })
const confirmChange = ({ calls }: Account, code: string) =>
  calls('POST', '/api/account/email/confirm', { body: { code } })
const confirmDeletion = (calls: Calls, code: string) => calls('POST', '/api/account/confirm-delete', { body: { code } })
const wrongCode = { status: 400, body: { error_key: 'request.invalid', details: [{ path: '/code' }] } }
const anotherCode = (code: string) => (code === '111111' ? '222222' : '111111')

test.each(['person', 'company'] as const)('a %s logs in with the new address, not with the old', async (userType) => {
  const owner = await world[userType]({ region: 'us' })
  const email = newAddress()
  expect(await beginChange(owner, email)).toMatchObject({ status: 200, body: { status: 'mail_sent' } })
  expect((await tryLogIn(world, { ...owner, email })).status).toBe(401)
  const code = await world.mail.waitForCode(email)
  expect(await confirmChange(owner, code)).toMatchObject({ status: 200, body: { email } })
  expect((await tryLogIn(world, { ...owner, email })).status).toBe(200)
  expect((await tryLogIn(world, owner)).status).toBe(401)
  await expect(world.mail.waitFor(owner.email, 'has changed')).resolves.toContain(email)
  expect(await confirmChange(owner, code)).toMatchObject({ status: 200, body: { email } })
})

test('an address that another account has gets the same answer; only its mail differs', async () => {
  const [owner, holder] = [await newPerson(), await world.person()]
  const [taken, free] = [await beginChange(owner, holder.email.toUpperCase()), await beginChange(owner, newAddress())]
  expect(taken.text).toBe(free.text)
  expect(taken.status).toBe(free.status)
  await expect(world.mail.waitFor(holder.email, 'already has an account')).resolves.not.toMatch(/\d{6}/)
  expect((await tryLogIn(world, holder)).status).toBe(200)
})

test('the loser of a race for an address is answered like a wrong code', async () => {
  const [first, second] = [await newPerson(), await world.person()]
  const email = newAddress()
  await beginChange(first, email)
  const codeOfFirst = await world.mail.waitForCode(email)
  await beginChange(second, email)
  const codeOfSecond = await world.mail.waitForCode(email)
  expect(await confirmChange(second, codeOfSecond)).toMatchObject({ status: 200 })
  expect(await confirmChange(first, codeOfFirst)).toMatchObject(wrongCode)
  await world.mail.waitFor(email, 'already has an account')
  expect((await tryLogIn(world, first)).status).toBe(200)
})

test('a code is valid for its owner, for ten minutes and five tries', async () => {
  const [owner, other] = [await newPerson(), await newPerson()]
  const email = newAddress()
  await beginChange(owner, email)
  const code = await world.mail.waitForCode(email)
  expect(await confirmChange(other, code)).toMatchObject(wrongCode)
  for (let tries = 0; tries < 5; tries += 1)
    expect(await confirmChange(owner, anotherCode(code))).toMatchObject(wrongCode)
  expect(await confirmChange(owner, code)).toMatchObject(wrongCode)
  await beginChange(owner, email)
  const late = await world.mail.waitForCode(email)
  world.clock.advance(10 * 60_000)
  expect(await confirmChange(owner, late)).toMatchObject(wrongCode)
  expect(await confirmChange(owner, 'abc')).toMatchObject({ status: 400 })
  expect(await beginChange({ ...owner, authVerifier: other.authVerifier }, email)).toMatchObject({ status: 401 })
})

test('a change that stopped after its code is completed by the periodic tidying', async () => {
  const owner = await newPerson()
  const email = newAddress()
  await beginChange(owner, email)
  await world.mail.waitForCode(email)
  await context.database.transaction((tx) =>
    runStatement(tx, `update login.mailed_code set confirmed_at = to_timestamp($2 / 1000.0) where user_id = $1`, [
      owner.userId,
      world.clock.now(),
    ]),
  )
  world.clock.advance(60_000)
  await tidyLogins(context)
  expect((await tryLogIn(world, { ...owner, email })).status).toBe(200)
})

/** Runs `step` right after the directory has assigned the new address. */
function onceMoved(step: () => Promise<void>): typeof context {
  const setEmail: typeof context.directory.setEmail = async (...given) => {
    const hash = await context.directory.setEmail(...given)
    await step()
    return hash
  }
  return { ...context, directory: { ...context.directory, setEmail } }
}

const addressOf = async ({ calls }: Account) => (await calls('GET', '/api/account')).body['email']

test('a second change of address that begins while the first is being completed is in force when it answers', async () => {
  const owner = await newPerson()
  const { userId, authVerifier } = owner
  const [first, second] = [newAddress(), newAddress()]
  await beginChange(owner, first)
  const code = await world.mail.waitForCode(first)
  const meanwhile = onceMoved(() => beginEmailChange(context, userId, second, new Secret(authVerifier)))
  await confirmEmailChange(meanwhile, userId, code)
  expect((await tryLogIn(world, { authVerifier, email: first })).status).toBe(200)
  const next = await world.mail.waitForCode(second)
  expect(await confirmChange(owner, next)).toMatchObject({ status: 200, body: { email: second } })
  expect((await tryLogIn(world, { authVerifier, email: second })).status).toBe(200)
  expect(await addressOf(owner)).toBe(second)
})

test('a change of address that stopped halfway is completed before another one begins', async () => {
  const owner = await newPerson()
  const [first, second] = [newAddress(), newAddress()]
  await beginChange(owner, first)
  const code = await world.mail.waitForCode(first)
  const stopped = new Error('the process stopped here')
  const stopping = onceMoved(() => Promise.reject(stopped))
  await expect(confirmEmailChange(stopping, owner.userId, code)).rejects.toThrow(stopped)
  expect(await beginChange(owner, second)).toMatchObject({ status: 200 })
  world.clock.advance(60_000)
  await tidyLogins(context)
  expect((await tryLogIn(world, { ...owner, email: first })).status).toBe(200)
  expect(await addressOf(owner)).toBe(first)
})

test.each(['person', 'company'] as const)(
  'a %s deletes the account: no login or token of it is accepted any more [AUTH-15]',
  async (userType) => {
    const owner = await world[userType]({ region: 'eu' })
    const { calls, userId, email } = owner
    const other = await owner.logIn()
    expect(await calls('POST', '/api/account/delete-request')).toMatchObject({ status: 202 })
    const code = await world.mail.waitForCode(email, 'deletion')
    expect(await confirmDeletion(calls, anotherCode(code))).toMatchObject(wrongCode)
    expect(await confirmDeletion(calls, code)).toMatchObject({ status: 200, body: { status: 'deleted' } })
    for (const session of [calls, callsWith(other.apiUrl, other.token)])
      expect(await session('GET', '/api/account/2fa')).toMatchObject({ status: 401 })
    expect(await confirmDeletion(calls, code)).toMatchObject({ status: 401 })
    expect((await tryLogIn(world, owner)).status).toBe(401)
    expect(await world.mail.waitFor(email, 'is deleted')).not.toBe('')
    for (const table of ['credential', 'second_factor', 'device', 'mailed_code']) {
      expect(await world.rows(`select 1 from login.${table} where user_id = $1`, [userId])).toHaveLength(0)
    }
  },
)

test('an address is free again once its account is deleted', async () => {
  const { calls, email } = await newPerson()
  await calls('POST', '/api/account/delete-request')
  const code = await world.mail.waitForCode(email, 'deletion')
  expect(await confirmDeletion(calls, code)).toMatchObject({ status: 200 })
  const signUpAgain = () =>
    signUp(world, { userType: 'person', region: 'us', email }).then(
      (user) => user.userId,
      () => null,
    )
  await expect.poll(signUpAgain, { timeout: scaled(25_000) }).toEqual(expect.any(String))
})

test('no client reaches the deletion, and no call without a login [WHITELIST-21]', async () => {
  const client = await unrestrictedClient(world)
  for (const path of ['/api/account/delete-request', '/api/account/confirm-delete']) {
    expect(await world.anonymous('POST', path, { body: {} })).toMatchObject({ status: 401 })
    const response = await client('POST', path, { body: { code: '123456' } })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})
