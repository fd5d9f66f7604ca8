import { runStatement } from '@sealpost/postgres'
import { call, northwind, type Office, openOffice } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const DAY_MS = 86_400_000
let office: Office

beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.close())

test('a new level is in force in every process of the region, in the directory and in the log', async () => {
  const another = await office.two.another('eu')
  const { operations } = office.two.eu
  const levelAt = async (apiUrl: string) => (await call({ ...office.northwind, apiUrl }, 'GET', '/api/account')).body
  for (const level of ['enterprise', 'basic', 'basic', 'pro'] as const) {
    expect(await operations.setLevel(northwind.companyId, level)).toBe(true)
    for (const apiUrl of [office.northwind.apiUrl, another.url ?? '']) {
      expect(await levelAt(apiUrl)).toMatchObject({ level })
    }
    expect(await directoryLevel()).toMatchObject({ level })
  }
  expect((await call(office.northwind, 'GET', '/api/portal/audit?limit=1')).body).toMatchObject({
    items: [{ action: 'account.set_level', actor_id: 'operator', ref: 'pro' }],
  })
})

test('a level gates creation only: no new data client on free, while an existing one is read [ACCT-09]', async () => {
  const { operations } = office.two.eu
  await operations.setLevel(northwind.companyId, 'free')
  const path = `/api/services/${northwind.serviceId}/client`
  expect(await call(office.northwind, 'POST', path, { body: {} })).toMatchObject({
    status: 403,
    body: { error_key: 'account.level_required', required_level: 'basic' },
  })
  expect(await call(office.northwind, 'GET', path)).toMatchObject({ status: 200 })
  await operations.setLevel(northwind.companyId, 'basic')
  expect(await call(office.northwind, 'POST', path, { body: {} })).toMatchObject({
    status: 409,
    body: { error_key: 'services.client_exists' },
  })
})

test('setting the same level again does not restart the seven days', async () => {
  const { operations } = office.two.eu
  await operations.setLevel(northwind.companyId, 'free')
  const { changed } = await directoryLevel()
  office.two.clock.advance(1000)
  await operations.setLevel(northwind.companyId, 'free')
  expect(await directoryLevel()).toEqual({ level: 'free', changed })
  await operations.setLevel(northwind.companyId, 'pro')
})

test('only companies of this region have a level', async () => {
  const { operations } = office.two.us
  expect(await operations.setLevel(northwind.companyId, 'free')).toBe(false)
})

test('seven days after a move to free the data client gets no token, until the level is back', async () => {
  const { operations } = office.two.eu
  await operations.setLevel(northwind.companyId, 'free')
  expect(await requestToken()).toMatchObject({ status: 200 })
  office.two.clock.advance(7 * DAY_MS - 1)
  expect(await requestToken()).toMatchObject({ status: 200 })
  office.two.clock.advance(1)
  expect(await requestToken()).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client', error_key: 'account.level_required', required_level: 'basic' },
  })
  await operations.setLevel(northwind.companyId, 'basic')
  expect(await requestToken()).toMatchObject({ status: 200 })
})

async function requestToken(): Promise<{ readonly status: number; readonly body: unknown }> {
  const { clientId, clientSecret } = northwind
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await fetch(`${office.two.frontDoor.url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return { status: answer.status, body: await answer.json() }
}

async function directoryLevel(): Promise<{ readonly level: string; readonly changed: number | null }> {
  const sql = `select level, (extract(epoch from level_changed_at) * 1000)::float8 as changed
    from directory.account where user_id = $1`
  const { database } = office.two.frontDoor.platform
  const rows = await database.read((read) =>
    runStatement<{ level: string; changed: number | null }>(read, sql, [northwind.companyId]),
  )
  const [row] = rows
  if (row === undefined) throw new Error('northwind is not in the directory')
  return row
}
