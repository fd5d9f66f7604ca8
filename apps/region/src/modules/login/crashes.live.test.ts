import { type Keyring, parseKeyring, Secret, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  logIn,
  northwind,
  prepareSignUp,
  readAccount,
  refreshWith,
  signUp,
  startTwoRegions,
  tryLogIn,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LoginContext } from './context.ts'
import { makeCredential, setCredential, verifyCredential } from './operations/credentials.ts'
import { openSession } from './operations/open-session.ts'
import { confirmRegistration } from './operations/registration.ts'
import { tidyLogins } from './operations/tidy.ts'

let sites: TwoRegions
let context: LoginContext

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  context = sites.eu.modules.login
})
afterAll(() => sites.close())

async function post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${sites.frontDoor.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, text: await answer.text() }
}

async function begin() {
  const { user, body } = await prepareSignUp({ userType: 'person', region: 'eu' })
  expect((await post('/api/account/register', body)).status).toBe(202)
  const code = await sites.mail.waitForCode(user.email, 'confirmation')
  const hash = await context.database.read(async (read) => {
    const sql = 'select email_hash from login.registration where email = $1'
    return (await runStatement<{ email_hash: string }>(read, sql, [user.email]))[0]?.email_hash ?? ''
  })
  return { user, code, hash }
}

const stopped = new Error('the process stopped here')

/** Stops at one of the steps between the right code and the account. */
const stops: readonly (readonly [string, () => LoginContext])[] = [
  ['before the directory had it', () => stoppingDirectory(() => Promise.reject(stopped))],
  [
    'after the directory had it',
    () =>
      stoppingDirectory(async (account) => {
        await context.directory.putAccount(account)
        throw stopped
      }),
  ],
]

function stoppingDirectory(putAccount: LoginContext['directory']['putAccount']): LoginContext {
  return { ...context, directory: { ...context.directory, putAccount } }
}

test.each(stops)('a confirmation that stopped %s succeeds when it is repeated', async (_when, stopping) => {
  const { user, code, hash } = await begin()
  await expect(confirmRegistration(stopping(), hash, code)).rejects.toThrow(stopped)
  const body = { email: user.email, code }
  const [one, again] = [
    await post('/api/account/register/confirm', body),
    await post('/api/account/register/confirm', body),
  ]
  expect(one.status).toBe(201)
  expect(again).toEqual(one)
  expect((await tryLogIn(sites, user)).status).toBe(200)
})

test.each(stops)(
  'a confirmation that stopped %s is completed by the periodic tidying, also after the code expired',
  async (_when, stopping) => {
    const { user, code, hash } = await begin()
    await expect(confirmRegistration(stopping(), hash, code)).rejects.toThrow(stopped)
    sites.clock.advance(11 * 60_000)
    await tidyLogins(context)
    await tidyLogins(context)
    expect((await tryLogIn(sites, user)).status).toBe(200)
  },
)

test('an unconfirmed registration is deleted', async () => {
  const { hash } = await begin()
  sites.clock.advance(11 * 60_000)
  await tidyLogins(context)
  const rows = await context.database.read((read) =>
    runStatement(read, 'select 1 from login.registration where email_hash = $1', [hash]),
  )
  expect(rows).toEqual([])
})

test('a revocation that stopped before it reached the other region is completed by the periodic tidying', async () => {
  const company = await signUp(sites, { userType: 'company', region: 'us' })
  const portal = await logIn(sites, company)
  const delegate = await signUp(sites, { userType: 'person', region: 'eu' })
  await fetch(`${portal.apiUrl}/api/delegates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${portal.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ share_code: delegate.shareCode, role: 'admin', services: [] }),
  })
  const own = await logIn(sites, delegate)
  const acting = await refreshWith(sites.frontDoor.url, own.cookies, 'person', { acting_for: company.userId })
  expect(await readAccount(portal.apiUrl, acting.token)).toBe(200)
  await context.database.transaction((tx) =>
    runStatement(tx, 'update login.session_family set revoked_at = to_timestamp($2 / 1000.0) where id = $1', [
      own.sid,
      sites.clock.now(),
    ]),
  )
  sites.clock.advance(60_000)
  await tidyLogins(context)
  expect(await readAccount(portal.apiUrl, acting.token)).toBe(401)
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
})

test('a login whose password changed after its check opens no session', async () => {
  const user = await signUp(sites, { userType: 'person', region: 'eu' })
  const login = {
    userId: user.userId,
    verifier: new Secret(user.authVerifier),
    otp: null,
    deviceTokens: [],
    trustDevice: false,
    deviceName: '',
  }
  const fresh = await makeCredential(context, user.userId, new Secret('another verifier'))
  const changing = {
    ...context,
    async checkSecondFactor() {
      await context.database.transaction((tx) => setCredential(context, tx, fresh))
      return 'passed' as const
    },
  }
  await expect(openSession(changing, login)).rejects.toMatchObject({ key: 'session.invalid' })
})

test('a login seals a credential under the active key, and then works without the old one', async () => {
  const old = context.settings.SECRET_PEPPER
  const { active } = parseKeyring(`fresh:${'n'.repeat(32)}`)
  const withPepper = (SECRET_PEPPER: Keyring) => ({ ...context, settings: { ...context.settings, SECRET_PEPPER } })
  const both = withPepper({ active, all: [active, ...old.all] })
  const onlyFresh = withPepper({ active, all: [active] })
  const { companyId, login } = northwind
  const verifier = new Secret(login.authVerifier)
  await expect(verifyCredential(onlyFresh, companyId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, companyId, new Secret('wrong'))).toBe(false)
  await expect(verifyCredential(onlyFresh, companyId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, companyId, verifier)).toBe(true)
  expect(await verifyCredential(onlyFresh, companyId, verifier)).toBe(true)
  // An unknown account is checked with any keyring.
  expect(await verifyCredential(onlyFresh, '019a0000-0000-7000-8000-00000000dead' as UserId, verifier)).toBe(false)
  expect(
    await verifyCredential(withPepper({ active: old.active, all: [...old.all, active] }), companyId, verifier),
  ).toBe(true)
})

test('no stored row contains a verifier, a code or a token', async () => {
  const { user, code } = await begin()
  await post('/api/account/register/confirm', { email: user.email, code })
  const { cookies } = await logIn(sites, user)
  const tables = await context.database.read(async (read) => {
    const names = ['credential', 'device', 'session_family', 'session_token', 'registration']
    const rows = []
    for (const name of names) rows.push(...(await runStatement(read, `select t::text as row from login.${name} t`, [])))
    return JSON.stringify(rows)
  })
  expect(tables.length).toBeGreaterThan(1000)
  const token = cookies[0]?.split('=')[1] ?? ''
  for (const text of [user.authVerifier, user.password, token, token.slice(3)]) {
    expect(tables).not.toContain(text)
    expect(tables).not.toContain(Buffer.from(text).toString('hex'))
  }
})
