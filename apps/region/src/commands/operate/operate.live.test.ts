import { parseClientId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { type Answer, call, claimsOf, listOf, openWorld, tryLogIn } from '@sealpost/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { awaitGuards, findClientState, putClientState, recordChange, turnSwitches } from '../../modules/access/index.ts'
import { runCommand } from '../testing/run-command.ts'
import { operate as operateOn } from './index.ts'

// Of its own, because the switches of the operator are for all companies of a region.
const world = await openWorld({ own: true })
const { northwind, harborline, mara } = await world.personas()
const processes = [northwind.apiUrl, (await world.another('eu')).url ?? '']
const front = world.frontDoor.url
afterEach(() => turnSwitches(world.eu.platform, { writesPaused: false, outOfOrder: false }))

/** As an operator runs it. */
function inProcess(...args: readonly string[]): Promise<string> {
  return runCommand('operate', world.environment.eu, ...args)
}

/** The same without starting a process each time. */
function operate(...args: readonly string[]): Promise<string> {
  return operateOn(world.eu, args)
}

async function everywhere(ask: (apiUrl: string) => Promise<Answer>): Promise<readonly [number, unknown][]> {
  const answers = await Promise.all(processes.map(ask))
  return answers.map(({ status, body }) => [status, body['error_key'] ?? body['status']])
}

const read = (url: string) => northwind.calls('GET', '/api/account', { url })
const write = (url: string) =>
  northwind.calls('PUT', '/api/profile', { url, body: { display_name: northwind.companyName } })
const health = (apiUrl: string) => call(apiUrl, 'GET', '/api/health')
const refusedHere = { status: 503, body: { error_key: 'platform.out_of_order' } }
const twice = <T>(one: T): readonly T[] => [one, one]

describe('platform:pause-writes', () => {
  test('is in force in every process when it answers, and so is turning it off [ERR-02]', async () => {
    expect(await inProcess('platform:pause-writes', 'on')).toContain('writes nothing')
    expect(await everywhere(write)).toEqual(twice([503, 'db.writes_paused']))
    expect(await everywhere(read)).toEqual(twice([200, undefined]))
    expect(await everywhere(health)).toEqual(twice([200, 'writes_paused']))
    expect(await world.eu.platform.isPaused()).toBe(true)
    const refused = await write(northwind.apiUrl)
    expect(refused.headers.get('retry-after')).toBe('30')
    const elsewhere = await harborline.calls('PUT', '/api/profile', { body: { display_name: 'H' } })
    expect(elsewhere.status).toBe(200)
    expect(await world.token(northwind)).toEqual(expect.any(String))
    await operate('platform:pause-writes', 'off')
    expect(await everywhere(write)).toEqual(twice([200, undefined]))
  })

  test('a refused call has written nothing and can be repeated with the same Idempotency-Key [ERR-02]', async () => {
    const clients = '/api/account/clients'
    const made = { key: 'made-while-paused', body: { name: 'Made while paused', capabilities: [] } }
    const renamed = { key: 'renamed-while-paused', body: { display_name: 'Renamed while paused' } }
    const create = () => northwind.calls('POST', clients, made)
    const rename = () => northwind.calls('PUT', '/api/profile', renamed)
    const stored = async () => {
      const { body } = await northwind.calls('GET', `${clients}?limit=500`)
      const names = listOf(body['items']).map(({ name }) => name)
      const { display_name } = (await northwind.calls('GET', '/api/profile')).body
      return { clients: names.filter((name) => name === made.body.name).length, display_name }
    }
    const before = await stored()
    expect(before).toEqual({ clients: 0, display_name: northwind.companyName })
    await operate('platform:pause-writes', 'on')
    for (const refused of [await create(), await rename(), await create(), await rename()]) {
      expect([refused.status, refused.body['error_key']]).toEqual([503, 'db.writes_paused'])
      expect(refused.headers.get('retry-after')).toBe('30')
    }
    expect(await stored()).toEqual(before)
    await operate('platform:pause-writes', 'off')
    expect(await stored()).toEqual(before)
    const [created, changed] = [await create(), await rename()]
    expect([created.status, changed.status]).toEqual([201, 200])
    for (const { headers } of [created, changed]) expect(headers.get('idempotent-replayed')).toBeNull()
    expect(await stored()).toEqual({ clients: 1, display_name: renamed.body.display_name })
    await write(northwind.apiUrl)
  })
})

describe('platform:out-of-order', () => {
  test('refuses every call in every process, is in the list of regions, and client credentials are served [ERR-04]', async () => {
    expect(await operate('platform:out-of-order', 'on')).toBe('eu is out of order')
    for (const ask of [read, write, (apiUrl: string) => call(apiUrl, 'GET', '/api/account')]) {
      expect(await everywhere(ask)).toEqual(twice([503, 'platform.out_of_order']))
    }
    expect((await read(northwind.apiUrl)).headers.get('retry-after')).toBe('300')
    expect(await everywhere(health)).toEqual(twice([200, 'out_of_order']))
    expect(await regions()).toEqual({ eu: 'out_of_order', us: 'ok' })
    expect(await world.token(northwind)).toEqual(expect.any(String))
    expect((await call(front, 'GET', '/api/health')).body['status']).toBe('ok')
    expect((await call(front, 'GET', '/.well-known/openid-configuration')).status).toBe(200)
    expect(await tryLogIn(world, northwind)).toMatchObject(refusedHere)
    // Accounts of other regions are served.
    expect((await harborline.calls('GET', '/api/account')).status).toBe(200)
    await operate('platform:out-of-order', 'off')
    expect(await everywhere(read)).toEqual(twice([200, undefined]))
    expect(await regions()).toEqual({ eu: 'ok', us: 'ok' })
  })
})

describe('whitelist:backfill', () => {
  test('updates older clients; until then a newer path is closed to them [WHITELIST-08]', async () => {
    const client = await northwind.accountClient(['delegate_management'])
    await makeOlder(client.token)
    expect(await client.calls('GET', '/api/delegates')).toMatchObject({
      status: 403,
      body: { error_key: 'auth.client_endpoint_forbidden' },
    })
    expect(await operate('whitelist:backfill')).toBe('brought 1 clients up to date')
    expect((await client.calls('GET', '/api/delegates')).status).toBe(200)
    expect(await operate('whitelist:backfill')).toBe('every client has the present patterns')
  })
})

describe('account:set-level', () => {
  test('is in force in every process when it answers, for the logins of the company', async () => {
    const path = `/api/services/${northwind.serviceId}/client`
    const register = (url: string) => northwind.calls('POST', path, { url, body: {} })
    await operate('account:set-level', northwind.companyId, 'free')
    for (const apiUrl of processes) {
      expect(await register(apiUrl)).toMatchObject({
        status: 403,
        body: { error_key: 'account.level_required', required_level: 'basic' },
      })
    }
    await operate('account:set-level', northwind.companyId, 'basic')
    for (const apiUrl of processes)
      expect(await register(apiUrl)).toMatchObject({ body: { error_key: 'services.client_exists' } })
  })

  test('names the home region as the place to run it for a company of another region', async () => {
    await expect(operate('account:set-level', harborline.companyId, 'free')).rejects.toThrow('home region')
  })
})

describe('clients:create-managed', () => {
  test('creates clients for companies of this region only, and names the home region otherwise', async () => {
    const create = (id: string) => operateOn(world.us, ['clients:create-managed', id, 'crm:sync', 'CRM'])
    for (const id of [mara.userId, northwind.companyId]) {
      await expect(create(id)).rejects.toThrow('home region')
      const sql = 'select 1 from clients.client where company_id = $1'
      expect(await world.rows(sql, [id], 'us')).toEqual([])
    }
    expect(JSON.parse(await create(harborline.companyId))).toMatchObject({ purpose: 'crm:sync' })
  })
})

describe('keys:rewrap', () => {
  test('names the webhooks whose secrets cannot be opened, rewraps the others and fails', async () => {
    const service = await world.service()
    const hook = await service.webhook({ enabled: false })
    const { database } = world.eu.platform
    const sql = `update webhooks.endpoint set secrets_key_id = $2 where id = $1`
    await database.transaction((tx) => runStatement(tx, sql, [hook.id, 'gone']))
    await expect(inProcess('keys:rewrap')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(
          `webhook ${hook.id}: the key gone is not in the ring[^]+rewrapped: .+ 0 webhooks, 0 plugins; .+ 1 webhook`,
        ),
      ),
    })
    expect((await service.portal('DELETE', hook.path)).status).toBe(204)
    expect(await operate('keys:rewrap')).toContain('0 webhooks')
  })
})

test('an unknown command, or one with invalid arguments, prints the usage', async () => {
  await expect(operate('platform:explode')).rejects.toThrow('platform:pause-writes on|off')
  await expect(operate('platform:pause-writes', 'maybe')).rejects.toThrow('say on or off: platform:pause-writes on|off')
  await expect(inProcess()).rejects.toThrow('these exist')
})

/** As if it had been registered before there were paths for delegates. */
async function makeOlder(token: string): Promise<void> {
  const { database, clock } = world.eu.platform
  const clientId = parseClientId(String(claimsOf(token)['client_id']))
  if (clientId === null) throw new Error('no client')
  const revision = await database.transaction(async (tx) => {
    const state = await findClientState(tx, clientId)
    if (state === null) throw new Error('no such client')
    await putClientState(tx, { ...state, patterns: ['/api/account', '/api/profile'] })
    return recordChange(tx, clientId, clock.now())
  })
  await awaitGuards(database, revision)
}

async function regions(): Promise<Record<string, string>> {
  const { items } = (await call(front, 'GET', '/api/regions')).body as { items: { code: string; status: string }[] }
  return Object.fromEntries(items.map(({ code, status }) => [code, status]))
}
