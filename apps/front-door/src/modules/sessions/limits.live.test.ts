import { callSession, northwind, openWorld, prepareSignUp, tryLogIn } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const WRONG = Buffer.alloc(32, 7).toString('base64')
const PER_ACCOUNT = 5
const PER_SOURCE = 10

/** All calls come from one source address and share its bucket, so each test has an installation of its own. */
const openLimited = () =>
  openWorld({ settings: { RATE_LOGIN_IP: String(PER_SOURCE), RATE_LOGIN_ACCOUNT: String(PER_ACCOUNT) } })

type Reply = Awaited<ReturnType<typeof tryLogIn>>

interface Series {
  readonly allowed: readonly Reply[]
  readonly refused: Reply
}

/** Calls until a call is refused. The bucket refills meanwhile, so a slow machine gets a few more calls through. */
async function untilRefused(quota: number, call: (number: number) => Promise<Reply>): Promise<Series> {
  const startedAtMs = performance.now()
  const allowed: Reply[] = []
  for (;;) {
    const answer = await call(allowed.length)
    if (answer.status === 429) {
      const refilled = ((performance.now() - startedAtMs) / 60_000) * quota
      expect(allowed.length).toBeGreaterThanOrEqual(quota)
      expect(allowed.length).toBeLessThanOrEqual(quota + Math.ceil(refilled))
      return { allowed, refused: answer }
    }
    allowed.push(answer)
  }
}

test('an address with an account has five tries a minute, however it is spelled', async () => {
  const world = await openLimited()
  const spellings = [northwind.email, ` ${northwind.email} `, northwind.email.toUpperCase()]
  const { allowed, refused } = await untilRefused(PER_ACCOUNT, (number) =>
    tryLogIn(world, {
      email: spellings[number % 3] ?? '',
      authVerifier: number === 0 ? northwind.login.authVerifier : WRONG,
    }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200, 401]))
  expect(refused.body).toEqual({ error: expect.any(String), error_key: 'rate.limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(12)
  expect(refused.headers.get('ratelimit-policy')).toBe('"login";q=10;w=60')
})

test('an address without an account has the same limit, and other addresses are not affected', async () => {
  const world = await openLimited()
  const unknown = { email: 'unknown@people.example', authVerifier: WRONG }
  const { allowed } = await untilRefused(PER_ACCOUNT, () => tryLogIn(world, unknown))
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await tryLogIn(world, { ...unknown, email: 'another@people.example' })).status).toBe(401)
})

test('one source has ten logins a minute, whatever the addresses', async () => {
  const world = await openLimited()
  const { allowed } = await untilRefused(PER_SOURCE, (number) =>
    tryLogIn(world, { email: `unknown-${number}@people.example`, authVerifier: WRONG }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
  // Reading parameters takes nothing from that bucket.
  const { status } = await callSession(world.frontDoor.url, 'GET', '/api/session/params?email=a@people.example')
  expect(status).toBe(200)
})

test('an address gets at most ten registration mails an hour, which also bounds the tries of codes', async () => {
  const world = await openWorld()
  const { url } = world.frontDoor
  const { body } = await prepareSignUp({ userType: 'person', region: 'eu' })
  const answer = []
  for (let mails = 0; mails < 11; mails += 1)
    answer.push(await callSession(url, 'POST', '/api/account/register', { body }))
  expect(answer.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 202), 429])
  expect(Number(answer.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(60)
  const { status } = await tryLogIn(world, { email: body.email, authVerifier: WRONG })
  expect(status).toBe(401)
})

test('tries of registration codes are limited like logins', async () => {
  const world = await openLimited()
  const body = { email: 'guess@people.example', code: '123456' }
  const { allowed } = await untilRefused(PER_ACCOUNT, () =>
    callSession(world.frontDoor.url, 'POST', '/api/account/register/confirm', { body }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([400]))
})
