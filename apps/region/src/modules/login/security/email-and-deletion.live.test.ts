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
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidyLogins } from '../operations/tidy.ts'

let two: TwoRegions
let people = 0
beforeAll(async () => {
  two = await startWithoutLimits()
})
afterAll(() => two.close())

const newAddress = () => `moved-${(people += 1)}@people.example`
const beginChange = (owner: Owner, email: string) =>
  owner.call('PUT', '/api/account/email', { email, auth_verifier: owner.user.authVerifier })
const confirmChange = (owner: Owner, code: string) => owner.call('POST', '/api/account/email/confirm', { code })
const wrongCode = { status: 400, body: { error_key: 'request.invalid', details: [{ path: '/code' }] } }
const anotherCode = (code: string) => (code === '111111' ? '222222' : '111111')

test.each(['person', 'company'] as const)('a %s logs in with the new address, not with the old', async (userType) => {
  const owner = await newOwner(two, { userType, region: 'us' })
  const { user } = owner
  const email = newAddress()
  expect(await beginChange(owner, email)).toMatchObject({ status: 200, body: { status: 'mail_sent' } })
  expect((await tryLogIn(two, { ...user, email })).status).toBe(401)
  const code = await two.mail.waitForCode(email)
  expect(await confirmChange(owner, code)).toMatchObject({ status: 200, body: { email } })
  expect((await tryLogIn(two, { ...user, email })).status).toBe(200)
  expect((await tryLogIn(two, user)).status).toBe(401)
  await expect(two.mail.waitFor(user.email, 'has changed')).resolves.toContain(email)
  expect(await confirmChange(owner, code)).toMatchObject({ status: 200, body: { email } })
})

test('an address that another account has gets the same answer; only its mail differs', async () => {
  const [owner, holder] = [await newOwner(two), await newOwner(two, { region: 'us' })]
  const [taken, free] = [
    await beginChange(owner, holder.user.email.toUpperCase()),
    await beginChange(owner, newAddress()),
  ]
  expect(taken.text).toBe(free.text)
  expect(taken.status).toBe(free.status)
  await expect(two.mail.waitFor(holder.user.email, 'already has an account')).resolves.not.toMatch(/\d{6}/)
  expect((await tryLogIn(two, holder.user)).status).toBe(200)
})

test('the loser of a race for an address is answered like a wrong code', async () => {
  const [first, second] = [await newOwner(two), await newOwner(two, { region: 'us' })]
  const email = newAddress()
  await beginChange(first, email)
  const codeOfFirst = await two.mail.waitForCode(email)
  await beginChange(second, email)
  const codeOfSecond = await two.mail.waitForCode(email)
  expect(await confirmChange(second, codeOfSecond)).toMatchObject({ status: 200 })
  expect(await confirmChange(first, codeOfFirst)).toMatchObject(wrongCode)
  await two.mail.waitFor(email, 'already has an account')
  expect((await tryLogIn(two, first.user)).status).toBe(200)
})

test('a code is valid for its owner, for ten minutes and five tries', async () => {
  const [owner, other] = [await newOwner(two), await newOwner(two)]
  const email = newAddress()
  await beginChange(owner, email)
  const code = await two.mail.waitForCode(email)
  expect(await confirmChange(other, code)).toMatchObject(wrongCode)
  for (let tries = 0; tries < 5; tries += 1)
    expect(await confirmChange(owner, anotherCode(code))).toMatchObject(wrongCode)
  expect(await confirmChange(owner, code)).toMatchObject(wrongCode)
  await beginChange(owner, email)
  const late = await two.mail.waitForCode(email)
  two.clock.advance(10 * 60_000)
  expect(await confirmChange(owner, late)).toMatchObject(wrongCode)
  expect(await confirmChange(owner, 'abc')).toMatchObject({ status: 400 })
  expect(await beginChange({ ...owner, user: other.user }, email)).toMatchObject({ status: 401 })
})

test('a change that stopped after its code is completed by the periodic tidying', async () => {
  const owner = await newOwner(two)
  const email = newAddress()
  await beginChange(owner, email)
  await two.mail.waitForCode(email)
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update login.mailed_code set confirmed_at = to_timestamp($2 / 1000.0) where user_id = $1`, [
      owner.user.userId,
      two.clock.now(),
    ]),
  )
  two.clock.advance(60_000)
  await tidyLogins(two.eu.modules.login)
  expect((await tryLogIn(two, { ...owner.user, email })).status).toBe(200)
})

test.each(['person', 'company'] as const)(
  'a %s deletes the account: no login or token of it is accepted any more [AUTH-15]',
  async (userType) => {
    const owner = await newOwner(two, { userType })
    const { user } = owner
    const other = await ownerOf(two, user)
    expect(await owner.call('POST', '/api/account/delete-request')).toMatchObject({ status: 202 })
    const code = await two.mail.waitForCode(user.email, 'deletion')
    expect(await owner.call('POST', '/api/account/confirm-delete', { code: anotherCode(code) })).toMatchObject(
      wrongCode,
    )
    const response = await owner.call('POST', '/api/account/confirm-delete', { code })
    expect(response).toMatchObject({ status: 200, body: { status: 'deleted' } })
    for (const session of [owner, other])
      expect(await session.call('GET', '/api/account/2fa')).toMatchObject({ status: 401 })
    expect(await owner.call('POST', '/api/account/confirm-delete', { code })).toMatchObject({ status: 401 })
    expect((await tryLogIn(two, user)).status).toBe(401)
    await two.mail.waitFor(user.email, 'is deleted')
    for (const table of ['credential', 'second_factor', 'device', 'mailed_code']) {
      const rows = await two.eu.platform.database.read((read) =>
        runStatement(read, `select 1 from login.${table} where user_id = $1`, [user.userId]),
      )
      expect(rows).toHaveLength(0)
    }
  },
)

test('an address is free again once its account is deleted', async () => {
  const owner = await newOwner(two)
  await owner.call('POST', '/api/account/delete-request')
  const code = await two.mail.waitForCode(owner.user.email, 'deletion')
  await owner.call('POST', '/api/account/confirm-delete', { code })
  await expect
    .poll(
      async () => {
        const again = await newOwner(two, { email: owner.user.email, region: 'us' }).catch(() => null)
        return again?.user.userId ?? null
      },
      { timeout: 25_000 },
    )
    .not.toBeNull()
})

test('no client reaches the deletion, and no call without a login [WHITELIST-21]', async () => {
  await two.eu.platform.database.transaction((tx) =>
    runStatement(tx, `update access.client set patterns = '{*}' where company_id = $1`, [northwind.companyId]),
  )
  const fresh = await two.another('eu')
  const token = await two.token(northwind)
  for (const path of ['/api/account/delete-request', '/api/account/confirm-delete']) {
    expect(await call(fresh.url ?? '', 'POST', path, { body: {} })).toMatchObject({ status: 401 })
    const response = await call({ token, apiUrl: fresh.url ?? '' }, 'POST', path, { body: { code: '123456' } })
    expect(response).toMatchObject({ status: 403, body: { error_key: 'auth.client_endpoint_forbidden' } })
  }
})
