import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import type { ServiceId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  addService,
  type Answer,
  askToken,
  type Calls,
  callsWith,
  clientCalls,
  keyOf,
  logIn,
  signUp,
  startTwoRegions,
  type TestUser,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { awaitGuards } from '../access/index.ts'
import {
  changeAccountClient,
  createAccountClient,
  deleteAccountClient,
  locateAccountClient,
  regenerateAccountClientSecret,
} from './account-clients.ts'
import { settleActs } from './acts/settle.ts'
import { createDataClient } from './data-clients.ts'
import type { ClientsDirectory } from './directory.ts'
import { endClientsOfService } from './ending.ts'
import type { ClientsNeeds } from './needs.ts'

const CLIENTS = '/api/account/clients'
const wish = { name: 'Importer', capabilities: ['oauth_apps'] }
const keepNothing = () => Promise.resolve()
let sites: TwoRegions
let owner: TestUser
let portal: Calls
let needs: ClientsNeeds

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000' })
  needs = sites.eu.core.clients
})
afterAll(() => sites.close())
beforeEach(async () => {
  owner = await signUp(sites, { userType: 'company', region: 'eu' })
  await sites.eu.core.operations.setLevel(owner.userId, 'basic')
  const login = await logIn(sites, owner)
  portal = callsWith(login.apiUrl, login.token)
})

/** A process that dies right after the directory has done what it was asked for: nothing of it ever goes on. */
function dyingAfter(act: 'put' | 'change' | 'remove'): { readonly needs: ClientsNeeds; readonly died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const forever = async (asked: Promise<unknown>): Promise<never> => {
    await asked
    resolve()
    return new Promise<never>(() => {})
  }
  const real = needs.directory
  const directory: ClientsDirectory = {
    ...real,
    ...(act === 'put' ? { put: (client) => forever(real.put(client)) } : {}),
    ...(act === 'change' ? { change: (change) => forever(real.change(change)) } : {}),
    ...(act === 'remove' ? { remove: (client) => forever(real.remove(client)) } : {}),
  }
  return { needs: { ...needs, directory }, died }
}

const actor = () => ({ companyId: owner.userId, actorId: owner.userId })

async function made(
  body: object = wish,
): Promise<{ readonly id: string; readonly secret: string; readonly calls: Calls }> {
  const told = await portal('POST', CLIENTS, { body })
  const [id, secret] = [String(told.body['client_id']), String(told.body['client_secret'])]
  return { id, secret, calls: await clientCalls(sites, id, secret) }
}

/** As time passes: nobody can be busy with an act any more, and the worker looks. */
async function settleLater(): Promise<void> {
  sites.clock.advance(61_000)
  await settleActs(needs)
}

describe('a creation that was cut off', () => {
  test('leaves no client: nobody sees it, its purpose is free, and the directory forgets it', async () => {
    const dying = dyingAfter('put')
    void createAccountClient(dying.needs, actor(), { ...wish, purpose: 'sync' }, keepNothing)
    await dying.died
    expect((await portal('GET', CLIENTS)).body).toMatchObject({ total: 0, items: [] })
    const [lost] = await clientsAtDirectory()
    expect(keyOf(await portal('DELETE', `${CLIENTS}/${String(lost)}`))).toBe('account_clients.not_found')
    const again = await portal('POST', CLIENTS, { body: { ...wish, purpose: 'sync' } })
    expect(again.status).toBe(201)
    await settleLater()
    expect(await clientsAtDirectory()).toEqual([again.body['client_id']])
    expect(await rowsHere()).toBe(1)
  })

  test('of a data client gives the service back once nobody can be busy with it', async () => {
    const id = await newService()
    const dying = dyingAfter('put')
    void createDataClient(dying.needs, actor(), { companyId: owner.userId, id }, {}, keepNothing)
    await dying.died
    const path = `/api/services/${id}/client`
    expect(keyOf(await portal('GET', path))).toBe('services.client_not_found')
    expect(keyOf(await portal('POST', path))).toBe('idempotency.in_progress')
    sites.clock.advance(61_000)
    const next = await portal('POST', path)
    expect(next.status).toBe(201)
    expect((await askToken(sites, next.body['client_id'], next.body['client_secret'])).status).toBe(200)
    expect(await clientsAtDirectory()).toEqual([next.body['client_id']])
  })
})

describe('a regeneration that was cut off', () => {
  test('is repeated by its owner: the newest secret works, older tokens end', async () => {
    const client = await made()
    await cutRegeneration(client.id)
    expect(keyOf(await askToken(sites, client.id, client.secret))).toBe('oauth.bad_client')
    const told = await portal('POST', `${CLIENTS}/${client.id}/regenerate-secret`)
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect((await askToken(sites, client.id, told.body['client_secret'])).status).toBe(200)
    expect(await recovered(client.id)).toBe(told.body['client_secret'])
  })

  test('is finished without them: older tokens end, and the secret nobody saw can be recovered', async () => {
    const client = await made()
    await cutRegeneration(client.id)
    await settleLater()
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    const secret = await recovered(client.id)
    expect(secret).not.toBe(client.secret)
    expect((await askToken(sites, client.id, secret)).status).toBe(200)
  })

  test('two at once leave one secret, and its copy is the one that is kept', async () => {
    const client = await made()
    const path = `${CLIENTS}/${client.id}/regenerate-secret`
    const both = await Promise.all([portal('POST', path), portal('POST', path), portal('POST', path)])
    const secrets = both.map(({ body }) => body['client_secret'])
    const works = await Promise.all(
      secrets.map(async (secret) => (await askToken(sites, client.id, secret)).status === 200),
    )
    expect(works.filter(Boolean)).toHaveLength(1)
    expect(await recovered(client.id)).toBe(secrets[works.indexOf(true)])
  })
})

describe('a change that was cut off', () => {
  test('is taken over from the directory, or repeated', async () => {
    const client = await made()
    const located = await locateAccountClient(needs, owner.userId, client.id)
    const dying = dyingAfter('change')
    void changeAccountClient(dying.needs, actor(), located, { capabilities: [], redirect_uri: 'https://a.example/' })
    await dying.died
    expect((await client.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
    await settleLater()
    expect(keyOf(await client.calls('GET', '/api/account/oauth-apps'))).toBe('auth.client_endpoint_forbidden')
    expect((await portal('GET', CLIENTS)).body['items']).toEqual([
      expect.objectContaining({ capabilities: [], redirect_uri: 'https://a.example/' }),
    ])
  })
})

describe('a deletion that was cut off', () => {
  test('is finished by the next call', async () => {
    const client = await made()
    await cutDeletion(client.id)
    expect((await portal('DELETE', `${CLIENTS}/${client.id}`)).status).toBe(204)
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
  })

  test('is finished by any other act on the client, which is gone', async () => {
    const client = await made()
    await cutDeletion(client.id)
    const told = await portal('POST', `${CLIENTS}/${client.id}/regenerate-secret`)
    expect([told.status, keyOf(told)]).toEqual([404, 'account_clients.not_found'])
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect(await rowsHere()).toBe(0)
  })

  test('is finished without anybody', async () => {
    const client = await made()
    await cutDeletion(client.id)
    await settleLater()
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect(await rowsHere()).toBe(0)
  })
})

describe('what clients belong to', () => {
  test('an account takes its clients with it', async () => {
    const client = await made()
    await sites.eu.core.operations.eraseAccount(owner.userId)
    expect((await client.calls('GET', '/api/account')).status).toBe(401)
    await settleActs(needs)
    expect(await rowsHere()).toBe(0)
    expect(keyOf(await askToken(sites, client.id, client.secret))).toBe('oauth.bad_client')
  })

  test('a service takes its data client with it, and no other client', async () => {
    const client = await made()
    const id = await newService()
    const told = await portal('POST', `/api/services/${id}/client`)
    const calls = await clientCalls(sites, told.body['client_id'], told.body['client_secret'])
    expect((await calls('GET', '/api/company-data/whoami')).status).toBe(200)
    const { database } = sites.eu.core
    const revision = await database.transaction((tx) => endClientsOfService(tx, needs, owner.userId, id))
    await awaitGuards(database, revision ?? expect.fail('nothing ended'))
    expect(keyOf(await calls('GET', '/api/company-data/whoami'))).toBe('auth.token_invalid')
    await settleActs(needs)
    expect(keyOf(await askToken(sites, told.body['client_id'], told.body['client_secret']))).toBe('oauth.bad_client')
    expect((await client.calls('GET', '/api/account')).status).toBe(200)
  })
})

// The last one: afterwards the front door of this installation asks nothing any more.
describe('while the directory is away', () => {
  test('every act is refused, old secrets and tokens go on, and the same call works when it is back', async () => {
    const client = await made()
    const away = await takeDirectoryAway()
    const path = `${CLIENTS}/${client.id}`
    const acts: readonly (() => Promise<Answer>)[] = [
      () => portal('POST', CLIENTS, { body: { ...wish, purpose: 'later' }, key: 'later' }),
      () => portal('PUT', `${path}/capabilities`, { body: { capabilities: [] } }),
      () => portal('POST', `${path}/regenerate-secret`, { key: 'later' }),
      () => portal('DELETE', path),
    ]
    for (const act of acts) {
      const told = await act()
      expect([told.status, keyOf(told)]).toEqual([503, 'region.unreachable'])
      expect(told.headers.get('retry-after')).toBe('5')
    }
    expect((await client.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
    expect((await askToken(sites, client.id, client.secret)).status).toBe(200)
    expect((await portal('GET', CLIENTS)).body).toMatchObject({ total: 1 })
    await away.end()
    const [created, changed, regenerated, deleted] = [
      await acts[0]?.(),
      await acts[1]?.(),
      await acts[2]?.(),
      await acts[3]?.(),
    ]
    expect([created?.status, changed?.status, regenerated?.status, deleted?.status]).toEqual([201, 200, 200, 204])
    expect(created?.body['client_secret']).toEqual(expect.any(String))
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    await settleLater()
    expect(await clientsAtDirectory()).toEqual([created?.body['client_id']])
  })
})

/** The directory answers no asks; the front door still serves. */
async function takeDirectoryAway(): Promise<{ end(): Promise<void> }> {
  await sites.frontDoor.composed.bus.close()
  return { end: async () => void (await sites.anotherFrontDoor()) }
}

async function cutRegeneration(id: string): Promise<void> {
  const located = await locateAccountClient(needs, owner.userId, id)
  const dying = dyingAfter('change')
  void regenerateAccountClientSecret(dying.needs, actor(), located, keepNothing)
  await dying.died
}

async function cutDeletion(id: string): Promise<void> {
  const located = await locateAccountClient(needs, owner.userId, id)
  const dying = dyingAfter('remove')
  void deleteAccountClient(dying.needs, actor(), located)
  await dying.died
}

async function newService(): Promise<ServiceId> {
  return (await addService(sites, 'eu', owner.userId)).serviceId
}

async function clientsAtDirectory(): Promise<unknown[]> {
  const sql = 'select client_id from directory.client where user_id = $1 order by created_at'
  const { database } = sites.frontDoor.composed
  const rows = await database.read((read) => runStatement<{ client_id: string }>(read, sql, [owner.userId]))
  return rows.map(({ client_id }) => client_id)
}

async function rowsHere(): Promise<number> {
  const sql = 'select 1 from clients.client where company_id = $1'
  return (await sites.eu.core.database.read((read) => runStatement(read, sql, [owner.userId]))).length
}

async function recovered(clientId: string): Promise<unknown> {
  const sql = 'select sealed from account.recovery_copy where company_id = $1 and ref_id = $2'
  const { database } = sites.eu.core
  const rows = await database.read((read) => runStatement<{ sealed: string }>(read, sql, [owner.userId, clientId]))
  const platform = createCryptoPlatform(globalThis)
  const key = await importOpeningKey(platform, owner.recoveryKeys?.privateKey ?? expect.fail('a company has them'))
  if (!key.ok) expect.fail(key.refusal)
  const opened = await openWrapper(platform, key.value, rows[0]?.sealed ?? '')
  return opened.ok ? opened.value : opened.refusal
}
