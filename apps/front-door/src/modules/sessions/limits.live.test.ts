import {
  callSession,
  type Credentials,
  enableCodes,
  type LogIn,
  mergeCookies,
  northwind,
  openWorld,
  prepareSignUp,
  scaled,
  tryLogIn,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const WRONG = Buffer.alloc(32, 7).toString('base64')
const PER_ACCOUNT = 5
const PER_SOURCE = 10

/** All calls come from one source address and share its bucket, so each test has an installation of its own. */
const openLimited = () =>
  openWorld({ settings: { RATE_LOGIN_IP: String(PER_SOURCE), RATE_LOGIN_ACCOUNT: String(PER_ACCOUNT) } })

let sources = 0

/** Another source address with each call. */
function newSource(): string {
  sources += 1
  return `10.${process.pid % 250}.${Math.floor(sources / 250)}.${sources % 250}`
}

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

test('an address with an account has five failed tries a minute, however it is spelled', async () => {
  const world = await openLimited()
  const spellings = [northwind.email, ` ${northwind.email} `, northwind.email.toUpperCase()]
  const { allowed, refused } = await untilRefused(PER_ACCOUNT, (number) =>
    tryLogIn(world, { email: spellings[number % 3] ?? '', authVerifier: WRONG }),
  )
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
  expect(refused.body).toEqual({ error: expect.any(String), error_key: 'rate.limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(12)
  expect(refused.headers.get('ratelimit-policy')).toBe('"login";q=10;w=60')
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

describe('failed logins', () => {
  /** A front door behind a proxy. A call without a source of its own comes from a new one. */
  const openProxied = async () => {
    const world = await openWorld()
    const { url } = await world.anotherFrontDoor({
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LOGIN_IP: String(PER_SOURCE),
      RATE_LOGIN_ACCOUNT: String(PER_ACCOUNT),
    })
    const enter = (user: Credentials, options: LogIn = {}) =>
      tryLogIn(world, user, { from: newSource(), ...options, frontDoorUrl: url })
    /** The answer once strangers have used up their limit; again when a token came back between the two calls. */
    const enterExhausted = async (user: Credentials, options: LogIn = {}) => {
      for (let rounds = 1; ; rounds += 1) {
        while ((await enter(wrong(user))).status !== 429);
        const answer = await enter(user, options)
        if (answer.status === 429 || rounds === 3) return answer
      }
    }
    return { world, url, enter, enterExhausted }
  }
  const wrong = ({ email }: Pick<Credentials, 'email'>) => ({ email, authVerifier: WRONG })

  test('only these are counted: any number of right passwords is accepted', async () => {
    const { world, enter } = await openProxied()
    const person = await world.person()
    for (let logins = 0; logins < 3 * PER_ACCOUNT; logins += 1) expect((await enter(person)).status).toBe(200)
  })

  test('those of strangers never lock out a device or a source address that has logged in before', async () => {
    const { world, enter, enterExhausted } = await openProxied()
    const person = await world.person()
    const home = newSource()
    const known = mergeCookies([], (await enter(person, { from: home })).setCookies)
    expect((await enterExhausted(person)).status).toBe(429)
    expect((await enter(person, { cookies: known })).status).toBe(200)
    expect((await enter(person, { from: home })).status).toBe(200)
  })

  test('a known device, a known source address and strangers have five each', async () => {
    const { world, enter } = await openProxied()
    const person = await world.person()
    const home = newSource()
    const cookies = mergeCookies([], (await enter(person, { from: home })).setCookies)
    for (const options of [{ cookies }, { from: home }, {}]) {
      const { allowed } = await untilRefused(PER_ACCOUNT, () => enter(wrong(person), options))
      expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([401]))
    }
  })

  test('a device of another account, or a forged one, is a stranger', async () => {
    const { world, enter, enterExhausted } = await openProxied()
    const [person, other] = [await world.person(), await world.person()]
    const ofOther = mergeCookies([], (await enter(other)).setCookies)
    for (const cookies of [ofOther, ['__Secure-known-person=x.y']]) {
      expect((await enterExhausted(person, { cookies })).status).toBe(429)
    }
  })

  test('concurrent ones do not pass the limit together', async () => {
    const { world, enter } = await openProxied()
    const person = await world.person()
    const startedAtMs = performance.now()
    const answers = await Promise.all(Array.from({ length: 30 }, () => enter(wrong(person))))
    const refilled = Math.ceil(((performance.now() - startedAtMs) / 60_000) * PER_ACCOUNT)
    const failed = answers.filter(({ status }) => status === 401).length
    expect(failed).toBeGreaterThanOrEqual(PER_ACCOUNT)
    expect(failed).toBeLessThanOrEqual(PER_ACCOUNT + refilled)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - failed)
  })

  test('an address without an account has the same limits, whatever devices and sources try it', async () => {
    const { world, enter, enterExhausted } = await openProxied()
    const other = await world.person()
    const from = newSource()
    const cookies = mergeCookies([], (await enter(other, { from })).setCookies)
    const tries = async (email: string) => {
      const { allowed, refused } = await untilRefused(PER_ACCOUNT, () => enter(wrong({ email })))
      const user = wrong({ email })
      const later = [await enterExhausted(user, { from }), await enterExhausted(user, { cookies })]
      return [...allowed.slice(0, PER_ACCOUNT), refused, ...later].map(({ status, body }) => [status, body])
    }
    expect(await tries('never-registered@people.example')).toEqual(await tries((await world.person()).email))
  })

  test('a missing one-time code after the right password is none', async () => {
    const { world, enter } = await openProxied()
    const person = await world.person()
    await enableCodes(person, person.authVerifier, world.clock.now())
    const keys = []
    for (let logins = 0; logins < 2 * PER_ACCOUNT; logins += 1) keys.push((await enter(person)).body['error_key'])
    expect(new Set(keys)).toEqual(new Set(['session.otp_required']))
  })

  test('registrations of an address take nothing from the logins of its owner', async () => {
    const { world, url, enter } = await openProxied()
    const person = await world.person()
    const { body } = await prepareSignUp({ userType: 'person', region: 'eu', email: person.email })
    for (let tries = 0; tries < 10; tries += 1) {
      const call = { body, from: newSource() }
      const { status, body: answer } = await callSession(url, 'POST', '/api/account/register', call)
      expect(status).toBe(202)
      const confirmation = { email: person.email, code: '000000', ...answer }
      const confirmed = { body: confirmation, from: newSource() }
      expect((await callSession(url, 'POST', '/api/account/register/confirm', confirmed)).status).toBe(400)
    }
    expect((await enter(person)).status).toBe(200)
  })

  test('the known sources of an account are stored as hashes, and deleted with it', async () => {
    const { world, enter } = await openProxied()
    const person = await world.person()
    const from = newSource()
    await enter(person, { from })
    const sql = 'select source from directory.known_source where user_id = $1'
    const rows = await world.rows<{ source: string }>(sql, [person.userId], 'directory')
    expect(rows.map(({ source }) => source)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
    await person.erase()
    await expect.poll(() => world.rows(sql, [person.userId], 'directory'), { timeout: scaled(20_000) }).toHaveLength(0)
  })
})

describe('registrations of one address', () => {
  /** A front door behind a proxy, which reports where each call comes from. */
  const openProxied = async () => {
    const world = await openWorld()
    const { url } = await world.anotherFrontDoor({ TRUSTED_PROXIES: '127.0.0.1' })
    const { user, body } = await prepareSignUp({ userType: 'person', region: 'eu' })
    const register = (from: string) => callSession(url, 'POST', '/api/account/register', { body, from })
    const confirm = (code: string, answer: Reply) => {
      const sent = { email: user.email, code, registration_token: answer.body['registration_token'] }
      return callSession(url, 'POST', '/api/account/register/confirm', { body: sent, from: '198.51.100.1' })
    }
    return { world, user, register, confirm }
  }

  test('one source gets five mails an hour for it, and other sources are not affected', async () => {
    const { register } = await openProxied()
    const answers = []
    for (let mails = 0; mails < 6; mails += 1) answers.push(await register('203.0.113.7'))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await register('198.51.100.1')).status).toBe(202)
  })

  test('all sources together get twenty mails an hour, which also bounds the tries of codes', async () => {
    const { register } = await openProxied()
    const statuses = []
    for (let mails = 0; mails < 21; mails += 1) statuses.push((await register(`203.0.113.${mails}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429])
  })

  test('five can be pending, and a stranger who fills the places does not displace the one of the owner', async () => {
    const { world, user, register, confirm } = await openProxied()
    const owner = await register('198.51.100.1')
    const code = await world.mail.waitForCode(user.email, 'confirmation')
    for (let mails = 0; mails < 5; mails += 1) expect((await register('203.0.113.7')).status).toBe(202)
    const hash = 'select email_hash as hash from login.registration where email = $1 limit 1'
    const [{ hash: emailHash } = { hash: '' }] = await world.rows<{ hash: string }>(hash, [user.email])
    const pending = 'select 1 from sessions.registration where email_hash = $1'
    expect(await world.rows(pending, [emailHash], 'directory')).toHaveLength(5)
    expect((await confirm(code, owner)).status).toBe(201)
  })

  test('a displaced one cannot be confirmed; the newest can', async () => {
    const { world, user, register, confirm } = await openProxied()
    const [first, firstCode] = [await register('203.0.113.7'), await world.mail.waitForCode(user.email)]
    for (let mails = 0; mails < 4; mails += 1) {
      world.clock.advance(1)
      await register('203.0.113.7')
      await world.mail.waitForCode(user.email)
    }
    const [newest, newestCode] = [await register('198.51.100.1'), await world.mail.waitForCode(user.email)]
    expect((await confirm(firstCode, first)).status).toBe(400)
    expect((await confirm(newestCode, newest)).status).toBe(201)
  })

  test('wrong codes of strangers do not use up the tries of the owner', async () => {
    const { world, user, register, confirm } = await openProxied()
    const owner = await register('198.51.100.1')
    const code = await world.mail.waitForCode(user.email, 'confirmation')
    const stranger = await register('203.0.113.7')
    for (let tries = 0; tries < 12; tries += 1) expect((await confirm('000000', stranger)).status).toBe(400)
    expect((await confirm(code, owner)).status).toBe(201)
  })
})
