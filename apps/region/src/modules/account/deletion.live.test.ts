import { runStatement } from '@sealpost/postgres'
import { call, harborline, logIn, mara, type Office, openOffice, signUp, type TestUser } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealToRecoveryKey } from './operations/sealing.ts'

let office: Office

beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.close())

test('erasing an account ends its tokens at once and deletes its rows in its region', async () => {
  const company = await signUp(office.two, { userType: 'company', region: 'eu' })
  const login = await logIn(office.two, company)
  const sealed = await sealToRecoveryKey(company.recoveryKeys?.publicKey ?? '', 'secret')
  const copy = { kind: 'app_secret', ref_id: 'app', sealed }
  expect(await call(login, 'POST', '/api/account/recovery-copies', { body: copy })).toMatchObject({ status: 201 })
  const delegate = { share_code: mara.shareCode, role: 'admin', services: [] }
  expect(await call(login, 'POST', '/api/delegates', { body: delegate })).toMatchObject({ status: 201 })

  const { operations } = office.two.eu
  await operations.eraseAccount(company.userId)
  await operations.eraseAccount(company.userId)
  expect(await call(login, 'GET', '/api/account')).toMatchObject({
    status: 401,
    body: { error_key: 'auth.token_invalid' },
  })
  expect(await rowsOf(company)).toBe(0)
})

test('the address is free again, the share code is not: a new account of the same address has another', async () => {
  const first = await signUp(office.two, { userType: 'person', region: 'us' })
  await office.two.us.operations.eraseAccount(first.userId)
  await expect.poll(() => directoryRow(first)).toEqual({ isGone: true, isForgotten: true, code: first.shareCode })
  const second = await signUp(office.two, { userType: 'company', region: 'eu', email: first.email })
  expect(second.userId).not.toBe(first.userId)
  expect(second.shareCode).not.toBe(first.shareCode)
  const body = { share_code: first.shareCode, role: 'operator', services: [] }
  expect(await call(office.northwind, 'POST', '/api/delegates', { body })).toMatchObject({
    status: 404,
    body: { error_key: 'delegates.user_not_found' },
  })
})

test('an erased user is removed as a delegate in every region', async () => {
  const person = await signUp(office.two, { userType: 'person', region: 'us' })
  const body = { share_code: person.shareCode, role: 'operator', services: [] }
  for (const company of [office.northwind, office.harborline]) {
    expect(await call(company, 'POST', '/api/delegates', { body })).toMatchObject({ status: 201 })
  }
  await office.two.us.operations.eraseAccount(person.userId)
  for (const company of [office.northwind, office.harborline]) {
    await expect.poll(async () => (await call(company, 'GET', '/api/delegates')).text).not.toContain(person.userId)
  }
})

test('its machine clients end with it: no token of them is accepted or issued', async () => {
  const { operations } = office.two.us
  const token = await office.two.token(harborline)
  const client = { token, apiUrl: office.harborline.apiUrl }
  expect(await call(client, 'GET', '/api/company-data/whoami')).toMatchObject({ status: 200 })
  await operations.eraseAccount(harborline.companyId)
  expect(await call(client, 'GET', '/api/company-data/whoami')).toMatchObject({
    status: 401,
    body: { error_key: 'auth.token_invalid' },
  })
  await expect.poll(() => office.two.token(harborline).catch(String)).toContain('oauth.bad_client')
})

async function rowsOf({ userId, email }: TestUser): Promise<number> {
  const sql = `select (select count(*) from account.account where id = $1 or email = $2)
    + (select count(*) from account.recovery_copy where company_id = $1)
    + (select count(*) from account.delegate where company_id = $1)
    + (select count(*) from account.delegate_service where company_id = $1)
    + (select count(*) from account.audit where company_id = $1) as rows`
  const { database } = office.two.eu.platform
  const found = await database.read((read) => runStatement<{ rows: number }>(read, sql, [userId, email]))
  return found[0]?.rows ?? -1
}

async function directoryRow({ userId }: TestUser): Promise<unknown> {
  const sql = `select deleted_at is not null as "isGone", share_code as code,
      email_hash is null and kdf is null and public_key is null as "isForgotten"
    from directory.account where user_id = $1`
  const { database } = office.two.frontDoor.platform
  const found = await database.read((read) => runStatement<object>(read, sql, [userId]))
  return found[0]
}
