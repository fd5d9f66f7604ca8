import { openWorld, scaled, signUp, type TestUser } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { sealToRecoveryKey } from './operations/sealing.ts'

const IN_TIME = { timeout: scaled(5000) }

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()

test('erasing an account ends its tokens at once and deletes its rows in its region', async () => {
  const company = await world.company()
  const sealed = await sealToRecoveryKey(company.recoveryKeys?.publicKey ?? '', 'secret')
  const copy = { kind: 'app_secret', ref_id: 'app', sealed }
  expect(await company.calls('POST', '/api/account/recovery-copies', { body: copy })).toMatchObject({ status: 201 })
  const delegate = { share_code: mara.shareCode, role: 'admin', services: [] }
  expect(await company.calls('POST', '/api/delegates', { body: delegate })).toMatchObject({ status: 201 })

  await company.erase()
  await company.erase()
  expect(await company.calls('GET', '/api/account')).toMatchObject({
    status: 401,
    body: { error_key: 'auth.token_invalid' },
  })
  expect(await rowsOf(company)).toBe(0)
})

test('the address is free again, the share code is not: a new account of the same address has another', async () => {
  const first = await world.person()
  await first.erase()
  const gone = { isGone: true, isForgotten: true, code: first.shareCode }
  await expect.poll(() => directoryRow(first), IN_TIME).toEqual(gone)
  const second = await signUp(world, { userType: 'company', region: 'eu', email: first.email })
  expect(second.userId).not.toBe(first.userId)
  expect(second.shareCode).not.toBe(first.shareCode)
  const body = { share_code: first.shareCode, role: 'operator', services: [] }
  expect(await northwind.calls('POST', '/api/delegates', { body })).toMatchObject({
    status: 404,
    body: { error_key: 'delegates.user_not_found' },
  })
})

test('an erased user is removed as a delegate in every region', async () => {
  const person = await world.person()
  const body = { share_code: person.shareCode, role: 'operator', services: [] }
  for (const { calls } of [northwind, harborline]) {
    expect(await calls('POST', '/api/delegates', { body })).toMatchObject({ status: 201 })
  }
  await person.erase()
  for (const { calls } of [northwind, harborline]) {
    await expect.poll(async () => (await calls('GET', '/api/delegates')).text, IN_TIME).not.toContain(person.userId)
  }
})

test('its machine clients end with it: no token of them is accepted or issued', async () => {
  expect(await harborline.data('GET', '/api/company-data/whoami')).toMatchObject({ status: 200 })
  await harborline.erase()
  expect(await harborline.data('GET', '/api/company-data/whoami')).toMatchObject({
    status: 401,
    body: { error_key: 'auth.token_invalid' },
  })
  await expect.poll(() => world.token(harborline).catch(String), IN_TIME).toContain('oauth.bad_client')
})

async function rowsOf({ userId, email }: TestUser): Promise<number> {
  const sql = `select (select count(*) from account.account where id = $1 or email = $2)
    + (select count(*) from account.recovery_copy where company_id = $1)
    + (select count(*) from account.delegate where company_id = $1)
    + (select count(*) from account.delegate_service where company_id = $1)
    + (select count(*) from account.audit where company_id = $1) as rows`
  const [found] = await world.rows<{ rows: number }>(sql, [userId, email])
  return found?.rows ?? -1
}

async function directoryRow({ userId }: TestUser): Promise<unknown> {
  const sql = `select deleted_at is not null as "isGone", share_code as code,
      email_hash is null and kdf is null and public_key is null as "isForgotten"
    from directory.account where user_id = $1`
  const [found] = await world.rows(sql, [userId], 'directory')
  return found
}
