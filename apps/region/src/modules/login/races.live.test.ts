import { Secret, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  type Account,
  actFor,
  addDelegate,
  callsWith,
  enableCodes,
  logIn,
  logOutWith,
  oneTimeCode,
  openWorld,
  readAccount,
  refreshWith,
  scaled,
  signUp,
  tryLogIn,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { makeCredential, setCredential } from './operations/credentials.ts'
import { openSession } from './operations/open-session.ts'
import { checkSecondFactor } from './security/index.ts'

const world = await openWorld()
const context = world.eu.modules.login
const front = world.frontDoor.url

/** A login without a code, as the front door asks the region for it. */
function loginOf({ userId, authVerifier }: Account, trustDevice: boolean) {
  const verifier = new Secret(authVerifier)
  const browser = { userAgent: 'a browser', address: null, deviceTokens: [], signingDeviceId: null }
  return { userId, verifier, otp: null, trustDevice, ...browser }
}

test('a login whose password changed after its check opens no session', async () => {
  const owner = await world.person({ region: 'eu' })
  const fresh = await makeCredential(context, owner.userId, new Secret('another verifier'))
  const changing = {
    ...context,
    async checkSecondFactor() {
      await context.database.transaction((tx) => setCredential(context, tx, fresh))
      return 'passed' as const
    },
  }
  await expect(openSession(changing, loginOf(owner, false))).rejects.toMatchObject({ key: 'session.invalid' })
})

test('a login that began before the second factor was enabled makes no browser trusted', async () => {
  const owner = await world.person({ region: 'eu' })
  const enabling = {
    ...context,
    async checkSecondFactor(userId: UserId, otp: string | null) {
      const verdict = await checkSecondFactor(context, userId, otp)
      await enableCodes(owner, owner.authVerifier, world.clock.now())
      return verdict
    },
  }
  const opened = await openSession(enabling, loginOf(owner, true)).catch((error: unknown) => error)
  const device = Reflect.get(Object(opened), 'deviceToken')
  const cookies = device instanceof Secret ? [`__Secure-device-person=${String(device.reveal())}`] : []
  const response = await tryLogIn(world, owner, { cookies })
  expect([response.status, response.body['error_key']]).toEqual([401, 'session.otp_required'])
  expect(opened).toMatchObject({ key: 'session.otp_required' })
})

test('a browser that was trusted with a code stays trusted', async () => {
  const owner = await world.person({ region: 'eu' })
  const secret = await enableCodes(owner, owner.authVerifier, world.clock.now())
  world.clock.advance(30_000)
  const otp = oneTimeCode(secret, world.clock.now())
  const { cookies } = await logIn(world, owner, { otp, trustDevice: true })
  expect((await tryLogIn(world, owner, { cookies })).status).toBe(200)
})

test('a user who signed up and deleted the account can sign up again at once, in the same region', async () => {
  const person = { userType: 'person', region: 'eu' } as const
  const user = await signUp(world, person)
  const { userId, email } = user
  const { apiUrl, token } = await logIn(world, user)
  const calls = callsWith(apiUrl, token)
  expect(await calls('POST', '/api/account/delete-request')).toMatchObject({ status: 202 })
  const code = await world.mail.waitForCode(email, 'deletion')
  expect(await calls('POST', '/api/account/confirm-delete', { body: { code } })).toMatchObject({ status: 200 })
  expect(await world.rows('select 1 from login.registration where user_id = $1', [userId])).toEqual([])
  const gone = 'select 1 from directory.account where user_id = $1 and deleted_at is not null'
  await expect.poll(() => world.rows(gone, [userId], 'directory'), { timeout: scaled(20_000) }).toHaveLength(1)
  expect((await signUp(world, { ...person, email })).userId).not.toBe(userId)
})

test('the list of devices shows the newest browser, however many were trusted before', async () => {
  const owner = await world.person({ region: 'eu' })
  await context.database.transaction((tx) =>
    runStatement(
      tx,
      `insert into login.device (user_id, id, kind, name, token_hash, created_at, seen_at, expires_at)
      select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'browser', 'old', sha256(n::text::bytea),
        to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0) + interval '1 day'
      from generate_series(1, 120) n`,
      [owner.userId, world.clock.now()],
    ),
  )
  world.clock.advance(1000)
  const { sid } = await logIn(world, owner, { trustDevice: true })
  const sql = 'select device_id as id from login.session_family where id = $1'
  const [family] = await world.rows<{ id: string }>(sql, [sid])
  const response = await owner.calls('GET', '/api/account/trusted-devices?limit=100')
  expect(JSON.stringify(response.body['items'])).toContain(family?.id)
  expect(response.body['total']).toBeLessThanOrEqual(50)
})

test('a delegate of a company in the same region is logged out there, too', async () => {
  const [company, delegate] = [await world.company(), await world.person({ region: 'eu' })]
  await addDelegate(company, delegate)
  const acting = await actFor(world, company, delegate.cookies)
  expect(await readAccount(delegate.apiUrl, acting.token)).toBe(200)
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  expect(await readAccount(delegate.apiUrl, acting.token)).toBe(401)
})

test('a stolen cookie ends the session also when its owner acts for a company', async () => {
  const [company, delegate] = [await world.company({ region: 'us' }), await world.person({ region: 'eu' })]
  await addDelegate(company, delegate)
  const thief = await refreshWith(front, delegate.cookies, 'person')
  world.clock.advance(11_000)
  const owner = await actFor(world, company, delegate.cookies)
  expect([owner.status, owner.body['error_key']]).toEqual([401, 'session.expired'])
  expect(await readAccount(delegate.apiUrl, thief.token)).toBe(401)
  expect((await refreshWith(front, thief.cookies, 'person')).status).toBe(401)
})
