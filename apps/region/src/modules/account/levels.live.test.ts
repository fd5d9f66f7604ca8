import { askToken, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const DAY_MS = 86_400_000

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const { operations } = world.eu

test('a new level is in force in every process of the region, in the directory and in the log', async () => {
  const another = await world.another('eu')
  for (const level of ['enterprise', 'basic', 'basic', 'pro'] as const) {
    expect(await operations.setLevel(northwind.companyId, level)).toBe(true)
    for (const url of [northwind.apiUrl, another.url ?? '']) {
      expect((await northwind.calls('GET', '/api/account', { url })).body).toMatchObject({ level })
    }
    expect(await directoryLevel()).toMatchObject({ level })
  }
  expect((await northwind.calls('GET', '/api/portal/audit?limit=1')).body).toMatchObject({
    items: [{ action: 'account.set_level', actor_id: 'operator', ref: 'pro' }],
  })
})

test('a level gates creation only: no new data client on free, while an existing one is read [ACCT-09]', async () => {
  await operations.setLevel(northwind.companyId, 'free')
  const path = `/api/services/${northwind.serviceId}/client`
  expect(await northwind.calls('POST', path, { body: {} })).toMatchObject({
    status: 403,
    body: { error_key: 'account.level_required', required_level: 'basic' },
  })
  expect(await northwind.calls('GET', path)).toMatchObject({ status: 200 })
  await operations.setLevel(northwind.companyId, 'basic')
  expect(await northwind.calls('POST', path, { body: {} })).toMatchObject({
    status: 409,
    body: { error_key: 'services.client_exists' },
  })
})

test('setting the same level again does not restart the seven days', async () => {
  await operations.setLevel(northwind.companyId, 'free')
  const { changed } = await directoryLevel()
  world.clock.advance(1000)
  await operations.setLevel(northwind.companyId, 'free')
  expect(await directoryLevel()).toEqual({ level: 'free', changed })
  await operations.setLevel(northwind.companyId, 'pro')
})

test('only companies of this region have a level', async () => {
  expect(await world.us.operations.setLevel(northwind.companyId, 'free')).toBe(false)
})

test('seven days after a move to free the data client gets no token, until the level is back', async () => {
  await operations.setLevel(northwind.companyId, 'free')
  expect(await requestToken()).toMatchObject({ status: 200 })
  world.clock.advance(7 * DAY_MS - 1)
  expect(await requestToken()).toMatchObject({ status: 200 })
  world.clock.advance(1)
  expect(await requestToken()).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client', error_key: 'account.level_required', required_level: 'basic' },
  })
  await operations.setLevel(northwind.companyId, 'basic')
  expect(await requestToken()).toMatchObject({ status: 200 })
})

function requestToken() {
  return askToken(world, northwind.clientId, northwind.clientSecret)
}

async function directoryLevel(): Promise<{ readonly level: string; readonly changed: number | null }> {
  const sql = `select level, (extract(epoch from level_changed_at) * 1000)::float8 as changed
    from directory.account where user_id = $1`
  const values = [northwind.companyId]
  const [row] = await world.rows<{ level: string; changed: number | null }>(sql, values, 'directory')
  if (row === undefined) throw new Error('northwind is not in the directory')
  return row
}
