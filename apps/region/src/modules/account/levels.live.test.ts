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

test('a level gates creation only: no new data client on free, while an existing one is read', async () => {
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

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const DATA = '/api/company-data'

/** The new acts of each level, and who calls them. The level is asked before ids and bodies. */
function newActs() {
  const { calls: portal, data, serviceId } = northwind
  const service = `/api/services/${serviceId}`
  const flow = `/flows/${MISSING}`
  return [
    { level: 'basic', below: 'free', calls: portal, paths: [`${service}/client`, `${service}/webhooks`] },
    { level: 'basic', below: 'free', calls: data, paths: [`${DATA}/documents`, `${DATA}/connect-requests`] },
    { level: 'pro', below: 'basic', calls: portal, paths: [`/api/portal${service.slice(4)}${flow}/publish`] },
    { level: 'pro', below: 'basic', calls: portal, paths: [`${service}${flow}/runs`, `${service}${flow}/run-files`] },
    { level: 'pro', below: 'basic', calls: data, paths: [`${DATA}${flow}/runs`, `${DATA}${flow}/run-files`] },
  ] as const
}

test('each level opens its new acts; reads, turns and what is not gated need none [ACCT-09]', async () => {
  const ask = async (calls: typeof northwind.calls, path: string, body = {}) =>
    (await calls('POST', path, { body })).body
  for (const { level, below, calls, paths } of newActs()) {
    for (const path of paths) {
      await operations.setLevel(northwind.companyId, below)
      const refusal = { error_key: 'account.level_required', required_level: level }
      expect([path, await ask(calls, path)]).toMatchObject([path, refusal])
      for (const enough of [level, 'enterprise'] as const) {
        await operations.setLevel(northwind.companyId, enough)
        expect([path, (await ask(calls, path))['error_key']]).not.toEqual([path, 'account.level_required'])
      }
    }
  }
  await operations.setLevel(northwind.companyId, 'free')
  const messages = `${DATA}/connections/${MISSING}/messages`
  for (const path of [messages, `${DATA}/broadcast`])
    expect(await ask(northwind.data, path, { body: 'x' })).toMatchObject({
      error_key: 'messages.messaging_not_entitled',
    })
  for (const path of ['connections', 'changes', 'documents', 'flow-runs', 'request-fields'])
    expect([path, (await northwind.data('GET', `${DATA}/${path}`)).status]).toEqual([path, 200])
  const turn = `${DATA}/flow-runs/${MISSING}/answers`
  expect(await ask(northwind.data, turn, { answers: [] })).toMatchObject({ error_key: 'flows.run_not_found' })
  expect(await ask(northwind.calls, '/api/account/plugins')).toMatchObject({ error_key: 'plugins.body_invalid' })
  await operations.setLevel(northwind.companyId, 'pro')
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
