import { type Keyring, parseKeyring, Secret, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  actFor,
  addDelegate,
  beginRegistration,
  endRegistration,
  logIn,
  openWorld,
  readAccount,
  tryLogIn,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { makeCredential, setCredential, verifyCredential } from './operations/credentials.ts'
import { confirmRegistration } from './operations/registration.ts'
import { tidyLogins } from './operations/tidy.ts'

const world = await openWorld()
const context = world.eu.modules.login

const stopped = new Error('the process stopped here')
type PutAccount = typeof context.directory.putAccount

/** Stops at one of the steps between the right code and the account. */
const stops: readonly (readonly [string, PutAccount])[] = [
  ['before the directory had it', () => Promise.reject(stopped)],
  [
    'after the directory had it',
    async (account) => {
      await context.directory.putAccount(account)
      throw stopped
    },
  ],
]

function withDirectory(putAccount: PutAccount): typeof context {
  return { ...context, directory: { ...context.directory, putAccount } }
}

test.each(stops)('a confirmation that stopped %s succeeds when it is repeated', async (_when, putAccount) => {
  const begun = await beginRegistration(world)
  const { user, code, name } = begun
  await expect(confirmRegistration(withDirectory(putAccount), name, code)).rejects.toThrow(stopped)
  const one = await endRegistration(world, begun)
  const again = await endRegistration(world, begun)
  expect(one.status).toBe(201)
  expect([again.status, again.text]).toEqual([one.status, one.text])
  expect((await tryLogIn(world, user)).status).toBe(200)
})

test.each(stops)(
  'a confirmation that stopped %s is completed by the periodic tidying, also after the code expired',
  async (_when, putAccount) => {
    const { user, code, name } = await beginRegistration(world)
    await expect(confirmRegistration(withDirectory(putAccount), name, code)).rejects.toThrow(stopped)
    world.clock.advance(11 * 60_000)
    await tidyLogins(context)
    await tidyLogins(context)
    expect((await tryLogIn(world, user)).status).toBe(200)
  },
)

test('a late confirmation does not restore a password that was changed meanwhile', async () => {
  const begun = await beginRegistration(world)
  const { user, code, name, userId } = begun
  const chosen = Buffer.alloc(32, 9).toString('base64')
  const late = withDirectory(async (account) => {
    const listing = await context.directory.putAccount(account)
    expect((await endRegistration(world, begun)).status).toBe(201)
    const credential = await makeCredential(context, userId, new Secret(chosen))
    await context.database.transaction((tx) => setCredential(context, tx, credential))
    return listing
  })
  expect(await confirmRegistration(late, name, code)).toMatchObject({ userId })
  expect((await tryLogIn(world, { email: user.email, authVerifier: chosen })).status).toBe(200)
  expect((await tryLogIn(world, user)).status).toBe(401)
})

test('an unconfirmed registration is deleted', async () => {
  const { user } = await beginRegistration(world)
  world.clock.advance(11 * 60_000)
  await tidyLogins(context)
  expect(await world.rows('select 1 from login.registration where email = $1', [user.email])).toEqual([])
})

test('expired registrations are deleted in one run, however many there are', async () => {
  await context.database.transaction((tx) =>
    runStatement(
      tx,
      `insert into login.registration (token_hash, email_hash, user_id, user_type, is_taken, email, details, salt, key_id,
        sealed, code_key_id, code_hash, expires_at)
      select sha256(n::text::bytea), 'piled-' || n, gen_random_uuid(), 'person', false, 'x', '{}', '', 'k', '', 'k', '',
        to_timestamp($1 / 1000.0) - interval '1 minute' from generate_series(1, 1234) n`,
      [world.clock.now()],
    ),
  )
  await tidyLogins(context)
  expect(await world.rows(`select 1 from login.registration where email_hash like 'piled-%'`)).toHaveLength(0)
})

test('a revocation that stopped before it reached the other region is completed by the periodic tidying', async () => {
  const [company, delegate] = [await world.company({ region: 'us' }), await world.person({ region: 'eu' })]
  await addDelegate(company, delegate)
  const acting = await actFor(world, company, delegate.cookies)
  expect(await readAccount(company.apiUrl, acting.token)).toBe(200)
  await context.database.transaction((tx) =>
    runStatement(tx, 'update login.session_family set revoked_at = to_timestamp($2 / 1000.0) where id = $1', [
      delegate.sid,
      world.clock.now(),
    ]),
  )
  world.clock.advance(60_000)
  await tidyLogins(context)
  expect(await readAccount(company.apiUrl, acting.token)).toBe(401)
  expect(await readAccount(delegate.apiUrl, delegate.token)).toBe(401)
})

test('a login seals a credential under the active key, and then works without the old one', async () => {
  const { userId, authVerifier } = await world.person({ region: 'eu' })
  const old = context.settings.SECRET_PEPPER
  const { active } = parseKeyring(`fresh:${'n'.repeat(32)}`)
  const withPepper = (SECRET_PEPPER: Keyring) => ({ ...context, settings: { ...context.settings, SECRET_PEPPER } })
  const both = withPepper({ active, all: [active, ...old.all] })
  const onlyFresh = withPepper({ active, all: [active] })
  const verifier = new Secret(authVerifier)
  await expect(verifyCredential(onlyFresh, userId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, userId, new Secret('wrong'))).toBe(false)
  await expect(verifyCredential(onlyFresh, userId, verifier)).rejects.toThrow('is not in the ring')
  expect(await verifyCredential(both, userId, verifier)).toBe(true)
  expect(await verifyCredential(onlyFresh, userId, verifier)).toBe(true)
  // An unknown account is checked with any keyring.
  expect(await verifyCredential(onlyFresh, '019a0000-0000-7000-8000-00000000dead' as UserId, verifier)).toBe(false)
  const oldActive = withPepper({ active: old.active, all: [...old.all, active] })
  expect(await verifyCredential(oldActive, userId, verifier)).toBe(true)
})

test('no stored row contains a verifier, a code or a token', async () => {
  const begun = await beginRegistration(world)
  const { user } = begun
  expect((await endRegistration(world, begun)).status).toBe(201)
  const { cookies } = await logIn(world, user)
  const rows = []
  for (const name of ['credential', 'device', 'session_family', 'session_token', 'registration']) {
    rows.push(...(await world.rows(`select t::text as row from login.${name} t`)))
  }
  rows.push(...(await world.rows('select t::text as row from sessions.registration t', [], 'directory')))
  const tables = JSON.stringify(rows)
  expect(tables.length).toBeGreaterThan(1000)
  const token = cookies[0]?.split('=')[1] ?? ''
  for (const text of [user.authVerifier, user.password, begun.token, token, token.slice(3)]) {
    expect(tables).not.toContain(text)
    expect(tables).not.toContain(Buffer.from(text).toString('hex'))
  }
})
