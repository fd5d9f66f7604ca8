import { parseKeyring, Secret, type UserId } from '@sealpost/kernel'
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
import { makeCredential, setCredential, verifyCredential } from './credentials.ts'
import type { LoginNeeds } from './needs.ts'
import { openSession } from './open-session.ts'
import { confirmRegistration } from './registration.ts'
import { tidyLogins } from './upkeep.ts'

let sites: TwoRegions
let needs: LoginNeeds

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  needs = sites.eu.core.login
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
  const hash = await needs.database.read(async (read) => {
    const sql = 'select email_hash from login.registration where email = $1'
    return (await runStatement<{ email_hash: string }>(read, sql, [user.email]))[0]?.email_hash ?? ''
  })
  return { user, code, hash }
}

const died = new Error('the process died here')

/** Dies at one of the steps between the right code and the account. */
const deaths: readonly (readonly [string, () => LoginNeeds])[] = [
  ['before the directory heard of it', () => dyingDirectory(() => Promise.reject(died))],
  [
    'after the directory heard of it',
    () =>
      dyingDirectory(async (account) => {
        await needs.directory.putAccount(account)
        throw died
      }),
  ],
]

function dyingDirectory(putAccount: LoginNeeds['directory']['putAccount']): LoginNeeds {
  return { ...needs, directory: { ...needs.directory, putAccount } }
}

test.each(deaths)('a confirmation that died %s succeeds when it is repeated', async (_when, dying) => {
  const { user, code, hash } = await begin()
  await expect(confirmRegistration(dying(), hash, code)).rejects.toThrow(died)
  const body = { email: user.email, code }
  const [one, again] = [
    await post('/api/account/register/confirm', body),
    await post('/api/account/register/confirm', body),
  ]
  expect(one.status).toBe(201)
  expect(again).toEqual(one)
  expect((await tryLogIn(sites, user)).status).toBe(200)
})

test.each(deaths)(
  'a confirmation that died %s is finished by the upkeep, also after the code ended',
  async (_when, dying) => {
    const { user, code, hash } = await begin()
    await expect(confirmRegistration(dying(), hash, code)).rejects.toThrow(died)
    sites.clock.advance(11 * 60_000)
    await tidyLogins(needs)
    await tidyLogins(needs)
    expect((await tryLogIn(sites, user)).status).toBe(200)
  },
)

test('a registration that nobody confirms is forgotten', async () => {
  const { hash } = await begin()
  sites.clock.advance(11 * 60_000)
  await tidyLogins(needs)
  const rows = await needs.database.read((read) =>
    runStatement(read, 'select 1 from login.registration where email_hash = $1', [hash]),
  )
  expect(rows).toEqual([])
})

test('a revocation that died before the other region heard of it is finished by the upkeep', async () => {
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
  await needs.database.transaction((tx) =>
    runStatement(tx, 'update login.session_family set revoked_at = to_timestamp($2 / 1000.0) where id = $1', [
      own.sid,
      sites.clock.now(),
    ]),
  )
  sites.clock.advance(60_000)
  await tidyLogins(needs)
  expect(await readAccount(portal.apiUrl, acting.token)).toBe(401)
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
})

test('a login that was proved with a password that changed meanwhile opens nothing', async () => {
  const user = await signUp(sites, { userType: 'person', region: 'eu' })
  const login = {
    userId: user.userId,
    verifier: new Secret(user.authVerifier),
    otp: null,
    deviceTokens: [],
    trustDevice: false,
    deviceName: '',
  }
  const fresh = await makeCredential(needs, user.userId, new Secret('another verifier'))
  const changing = {
    ...needs,
    async checkSecondFactor() {
      await needs.database.transaction((tx) => setCredential(needs, tx, fresh))
      return 'passed' as const
    },
  }
  await expect(openSession(changing, login)).rejects.toMatchObject({ key: 'session.invalid' })
})

test('a login moves a credential to the active key, and works without the old one from then on', async () => {
  const old = needs.pepper
  const { active } = parseKeyring(`fresh:${'n'.repeat(32)}`)
  const both = { ...needs, pepper: { active, all: [active, ...old.all] } }
  const onlyFresh = { ...needs, pepper: { active, all: [active] } }
  const { companyId, login } = northwind
  const verifier = new Secret(login.authVerifier)
  await expect(verifyCredential(onlyFresh, companyId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, companyId, new Secret('wrong'))).toBe(false)
  await expect(verifyCredential(onlyFresh, companyId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, companyId, verifier)).toBe(true)
  expect(await verifyCredential(onlyFresh, companyId, verifier)).toBe(true)
  // An account that does not exist is judged under whatever ring there is.
  expect(await verifyCredential(onlyFresh, '019a0000-0000-7000-8000-00000000dead' as UserId, verifier)).toBe(false)
  expect(
    await verifyCredential({ ...both, pepper: { active: old.active, all: [...old.all, active] } }, companyId, verifier),
  ).toBe(true)
})

test('nothing that rests here gives a verifier, a code or a token away', async () => {
  const { user, code } = await begin()
  await post('/api/account/register/confirm', { email: user.email, code })
  const { cookies } = await logIn(sites, user)
  const tables = await needs.database.read(async (read) => {
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
