import { Secret, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  oneTimeCode,
  enableCodes,
  logIn,
  logOutWith,
  newOwner,
  type Owner,
  prepareSignUp,
  readAccount,
  refreshWith,
  startWithoutLimits,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LoginContext } from './context.ts'
import { makeCredential, setCredential } from './operations/credentials.ts'
import { openSession } from './operations/open-session.ts'
import { confirmRegistration } from './operations/registration.ts'
import { tidyLogins } from './operations/tidy.ts'
import { checkSecondFactor } from './security/index.ts'
import { beginEmailChange, confirmEmailChange } from './security/operations/email.ts'

let two: TwoRegions
let context: LoginContext
let addresses = 0

beforeAll(async () => {
  two = await startWithoutLimits()
  context = two.eu.modules.login
})
afterAll(() => two.close())

const newAddress = () => `raced-${(addresses += 1)}@people.example`
const stopped = new Error('the process stopped here')

async function post(path: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${two.frontDoor.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.text()
  return answer.status
}

/** Runs `step` right after the directory has assigned the new address. */
function onceMoved(step: () => Promise<void>): LoginContext {
  const setEmail: LoginContext['directory']['setEmail'] = async (...given) => {
    const hash = await context.directory.setEmail(...given)
    await step()
    return hash
  }
  return { ...context, directory: { ...context.directory, setEmail } }
}

const begin = ({ user }: Owner, email: string) =>
  beginEmailChange(context, user.userId, email, new Secret(user.authVerifier))
const addressOf = async (owner: Owner) => (await owner.call('GET', '/api/account')).body['email']

test('a second change of address that begins while the first is being completed is in force when it answers', async () => {
  const owner = await newOwner(two)
  const [first, second] = [newAddress(), newAddress()]
  await begin(owner, first)
  const code = await two.mail.waitForCode(first)
  await confirmEmailChange(
    onceMoved(() => begin(owner, second)),
    owner.user.userId,
    code,
  )
  expect((await tryLogIn(two, { ...owner.user, email: first })).status).toBe(200)
  const next = await two.mail.waitForCode(second)
  const response = await owner.call('POST', '/api/account/email/confirm', { code: next })
  expect(response).toMatchObject({ status: 200, body: { email: second } })
  expect((await tryLogIn(two, { ...owner.user, email: second })).status).toBe(200)
  expect(await addressOf(owner)).toBe(second)
})

test('a change of address that stopped halfway is completed before another one begins', async () => {
  const owner = await newOwner(two)
  const [first, second] = [newAddress(), newAddress()]
  await begin(owner, first)
  const code = await two.mail.waitForCode(first)
  const stopping = onceMoved(() => Promise.reject(stopped))
  await expect(confirmEmailChange(stopping, owner.user.userId, code)).rejects.toThrow(stopped)
  await begin(owner, second)
  two.clock.advance(60_000)
  await tidyLogins(context)
  expect((await tryLogIn(two, { ...owner.user, email: first })).status).toBe(200)
  expect(await addressOf(owner)).toBe(first)
})

test('a login that began before the second factor was enabled makes no browser trusted', async () => {
  const owner = await newOwner(two)
  const { user } = owner
  const login = {
    userId: user.userId,
    verifier: new Secret(user.authVerifier),
    otp: null,
    deviceTokens: [],
    trustDevice: true,
    deviceName: 'a browser',
  }
  const enabling = {
    ...context,
    async checkSecondFactor(userId: UserId, otp: string | null) {
      const verdict = await checkSecondFactor(context, userId, otp)
      await enableCodes(owner, user.authVerifier, two.clock.now())
      return verdict
    },
  }
  const opened = await openSession(enabling, login).catch((error: unknown) => error)
  const device = Reflect.get(Object(opened), 'deviceToken')
  const cookies = device instanceof Secret ? [`__Secure-device-person=${String(device.reveal())}`] : []
  const response = await tryLogIn(two, user, { cookies })
  expect([response.status, response.body['error_key']]).toEqual([401, 'session.otp_required'])
  expect(opened).toMatchObject({ key: 'session.otp_required' })
})

test('a browser that was trusted with a code stays trusted', async () => {
  const owner = await newOwner(two)
  const secret = await enableCodes(owner, owner.user.authVerifier, two.clock.now())
  two.clock.advance(30_000)
  const otp = oneTimeCode(secret, two.clock.now())
  const { cookies } = await logIn(two, owner.user, { otp, trustDevice: true })
  expect((await tryLogIn(two, owner.user, { cookies })).status).toBe(200)
})

test('a late confirmation does not restore a password that was changed meanwhile', async () => {
  const { user, body } = await prepareSignUp({ userType: 'person', region: 'eu' })
  expect(await post('/api/account/register', body)).toBe(202)
  const code = await two.mail.waitForCode(user.email, 'confirmation')
  const chosen = Buffer.alloc(32, 9).toString('base64')
  const { emailHash, userId } = await pendingOf(user.email)
  const late: LoginContext = {
    ...context,
    directory: {
      ...context.directory,
      async putAccount(account) {
        const listing = await context.directory.putAccount(account)
        expect(await post('/api/account/register/confirm', { email: user.email, code })).toBe(201)
        const credential = await makeCredential(context, userId, new Secret(chosen))
        await context.database.transaction((tx) => setCredential(context, tx, credential))
        return listing
      },
    },
  }
  expect(await confirmRegistration(late, emailHash, code)).toMatchObject({ userId })
  expect((await tryLogIn(two, { email: user.email, authVerifier: chosen })).status).toBe(200)
  expect((await tryLogIn(two, user)).status).toBe(401)
})

async function pendingOf(email: string): Promise<{ readonly emailHash: string; readonly userId: UserId }> {
  const sql = 'select email_hash as "emailHash", user_id as "userId" from login.registration where email = $1'
  const [row] = await context.database.read((read) =>
    runStatement<{ emailHash: string; userId: UserId }>(read, sql, [email]),
  )
  if (row === undefined) throw new Error(`no registration of ${email}`)
  return row
}

async function codeOfDeletion(owner: Owner): Promise<string> {
  expect(await owner.call('POST', '/api/account/delete-request')).toMatchObject({ status: 202 })
  return two.mail.waitForCode(owner.user.email, 'deletion')
}

test('a user who signed up and deleted the account can sign up again at once, in the same region', async () => {
  const owner = await newOwner(two)
  const { email, userId } = owner.user
  await owner.call('POST', '/api/account/confirm-delete', { code: await codeOfDeletion(owner) })
  const rows = await context.database.read((read) =>
    runStatement(read, 'select 1 from login.registration where user_id = $1', [userId]),
  )
  expect(rows).toEqual([])
  const isFree = async () => {
    const sql = 'select 1 from directory.account where user_id = $1 and deleted_at is not null'
    return (await two.frontDoor.platform.database.read((read) => runStatement(read, sql, [userId]))).length
  }
  await expect.poll(isFree, { timeout: 20_000 }).toBe(1)
  expect((await newOwner(two, { email })).user.userId).not.toBe(userId)
})

test('ended sessions are deleted in one run, however many there are', async () => {
  await context.database.transaction((tx) =>
    runStatement(
      tx,
      `insert into login.registration (email_hash, user_id, user_type, is_taken, email, details, salt, key_id, sealed,
        code_key_id, code_hash, expires_at)
      select 'piled-' || n, gen_random_uuid(), 'person', false, 'x', '{}', '', 'k', '', 'k', '',
        to_timestamp($1 / 1000.0) - interval '1 minute' from generate_series(1, 1234) n`,
      [two.clock.now()],
    ),
  )
  await tidyLogins(context)
  const left = await context.database.read((read) =>
    runStatement(read, `select 1 from login.registration where email_hash like 'piled-%'`, []),
  )
  expect(left).toHaveLength(0)
})

test('the list of devices shows the newest browser, however many were trusted before', async () => {
  const owner = await newOwner(two)
  const { userId } = owner.user
  await context.database.transaction((tx) =>
    runStatement(
      tx,
      `insert into login.device (user_id, id, kind, name, token_hash, created_at, seen_at, expires_at)
      select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'browser', 'old', sha256(n::text::bytea),
        to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0) + interval '1 day'
      from generate_series(1, 120) n`,
      [userId, two.clock.now()],
    ),
  )
  two.clock.advance(1000)
  const { sid } = await logIn(two, owner.user, { trustDevice: true })
  const [family] = await context.database.read((read) =>
    runStatement<{ id: string }>(read, 'select device_id as id from login.session_family where id = $1', [sid]),
  )
  const response = await owner.call('GET', '/api/account/trusted-devices?limit=100')
  expect(JSON.stringify(response.body['items'])).toContain(family?.id)
  expect(response.body['total']).toBeLessThanOrEqual(50)
})

async function letIn(company: Owner, delegate: Owner): Promise<void> {
  const body = { share_code: delegate.user.shareCode, role: 'admin', services: [] }
  expect(await company.call('POST', '/api/delegates', body)).toMatchObject({ status: 201 })
}

test('a delegate of a company in the same region is logged out there, too', async () => {
  const [company, delegate] = [await newOwner(two, { userType: 'company' }), await newOwner(two)]
  await letIn(company, delegate)
  const front = two.frontDoor.url
  const acting = await refreshWith(front, delegate.cookies, 'person', { acting_for: company.user.userId })
  expect(await readAccount(delegate.apiUrl, acting.token)).toBe(200)
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  expect(await readAccount(delegate.apiUrl, acting.token)).toBe(401)
})

test('a stolen cookie ends the session also when its owner acts for a company', async () => {
  const [company, delegate] = [await newOwner(two, { userType: 'company', region: 'us' }), await newOwner(two)]
  await letIn(company, delegate)
  const front = two.frontDoor.url
  const thief = await refreshWith(front, delegate.cookies, 'person')
  two.clock.advance(11_000)
  const owner = await refreshWith(front, delegate.cookies, 'person', { acting_for: company.user.userId })
  expect([owner.status, owner.body['error_key']]).toEqual([401, 'session.expired'])
  expect(await readAccount(delegate.apiUrl, thief.token)).toBe(401)
  expect((await refreshWith(front, thief.cookies, 'person')).status).toBe(401)
})

// Last in this file: it closes a region.
test('a deletion fails while a company in another region still accepts a token of the user', async () => {
  const [company, delegate] = [await newOwner(two, { userType: 'company', region: 'us' }), await newOwner(two)]
  await letIn(company, delegate)
  const acting = await refreshWith(two.frontDoor.url, delegate.cookies, 'person', { acting_for: company.user.userId })
  expect(await readAccount(company.apiUrl, acting.token)).toBe(200)
  const code = await codeOfDeletion(delegate)
  await two.us.close()
  const refused = await delegate.call('POST', '/api/account/confirm-delete', { code })
  expect(refused).toMatchObject({ status: 503, body: { error_key: 'region.unreachable' } })
  const back = await two.another('us')
  expect(await delegate.call('POST', '/api/account/confirm-delete', { code })).toMatchObject({ status: 200 })
  expect(await readAccount(back.url ?? '', acting.token)).toBe(401)
})
