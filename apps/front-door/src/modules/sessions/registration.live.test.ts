import { logIn, openWorld, prepareSignUp, signUp, tryLogIn } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

interface Posted {
  readonly status: number
  readonly text: string
  readonly body: Record<string, unknown>
}

const CODE_LASTS_MS = 600_000
const world = await openWorld()
const { northwind } = await world.personas('northwind')

async function post(path: string, body: unknown): Promise<Posted> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${world.frontDoor.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, text, body: { ...JSON.parse(text) } }
}
const register = (body: unknown) => post('/api/account/register', body)
const confirm = (email: string, code: string) => post('/api/account/register/confirm', { email, code })
const otherCode = (code: string) => (code === '000000' ? '000001' : '000000')

/** Registers and returns the mailed code. */
async function begin(wanted: Parameters<typeof prepareSignUp>[0]) {
  const prepared = await prepareSignUp(wanted)
  expect((await register(prepared.body)).status).toBe(202)
  return { ...prepared, code: await world.mail.waitForCode(prepared.user.email, 'confirmation') }
}

describe('a registration', () => {
  test.each(['eu', 'us'] as const)('creates the account in the requested region: %s', async (region) => {
    const { user, code } = await begin({ userType: 'company', region, displayName: 'Nordlicht ÄÖ' })
    expect((await tryLogIn(world, user)).status).toBe(401)
    const answer = await confirm(user.email, code)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_type: 'company',
      share_code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{6}$/),
      region,
    })
    const { apiUrl, token } = await logIn(world, user)
    const account = await fetch(`${apiUrl}/api/account`, { headers: { authorization: `Bearer ${token}` } })
    expect(await account.json()).toMatchObject({
      id: answer.body['id'],
      user_type: 'company',
      email: user.email,
      level: 'free',
      display_name: 'Nordlicht ÄÖ',
      share_code: answer.body['share_code'],
      region,
      public_key: user.keys.publicKey,
    })
  })

  test('the right code answers the same account again until it expires', async () => {
    const { user, code } = await begin({ userType: 'person', region: 'eu' })
    const [first, again] = [await confirm(user.email, code), await confirm(` ${user.email.toUpperCase()}`, code)]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
  })

  test('one mailbox has one account, however its domain is spelled', async () => {
    const user = await signUp(world, { userType: 'person', region: 'eu', email: 'mailbox@people.example' })
    const { body } = await prepareSignUp({ userType: 'person', region: 'us', email: 'mailbox@people。example' })
    expect((await register(body)).status).toBe(202)
    expect(await world.mail.waitFor(user.email)).not.toMatch(/\d{6}/)
  })

  test('concurrent confirmations create one account', async () => {
    const { user, code } = await begin({ userType: 'person', region: 'us' })
    const answer = await Promise.all(Array.from({ length: 12 }, () => confirm(user.email, code)))
    expect(new Set(answer.map(({ text }) => text)).size).toBe(1)
    expect(answer[0]?.status).toBe(201)
  })

  test('a code is valid for ten minutes and five tries', async () => {
    const { user, code } = await begin({ userType: 'person', region: 'eu' })
    const [timely, late] = [
      await begin({ userType: 'person', region: 'eu' }),
      await begin({ userType: 'person', region: 'eu' }),
    ]
    for (let tries = 0; tries < 4; tries += 1) {
      const answer = await confirm(user.email, otherCode(code))
      expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
      expect(answer.body['details']).toEqual([{ path: '/code', message: expect.any(String) }])
    }
    const fifth = await confirm(user.email, otherCode(code))
    const sixth = await confirm(user.email, code)
    expect(sixth.text).toBe(fifth.text)
    world.clock.advance(CODE_LASTS_MS - 1)
    expect((await confirm(timely.user.email, timely.code)).status).toBe(201)
    world.clock.advance(1)
    expect((await confirm(late.user.email, late.code)).text).toBe(fifth.text)
  })

  test('after a second registration only the code of the newest mail is valid', async () => {
    const first = await begin({ userType: 'person', region: 'eu' })
    const second = await begin({ userType: 'person', region: 'eu', email: first.user.email })
    if (first.code !== second.code) expect((await confirm(first.user.email, first.code)).status).toBe(400)
    expect((await confirm(first.user.email, second.code)).status).toBe(201)
    expect((await tryLogIn(world, first.user)).status).toBe(401)
    expect((await tryLogIn(world, second.user)).status).toBe(200)
  })

  test('of two registrations of one address in two regions exactly one succeeds', async () => {
    const email = 'twice@people.example'
    const [eu, us] = [
      await begin({ userType: 'person', region: 'eu', email }),
      await begin({ userType: 'company', region: 'us', email }),
    ]
    const answer = await Promise.all([confirm(email, eu.code), confirm(email, us.code)])
    expect(answer.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400])
    const logins = await Promise.all([tryLogIn(world, eu.user), tryLogIn(world, us.user)])
    expect(logins.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
    expect(await world.mail.waitFor(email, 'already')).toContain('already')
  })

  test('an address with an account gets the same answer as a new one; its mail contains no code, and no code is accepted', async () => {
    const taken = await prepareSignUp({ userType: 'person', region: 'us', email: northwind.email.toUpperCase() })
    const fresh = await prepareSignUp({ userType: 'person', region: 'us' })
    const [one, other] = [await register(taken.body), await register(fresh.body)]
    expect(one).toEqual(other)
    const text = await world.mail.waitFor(northwind.email)
    expect(text).toContain('already')
    expect(text).not.toMatch(/\d{6}/)
    const refused = await confirm(northwind.email, '123456')
    expect(refused).toEqual(await confirm('unknown-address@people.example', '123456'))
    expect(refused.status).toBe(400)
    expect((await tryLogIn(world, northwind)).status).toBe(200)
  })

  test('an invalid body is refused with the path of the faulty member', async () => {
    const { body } = await prepareSignUp({ userType: 'company', region: 'eu' })
    const { recovery_public_key: _key, ...noKey } = body
    const { encrypted_recovery_key: _wrap, ...noWrap } = body
    const cases: readonly [unknown, string][] = [
      [{ ...body, user_type: 'robot' }, '/user_type'],
      [{ ...body, email: 'no-address' }, '/email'],
      [{ ...body, display_name: '   ' }, '/display_name'],
      [{ ...body, language: 'Deutsch!' }, '/language'],
      [{ ...body, region: 'mars' }, '/region'],
      [{ ...body, auth_verifier: 'short' }, '/auth_verifier'],
      [{ ...body, kdf: { ...body.kdf, memory_kib: 1024 } }, '/kdf/memory_kib'],
      [{ ...body, kdf: { ...body.kdf, passes: 1 } }, '/kdf/passes'],
      [{ ...body, kdf: { ...body.kdf, alg: 'scrypt' } }, '/kdf/alg'],
      [{ ...body, public_key: body.public_key.slice(4) }, '/public_key'],
      [{ ...body, encrypted_private_key: { iv: 'AAAA', data: 'AAAA' } }, '/encrypted_private_key'],
      [noKey, '/recovery_public_key'],
      [noWrap, '/encrypted_recovery_key'],
    ]
    for (const [sent, path] of cases) {
      const answer = await register(sent)
      expect([path, answer.status, answer.body['error_key']]).toEqual([path, 400, 'request.invalid'])
      expect(JSON.stringify(answer.body['details'])).toContain(path)
    }
    const wrongCode = await confirm('a@people.example', '12345')
    expect([wrongCode.status, wrongCode.body['error_key']]).toEqual([400, 'request.invalid'])
  })

  test('a person gets no recovery key pair, also when one was sent', async () => {
    const { body } = await prepareSignUp({ userType: 'company', region: 'eu' })
    expect((await register({ ...body, user_type: 'person' })).status).toBe(202)
    const code = await world.mail.waitForCode(body.email, 'confirmation')
    expect((await confirm(body.email, code)).body).toMatchObject({ user_type: 'person' })
  })

  test('no log line reveals the registered person', async () => {
    const user = await signUp(world, { userType: 'person', region: 'eu', displayName: 'Unmistakable Name' })
    const text = world.telemetry.text()
    expect(text.length).toBeGreaterThan(1000)
    for (const planted of [user.email, user.displayName, user.authVerifier, user.keys.publicKey]) {
      expect(text).not.toContain(planted)
    }
  })
})
