import {
  APP_ORIGIN,
  callSession,
  claimsOf,
  oneTimeCode,
  deriveVerifier,
  enableCodes,
  logIn,
  mergeCookies,
  openWorld,
  readAccount,
  refreshWith,
  tryLogIn,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

// Of its own, because the clock moves by a month.
const world = await openWorld({ own: true })
const person = await world.person({ region: 'eu' })
const company = await world.company({ region: 'us' })
const front = world.frontDoor.url

describe('a login', () => {
  test('answers a token for the home region and sets the session cookie, which scripts cannot read', async () => {
    for (const [user, home, app] of [
      [person, world.eu.url, 'person_app'],
      [company, world.us.url, 'portal_web'],
    ] as const) {
      const answer = await tryLogIn(world, user)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const token = String(answer.body['access_token'])
      expect(answer.body).toEqual({ token_type: 'Bearer', expires_in: 3600, access_token: token, api_url: home })
      expect(answer.setCookies).toHaveLength(2)
      expect(answer.setCookies[0]).toMatch(
        new RegExp(
          `^__Secure-session-${user.userType}=${user.region}\\.[\\w-]{43}; Max-Age=2592000; HttpOnly; Secure; ` +
            'SameSite=Strict; Path=/api/session$',
        ),
      )
      expect(answer.setCookies[1]).toMatch(
        new RegExp(
          `^__Secure-known-${user.userType}=[\\w-]{43}\\.[\\w-]{43}; Max-Age=34560000; HttpOnly; Secure; ` +
            'SameSite=Strict; Path=/api/session$',
        ),
      )
      const issuedAt = Math.floor(world.clock.now() / 1000)
      expect(claimsOf(token)).toEqual({
        iss: front,
        aud: 'platform-api',
        sub: user.userId,
        client_id: app,
        iat: issuedAt,
        exp: issuedAt + 3600,
        jti: expect.any(String),
        rgn: user.region,
        ut: user.userType,
        ep: 0,
        sid: expect.any(String),
      })
      expect(await readAccount(home ?? '', token)).toBe(200)
    }
  })

  test('works for the personas with the verifier derived from their password', async () => {
    for (const { email, login, region } of Object.values(await world.personas())) {
      const authVerifier = await deriveVerifier(world, email, login.password)
      expect(authVerifier).toBe(login.authVerifier)
      const { apiUrl } = await logIn(world, { email, authVerifier })
      expect(apiUrl).toBe(region === 'eu' ? world.eu.url : world.us.url)
    }
  })

  test('the spelling of the address does not matter, the verifier does', async () => {
    expect((await tryLogIn(world, { ...person, email: ` ${person.email.toUpperCase()}` })).status).toBe(200)
    for (const wrong of [company.authVerifier, `${'A'.repeat(43)}=`]) {
      const answer = await tryLogIn(world, { ...person, authVerifier: wrong })
      expect([answer.status, answer.body['error_key'], answer.setCookies]).toEqual([401, 'session.invalid', []])
    }
  })

  test('repeated, it opens two sessions that end independently', async () => {
    const [one, other] = [await logIn(world, person), await logIn(world, person)]
    expect(one.sid).not.toBe(other.sid)
    await callSession(front, 'DELETE', '/api/session?user_type=person', { cookies: one.cookies })
    expect(await readAccount(one.apiUrl, one.token)).toBe(401)
    expect(await readAccount(other.apiUrl, other.token)).toBe(200)
  })

  test.each([
    [{ auth_verifier: 'x' }, '/email'],
    [{ email: 'a@b.example', auth_verifier: 'short' }, '/auth_verifier'],
    [{ email: 7, auth_verifier: `${'A'.repeat(43)}=` }, '/email'],
    [{ email: 'a@b.example', auth_verifier: `${'A'.repeat(43)}=`, trust_device: 'yes' }, '/trust_device'],
  ])('an invalid body is refused with the path of the faulty member: %j', async (body, path) => {
    const answer = await callSession(front, 'POST', '/api/session', { body })
    expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
    expect(answer.body['details']).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
    )
  })
})

describe('the parameters of a password', () => {
  const params = (email: string) => callSession(front, 'GET', `/api/session/params?email=${encodeURIComponent(email)}`)

  test('are those of the registration; an address without an account gets stable pretended ones', async () => {
    expect((await params(person.email)).body).toEqual({ kdf: person.kdf })
    const [one, again, other] = [
      await params('a@no.example'),
      await params(' A@No.example'),
      await params('b@no.example'),
    ]
    const shape = { ...person.kdf, salt: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/) }
    expect(one.body).toEqual({ kdf: shape })
    expect(again.body).toEqual(one.body)
    expect(other.body).not.toEqual(one.body)
  })

  test('a request without an address is refused', async () => {
    for (const query of ['', '?email=', `?email=${'a'.repeat(400)}`]) {
      const answer = await callSession(front, 'GET', `/api/session/params${query}`)
      expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
    }
  })
})

describe('the browser', () => {
  const routes = [
    ['POST', '/api/session'],
    ['POST', '/api/session/refresh'],
    ['DELETE', '/api/session?user_type=person'],
  ] as const

  test.each(routes)('%s %s is for pages of the web apps only', async (method, path) => {
    const { cookies } = await logIn(world, person)
    const body = path === '/api/session' ? credentials() : { user_type: 'person' }
    for (const origin of [null, 'https://evil.example', `${APP_ORIGIN}.evil.example`, 'null']) {
      const call = { cookies, origin, ...(method === 'DELETE' ? {} : { body }) }
      const answer = await callSession(front, method, path, call)
      expect([answer.status, answer.body['error_key']]).toEqual([403, 'auth.client_endpoint_forbidden'])
      expect(answer.setCookies).toEqual([])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect((await refreshWith(front, cookies, 'person')).status).toBe(200)
  })

  test('may send cookies to the session routes only', async () => {
    const preflight = async (path: string) => {
      const headers = { origin: APP_ORIGIN, 'access-control-request-method': 'POST' }
      const answer = await fetch(`${front}${path}`, { method: 'OPTIONS', headers })
      return [answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-credentials')]
    }
    for (const path of ['/api/session', '/api/session/refresh']) {
      expect(await preflight(path)).toEqual([APP_ORIGIN, 'true'])
    }
    for (const path of ['/api/account/register', '/oauth2/token']) {
      expect(await preflight(path)).toEqual([APP_ORIGIN, null])
    }
  })

  function credentials() {
    return { email: person.email, auth_verifier: person.authVerifier }
  }
})

describe('an account with one-time codes', () => {
  const guard = async () => {
    const guarded = await world.person()
    return { guarded, secret: await enableCodes(guarded, guarded.authVerifier, world.clock.now()) }
  }
  /** Each code works once, so each test takes the next. */
  const nextCode = (secret: string): string => {
    world.clock.advance(30_000)
    return oneTimeCode(secret, world.clock.now())
  }

  test('asks for a code only after the right password', async () => {
    const { guarded, secret } = await guard()
    const asked = await tryLogIn(world, guarded)
    expect([asked.status, asked.body['error_key'], asked.setCookies]).toEqual([401, 'session.otp_required', []])
    const wrong = { ...guarded, authVerifier: person.authVerifier }
    const answers = [
      await tryLogIn(world, wrong),
      await tryLogIn(world, wrong, { otp: nextCode(secret) }),
      await tryLogIn(world, guarded, { otp: '000000' }),
    ]
    for (const { status, body } of answers) expect([status, body['error_key']]).toEqual([401, 'session.invalid'])
    expect((await tryLogIn(world, guarded, { otp: nextCode(secret) })).status).toBe(200)
  })

  test('needs no code in a trusted browser, for 30 days and for this account only', async () => {
    const { guarded, secret } = await guard()
    const answer = await tryLogIn(world, guarded, { otp: nextCode(secret), trustDevice: true })
    expect(answer.setCookies).toHaveLength(3)
    expect(answer.setCookies[1]).toMatch(
      /^__Secure-device-person=us\.[\w-]{43}; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict; Path=\/api\/session$/,
    )
    const cookies = mergeCookies([], answer.setCookies.slice(1, 2))
    const again = await tryLogIn(world, guarded, { cookies, trustDevice: true })
    // The browser is trusted already: its 30 days are not extended.
    expect([again.status, again.setCookies.length]).toEqual([200, 2])
    const { guarded: other, secret: otherSecret } = await guard()
    expect(otherSecret).not.toBe(secret)
    expect((await tryLogIn(world, other, { cookies })).body['error_key']).toBe('session.otp_required')
    const before = world.clock.now()
    world.clock.advance(30 * 86_400_000 - 1000)
    expect((await tryLogIn(world, guarded, { cookies })).status).toBe(200)
    world.clock.advance(1000)
    expect((await tryLogIn(world, guarded, { cookies })).body['error_key']).toBe('session.otp_required')
    world.clock.set(before)
  })
})

test('no log line contains a verifier, a token or a cookie', async () => {
  const { token, cookies } = await logIn(world, person)
  const text = world.telemetry.text()
  expect(text.length).toBeGreaterThan(1000)
  for (const planted of [token, person.authVerifier, ...cookies.map((pair) => pair.split('=')[1] ?? '')]) {
    expect(planted.length).toBeGreaterThan(20)
    expect(text).not.toContain(planted)
  }
})
