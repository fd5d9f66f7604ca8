import {
  callSession,
  northwind,
  prepareSignUp,
  startTwoRegions,
  type Told,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'

const WRONG = Buffer.alloc(32, 7).toString('base64')
const PER_ACCOUNT = 5
const PER_SOURCE = 10
let sites: TwoRegions

// Buckets are shared by everything that comes from one address, so each test has its own.
beforeEach(async () => {
  sites = await startTwoRegions({ RATE_LOGIN_IP: String(PER_SOURCE), RATE_LOGIN_ACCOUNT: String(PER_ACCOUNT) })
})
afterEach(() => sites.close())

interface Series {
  readonly allowed: readonly Told[]
  readonly refused: Told
}

/** Calls until it is refused. A bucket refills while that goes on, so a slow machine is let through a little more often. */
async function untilRefused(quota: number, call: (number: number) => Promise<Told>): Promise<Series> {
  const startedAtMs = performance.now()
  const allowed: Told[] = []
  for (;;) {
    const told = await call(allowed.length)
    if (told.status === 429) {
      const refilled = ((performance.now() - startedAtMs) / 60_000) * quota
      expect(allowed.length).toBeGreaterThanOrEqual(quota)
      expect(allowed.length).toBeLessThanOrEqual(quota + Math.ceil(refilled))
      return { allowed, refused: told }
    }
    allowed.push(told)
  }
}

test('five tries a minute for one address that has an account, however it is spelled', async () => {
  const spellings = [northwind.email, ` ${northwind.email} `, northwind.email.toUpperCase()]
  const { allowed, refused } = await untilRefused(PER_ACCOUNT, (number) =>
    tryLogIn(sites, {
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

test('an address that nobody has is limited alike, and other addresses are not', async () => {
  const nobody = { email: 'nobody@people.example', authVerifier: WRONG }
  const { allowed } = await untilRefused(PER_ACCOUNT, () => tryLogIn(sites, nobody))
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await tryLogIn(sites, { ...nobody, email: 'another@people.example' })).status).toBe(401)
})

test('ten logins a minute from one source, whatever the addresses', async () => {
  const { allowed } = await untilRefused(PER_SOURCE, (number) =>
    tryLogIn(sites, { email: `nobody-${number}@people.example`, authVerifier: WRONG }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
  // Looking parameters up does not take from it.
  const { status } = await callSession(sites.frontDoor.url, 'GET', '/api/session/params?email=a@people.example')
  expect(status).toBe(200)
})

test('nobody is written to without end, and new codes bring no end of tries', async () => {
  const many = { RATE_LOGIN_IP: '6000', RATE_LOGIN_ACCOUNT: '600' }
  const { url } = await sites.anotherFrontDoor(many)
  const { body } = await prepareSignUp({ userType: 'person', region: 'eu' })
  const told = []
  for (let mails = 0; mails < 11; mails += 1)
    told.push(await callSession(url, 'POST', '/api/account/register', { body }))
  expect(told.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 202), 429])
  expect(Number(told.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(60)
  const { status } = await tryLogIn(sites, { email: body.email, authVerifier: WRONG }, { frontDoorUrl: url })
  expect(status).toBe(401)
})

test('codes of a registration cannot be guessed quickly either', async () => {
  const body = { email: 'guess@people.example', code: '123456' }
  const { allowed } = await untilRefused(PER_ACCOUNT, () =>
    callSession(sites.frontDoor.url, 'POST', '/api/account/register/confirm', { body }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([400]))
})
