import { createCryptoPlatform, importOpeningKey, openWrapper } from '@sealpost/crypto'
import {
  addService,
  type Answer,
  askToken,
  type Calls,
  clientCalls,
  type Company,
  keyOf,
  openWorld,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { awaitGuards } from '../../access/index.ts'
import { type ClientsContext, type ClientsDirectory, createDataClient, endClientsOfService } from '../index.ts'
import {
  changeAccountClient,
  createAccountClient,
  deleteAccountClient,
  locateAccountClient,
  regenerateAccountClientSecret,
} from '../operations/account-clients.ts'
import { reconcilePendingChanges } from './index.ts'

const CLIENTS = '/api/account/clients'
const wanted = { name: 'Importer', capabilities: ['oauth_apps'] }

const world = await openWorld({ own: true })
const { clients } = world.eu.modules

const newOwner = (): Promise<Company> => world.company({ level: 'basic' })
const actorOf = ({ companyId }: Company) => ({ companyId, actorId: companyId })

/** A process that stops right after the directory has done what it was asked for. */
function stoppingAfter(ask: 'put' | 'change' | 'remove'): {
  readonly clients: ClientsContext
  readonly stopped: Promise<void>
} {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const forever = async (asked: Promise<unknown>): Promise<never> => {
    await asked
    resolve()
    return new Promise<never>(() => {})
  }
  const real = clients.directory
  const directory: ClientsDirectory = {
    ...real,
    ...(ask === 'put' ? { put: (client) => forever(real.put(client)) } : {}),
    ...(ask === 'change' ? { change: (change) => forever(real.change(change)) } : {}),
    ...(ask === 'remove' ? { remove: (client) => forever(real.remove(client)) } : {}),
  }
  return { clients: { ...clients, directory }, stopped }
}

interface MadeClient {
  readonly id: string
  readonly secret: string
  readonly calls: Calls
}

async function made({ portal }: Company): Promise<MadeClient> {
  const response = await portal('POST', CLIENTS, { body: wanted })
  const [id, secret] = [String(response.body['client_id']), String(response.body['client_secret'])]
  return { id, secret, calls: await clientCalls(world, id, secret) }
}

/** Passes the time in which a call may still work on a change, and reconciles. */
async function reconcileLater(): Promise<void> {
  world.clock.advance(61_000)
  await reconcilePendingChanges(clients)
}

describe('a creation whose process stopped', () => {
  test('leaves no client: no route answers it, its purpose is free, and the directory deletes it', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const process = stoppingAfter('put')
    void createAccountClient(process.clients, actorOf(owner), { ...wanted, purpose: 'sync' })
    await process.stopped
    expect((await portal('GET', CLIENTS)).body).toMatchObject({ total: 0, items: [] })
    const [lost] = await clientsAtDirectory(owner)
    expect(keyOf(await portal('DELETE', `${CLIENTS}/${String(lost)}`))).toBe('account_clients.not_found')
    const again = await portal('POST', CLIENTS, { body: { ...wanted, purpose: 'sync' } })
    expect(again.status).toBe(201)
    await reconcileLater()
    expect(await clientsAtDirectory(owner)).toEqual([again.body['client_id']])
    expect(await rowsHere(owner)).toBe(1)
  })

  test('of a data client frees its service once no call can still work on it', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const id = (await addService(world, 'eu', owner.companyId)).serviceId
    const process = stoppingAfter('put')
    void createDataClient(process.clients, actorOf(owner), { companyId: owner.userId, id }, {})
    await process.stopped
    const path = `/api/services/${id}/client`
    expect(keyOf(await portal('GET', path))).toBe('services.client_not_found')
    expect(keyOf(await portal('POST', path))).toBe('idempotency.in_progress')
    world.clock.advance(61_000)
    const next = await portal('POST', path)
    expect(next.status).toBe(201)
    expect((await askToken(world, next.body['client_id'], next.body['client_secret'])).status).toBe(200)
    expect(await clientsAtDirectory(owner)).toEqual([next.body['client_id']])
  })
})

describe('a regeneration whose process stopped', () => {
  test('is repeated by its owner: the newest secret is valid, older tokens end', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    await stopInRegeneration(owner, client.id)
    expect(keyOf(await askToken(world, client.id, client.secret))).toBe('oauth.bad_client')
    const response = await portal('POST', `${CLIENTS}/${client.id}/regenerate-secret`)
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect((await askToken(world, client.id, response.body['client_secret'])).status).toBe(200)
    expect(await recovered(owner, client.id)).toBe(response.body['client_secret'])
  })

  test('is completed without its owner: older tokens end, and the unanswered secret can be recovered', async () => {
    const owner = await newOwner()
    const client = await made(owner)
    await stopInRegeneration(owner, client.id)
    await reconcileLater()
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    const secret = await recovered(owner, client.id)
    expect(secret).not.toBe(client.secret)
    expect((await askToken(world, client.id, secret)).status).toBe(200)
  })

  test('concurrent ones leave one valid secret, and its copy is the one that is kept', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    const path = `${CLIENTS}/${client.id}/regenerate-secret`
    const both = await Promise.all([portal('POST', path), portal('POST', path), portal('POST', path)])
    const secrets = both.map(({ body }) => body['client_secret'])
    const works = await Promise.all(
      secrets.map(async (secret) => (await askToken(world, client.id, secret)).status === 200),
    )
    expect(works.filter(Boolean)).toHaveLength(1)
    expect(await recovered(owner, client.id)).toBe(secrets[works.indexOf(true)])
  })
})

describe('a change whose process stopped', () => {
  test('is applied from the directory', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    const located = await locateAccountClient(clients, owner.userId, client.id)
    const process = stoppingAfter('change')
    void changeAccountClient(process.clients, actorOf(owner), located, {
      capabilities: [],
      redirect_uri: 'https://a.example/',
    })
    await process.stopped
    expect((await client.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
    await reconcileLater()
    expect(keyOf(await client.calls('GET', '/api/account/oauth-apps'))).toBe('auth.client_endpoint_forbidden')
    expect((await portal('GET', CLIENTS)).body['items']).toEqual([
      expect.objectContaining({ capabilities: [], redirect_uri: 'https://a.example/' }),
    ])
  })
})

describe('a deletion whose process stopped', () => {
  test('is completed by the next call', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    await stopInDeletion(owner, client.id)
    expect((await portal('DELETE', `${CLIENTS}/${client.id}`)).status).toBe(204)
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
  })

  test('is completed by any other call for the client, which answers 404', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    await stopInDeletion(owner, client.id)
    const response = await portal('POST', `${CLIENTS}/${client.id}/regenerate-secret`)
    expect([response.status, keyOf(response)]).toEqual([404, 'account_clients.not_found'])
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect(await rowsHere(owner)).toBe(0)
  })

  test('is completed without another call', async () => {
    const owner = await newOwner()
    const client = await made(owner)
    await stopInDeletion(owner, client.id)
    await reconcileLater()
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    expect(await rowsHere(owner)).toBe(0)
  })
})

describe('the owner of a client', () => {
  test('an erased account takes its clients with it', async () => {
    const owner = await newOwner()
    const client = await made(owner)
    await owner.erase()
    expect((await client.calls('GET', '/api/account')).status).toBe(401)
    await reconcilePendingChanges(clients)
    expect(await rowsHere(owner)).toBe(0)
    expect(keyOf(await askToken(world, client.id, client.secret))).toBe('oauth.bad_client')
  })

  test('a deleted service takes its data client with it, and no other client', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    const id = (await addService(world, 'eu', owner.companyId)).serviceId
    const response = await portal('POST', `/api/services/${id}/client`)
    const calls = await clientCalls(world, response.body['client_id'], response.body['client_secret'])
    expect((await calls('GET', '/api/company-data/whoami')).status).toBe(200)
    const { database } = world.eu.platform
    const revision = await database.transaction((tx) => endClientsOfService(clients, tx, owner.userId, id))
    await awaitGuards(database, revision ?? expect.fail('nothing ended'))
    expect(keyOf(await calls('GET', '/api/company-data/whoami'))).toBe('auth.token_invalid')
    await reconcilePendingChanges(clients)
    expect(keyOf(await askToken(world, response.body['client_id'], response.body['client_secret']))).toBe(
      'oauth.bad_client',
    )
    expect((await client.calls('GET', '/api/account')).status).toBe(200)
  })
})

// Last in this file: it closes the bus of the front door.
describe('while the directory is unreachable', () => {
  test('every change is refused, old secrets and tokens stay valid, and the same call succeeds when it is back', async () => {
    const owner = await newOwner()
    const { portal } = owner
    const client = await made(owner)
    const outage = await makeDirectoryUnreachable()
    const path = `${CLIENTS}/${client.id}`
    const changes: readonly (() => Promise<Answer>)[] = [
      () => portal('POST', CLIENTS, { body: { ...wanted, purpose: 'later' }, key: 'later' }),
      () => portal('PUT', `${path}/capabilities`, { body: { capabilities: [] } }),
      () => portal('POST', `${path}/regenerate-secret`, { key: 'later' }),
      () => portal('DELETE', path),
    ]
    for (const change of changes) {
      const response = await change()
      expect([response.status, keyOf(response)]).toEqual([503, 'region.unreachable'])
      expect(response.headers.get('retry-after')).toBe('5')
    }
    expect((await client.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
    expect((await askToken(world, client.id, client.secret)).status).toBe(200)
    expect((await portal('GET', CLIENTS)).body).toMatchObject({ total: 1 })
    await outage.end()
    const [created, changed, regenerated, deleted] = [
      await changes[0]?.(),
      await changes[1]?.(),
      await changes[2]?.(),
      await changes[3]?.(),
    ]
    expect([created?.status, changed?.status, regenerated?.status, deleted?.status]).toEqual([201, 200, 200, 204])
    expect(created?.body['client_secret']).toEqual(expect.any(String))
    expect(keyOf(await client.calls('GET', '/api/account'))).toBe('auth.token_invalid')
    await reconcileLater()
    expect(await clientsAtDirectory(owner)).toEqual([created?.body['client_id']])
  })
})

/** The directory answers no asks; the front door still serves. */
async function makeDirectoryUnreachable(): Promise<{ end(): Promise<void> }> {
  await world.frontDoor.platform.bus.close()
  return { end: async () => void (await world.anotherFrontDoor()) }
}

async function stopInRegeneration(owner: Company, id: string): Promise<void> {
  const located = await locateAccountClient(clients, owner.companyId, id)
  const process = stoppingAfter('change')
  void regenerateAccountClientSecret(process.clients, actorOf(owner), located)
  await process.stopped
}

async function stopInDeletion(owner: Company, id: string): Promise<void> {
  const located = await locateAccountClient(clients, owner.companyId, id)
  const process = stoppingAfter('remove')
  void deleteAccountClient(process.clients, actorOf(owner), located)
  await process.stopped
}

async function clientsAtDirectory({ companyId }: Company): Promise<readonly unknown[]> {
  const sql = 'select client_id from directory.client where user_id = $1 order by created_at'
  const rows = await world.rows<{ client_id: string }>(sql, [companyId], 'directory')
  return rows.map(({ client_id }) => client_id)
}

async function rowsHere({ companyId }: Company): Promise<number> {
  return (await world.rows('select 1 from clients.client where company_id = $1', [companyId])).length
}

async function recovered({ companyId, recoveryKeys }: Company, clientId: string): Promise<unknown> {
  const sql = 'select sealed from account.recovery_copy where company_id = $1 and ref_id = $2'
  const rows = await world.rows<{ sealed: string }>(sql, [companyId, clientId])
  const platform = createCryptoPlatform(globalThis)
  const key = await importOpeningKey(platform, recoveryKeys?.privateKey ?? expect.fail('a company has them'))
  if (!key.ok) expect.fail(key.refusal)
  const opened = await openWrapper(platform, key.value, rows[0]?.sealed ?? '')
  return opened.ok ? opened.value : opened.refusal
}
