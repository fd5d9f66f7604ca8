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
const confirm = (email: string, code: string, token: string) =>
  post('/api/account/register/confirm', { email, code, registration_token: token })
const otherCode = (code: string) => (code === '000000' ? '000001' : '000000')

/** Registers; the answer has the token, the mail the code. */
async function begin(wanted: Parameters<typeof prepareSignUp>[0]) {
  const prepared = await prepareSignUp(wanted)
  const answer = await register(prepared.body)
  expect(answer.status).toBe(202)
  const token = String(answer.body['registration_token'])
  return { ...prepared, token, code: await world.mail.waitForCode(prepared.user.email, 'confirmation') }
}
type Begun = Awaited<ReturnType<typeof begin>>
const confirmOwn = ({ user, code, token }: Begun) => confirm(user.email, code, token)

describe('a registration', () => {
  test.each(['eu', 'us'] as const)('creates the account in the requested region: %s', async (region) => {
    const begun = await begin({ userType: 'company', region, displayName: 'Nordlicht ÄÖ' })
    const { user } = begun
    expect((await tryLogIn(world, user)).status).toBe(401)
    const answer = await confirmOwn(begun)
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
    const begun = await begin({ userType: 'person', region: 'eu' })
    const { user, code, token } = begun
    const [first, again] = [await confirmOwn(begun), await confirm(` ${user.email.toUpperCase()}`, code, token)]
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
    const begun = await begin({ userType: 'person', region: 'us' })
    const answer = await Promise.all(Array.from({ length: 12 }, () => confirmOwn(begun)))
    expect(new Set(answer.map(({ text }) => text)).size).toBe(1)
    expect(answer[0]?.status).toBe(201)
  })

  test('a code is valid for ten minutes and five tries', async () => {
    const begun = await begin({ userType: 'person', region: 'eu' })
    const { user, code, token } = begun
    const [timely, late] = [
      await begin({ userType: 'person', region: 'eu' }),
      await begin({ userType: 'person', region: 'eu' }),
    ]
    for (let tries = 0; tries < 4; tries += 1) {
      const answer = await confirm(user.email, otherCode(code), token)
      expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
      expect(answer.body['details']).toEqual([{ path: '/code', message: expect.any(String) }])
    }
    const fifth = await confirm(user.email, otherCode(code), token)
    const sixth = await confirmOwn(begun)
    expect(sixth.text).toBe(fifth.text)
    world.clock.advance(CODE_LASTS_MS - 1)
    expect((await confirmOwn(timely)).status).toBe(201)
    world.clock.advance(1)
    expect((await confirmOwn(late)).text).toBe(fifth.text)
  })

  test.each(['eu', 'us'] as const)(
    'a stranger who registers the same address in %s neither replaces the registration nor is confirmed by its code',
    async (region) => {
      const owner = await begin({ userType: 'person', region: 'eu' })
      const { email } = owner.user
      const stranger = await begin({ userType: 'person', region, email, password: 'chosen by the stranger' })
      // The codes are drawn apart from each other and may be equal.
      if (owner.code !== stranger.code) {
        expect((await confirm(email, stranger.code, owner.token)).status).toBe(400)
        expect((await confirm(email, owner.code, stranger.token)).status).toBe(400)
      }
      expect((await confirm(email, otherCode(stranger.code), stranger.token)).status).toBe(400)
      expect((await confirmOwn(owner)).status).toBe(201)
      expect((await tryLogIn(world, owner.user)).status).toBe(200)
      expect((await tryLogIn(world, stranger.user)).status).toBe(401)
      expect((await confirmOwn(stranger)).status).toBe(400)
    },
  )

  test('a token counts for its own address only', async () => {
    const [one, other] = [
      await begin({ userType: 'person', region: 'eu' }),
      await begin({ userType: 'person', region: 'eu' }),
    ]
    expect((await confirm(other.user.email, one.code, one.token)).status).toBe(400)
    expect((await confirm(one.user.email, one.code, 'unknown')).status).toBe(400)
    expect((await confirmOwn(one)).status).toBe(201)
  })

  test('of two registrations of one address in two regions exactly one succeeds', async () => {
    const email = 'twice@people.example'
    const [eu, us] = [
      await begin({ userType: 'person', region: 'eu', email }),
      await begin({ userType: 'company', region: 'us', email }),
    ]
    const answer = await Promise.all([confirmOwn(eu), confirmOwn(us)])
    expect(answer.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 400])
    const logins = await Promise.all([tryLogIn(world, eu.user), tryLogIn(world, us.user)])
    expect(logins.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
    expect(await world.mail.waitFor(email, 'already')).toContain('already')
  })

  test('an address with an account gets the same answer as a new one; its mail contains no code, and no code is accepted', async () => {
    const taken = await prepareSignUp({ userType: 'person', region: 'us', email: northwind.email.toUpperCase() })
    const fresh = await prepareSignUp({ userType: 'person', region: 'us' })
    const [one, other] = [await register(taken.body), await register(fresh.body)]
    for (const { status, body } of [one, other]) {
      expect([status, body]).toEqual([202, { registration_token: expect.stringMatching(/^[\w-]{43}$/) }])
    }
    const text = await world.mail.waitFor(northwind.email)
    expect(text).toContain('already')
    expect(text).not.toMatch(/\d{6}/)
    const refused = await confirm(northwind.email, '123456', String(one.body['registration_token']))
    const code = otherCode(await world.mail.waitForCode(fresh.user.email, 'confirmation'))
    expect(refused).toEqual(await confirm(fresh.user.email, code, String(other.body['registration_token'])))
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
    for (const [code, token] of [
      ['12345', 'unknown'],
      ['123456', ''],
    ] as const) {
      const refused = await confirm('a@people.example', code, token)
      expect([refused.status, refused.body['error_key']]).toEqual([400, 'request.invalid'])
    }
  })

  test('a person gets no recovery key pair, also when one was sent', async () => {
    const { body } = await prepareSignUp({ userType: 'company', region: 'eu' })
    const begun = await register({ ...body, user_type: 'person' })
    const code = await world.mail.waitForCode(body.email, 'confirmation')
    const token = String(begun.body['registration_token'])
    expect((await confirm(body.email, code, token)).body).toMatchObject({ user_type: 'person' })
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
