import { DIRECTORY } from '@sealpost/bus'
import {
  changeClientAsk,
  listClientsAsk,
  putAccountAsk,
  putClientAsk,
  raiseEpochAsk,
  removeClientAsk,
} from '@sealpost/protocol'
import { type CompanyPersona, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const { ids } = world.eu.platform

describe('an account', () => {
  test('can be put by its home region only', async () => {
    const userId = ids.uuid()
    await expect(putAccount('us', userId, 'eu')).rejects.toMatchObject({ key: 'request.invalid' })
    expect(await accountOf(userId)).toBeUndefined()
    await putAccount('eu', userId, 'eu')
    expect(await accountOf(userId)).toEqual({ region: 'eu', level: 'pro', user_type: 'company' })
  })

  test('cannot be moved by another region', async () => {
    const before = await accountOf(northwind.companyId)
    const taken = putAccount('us', northwind.companyId, 'us', 'free')
    await expect(taken).rejects.toMatchObject({ key: 'request.invalid' })
    expect(await accountOf(northwind.companyId)).toEqual(before)
  })

  test('put again stays as it was, also when other members differ', async () => {
    const userId = ids.uuid()
    const first = await putAccount('us', userId, 'us', 'free')
    expect(await putAccount('us', userId, 'us', 'enterprise')).toEqual(first)
    expect(await accountOf(userId)).toMatchObject({ region: 'us', level: 'free' })
  })
})

describe('a client', () => {
  test('another region’s client gets the same refusal as one of a missing account', async () => {
    for (const companyId of [northwind.companyId, ids.uuid<typeof northwind.companyId>()]) {
      const put = putClient('us', { ...northwind, companyId, clientId: ids.clientId('svc'), serviceId: ids.uuid() })
      await expect(put).rejects.toMatchObject({ key: 'services.client_not_found' })
    }
    const stolen = putClient('us', { ...northwind, clientSecret: 'planted' })
    await expect(stolen).rejects.toMatchObject({ key: 'services.client_not_found' })
    expect(await world.token(northwind)).toEqual(expect.any(String))
  })

  test('keeps its tokens when another region asks to end them', async () => {
    const before = await epochOf(northwind)
    for (const companyId of [northwind.companyId, harborline.companyId]) {
      const ended = raiseEpoch('us', { ...northwind, companyId })
      await expect(ended).rejects.toMatchObject({ key: 'services.client_not_found' })
    }
    expect(await epochOf(northwind)).toBe(before)
    expect(await raiseEpoch('eu', northwind)).toEqual({ epoch: before + 1 })
  })

  test('put again has the newest secret and its epoch', async () => {
    const client = await freshClient()
    expect(await putClient('eu', client)).toMatchObject({ epoch: 1, rev: 1 })
    await raiseEpoch('eu', client)
    const renewed = { ...client, clientSecret: ids.clientSecret() }
    expect(await putClient('eu', renewed)).toMatchObject({ epoch: 2, rev: 3 })
    expect(await world.token(renewed)).toEqual(expect.any(String))
    await expect(world.token(client)).rejects.toThrow('oauth.bad_client')
  })

  test('exists once: another owner, kind or service is refused, and so is a second data client of its service', async () => {
    const client = await freshClient()
    const neighbour = await freshClient()
    await putClient('eu', client)
    const clientSecret = ids.clientSecret()
    const attempts = [
      () => putClient('eu', { ...client, clientSecret, companyId: neighbour.companyId }),
      () => putClient('eu', { ...client, clientSecret, serviceId: neighbour.serviceId }),
      () => putClient('eu', { ...client, clientSecret, serviceId: null }, 'acct'),
      () => putClient('eu', { ...client, clientSecret, clientId: ids.clientId('svc') }),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ key: 'services.client_exists' })
    expect(await world.token(client)).toEqual(expect.any(String))
  })
})

describe('asks of a region about its clients', () => {
  test('a new secret ends the old one and all tokens together; another region cannot set one', async () => {
    const client = await freshClient()
    await putClient('eu', client)
    const value = ids.clientSecret()
    const least = { rev: 1, epoch: 1 }
    const change = { client_id: client.clientId, user_id: client.companyId, secret: { id: ids.uuid(), value }, least }
    const stolen = world.us.platform.bus.ask(changeClientAsk, { to: DIRECTORY, id: ids.uuid(), body: change })
    await expect(stolen).rejects.toMatchObject({ key: 'services.client_not_found' })
    const id = ids.uuid()
    for (let times = 0; times < 2; times += 1) {
      const shown = await world.eu.platform.bus.ask(changeClientAsk, { to: DIRECTORY, id, body: change })
      expect(shown).toMatchObject({ epoch: 2, rev: 2, secret_id: change.secret.id, patterns: ['/api/*'] })
      expect(JSON.stringify(shown)).not.toContain(value)
    }
    await expect(world.token(client)).rejects.toThrow('oauth.bad_client')
    expect(await world.token({ ...client, clientSecret: value })).toEqual(expect.any(String))
  })

  test('a restored directory continues from the revision and epoch that the region has seen', async () => {
    const client = await freshClient()
    await putClient('eu', client)
    const body = { client_id: client.clientId, user_id: client.companyId, least: { rev: 40, epoch: 7 } }
    const secret = { id: ids.uuid(), value: ids.clientSecret() }
    const change = (more: object) =>
      world.eu.platform.bus.ask(changeClientAsk, { to: DIRECTORY, id: ids.uuid(), body: { ...body, ...more } })
    expect(await change({ name: 'Other' })).toMatchObject({ rev: 41, epoch: 7, name: 'Other' })
    expect(await change({ secret })).toMatchObject({ rev: 42, epoch: 8 })
  })

  test('another region cannot remove a client; the home can, and may repeat it', async () => {
    const client = await freshClient()
    await putClient('eu', client)
    const body = { client_id: client.clientId, user_id: client.companyId }
    await world.us.platform.bus.ask(removeClientAsk, { to: DIRECTORY, id: ids.uuid(), body })
    expect(await world.token(client)).toEqual(expect.any(String))
    for (let times = 0; times < 2; times += 1) {
      await world.eu.platform.bus.ask(removeClientAsk, { to: DIRECTORY, id: ids.uuid(), body })
      await expect(world.token(client)).rejects.toThrow('oauth.bad_client')
    }
  })

  test('a region lists all of its clients, page by page, and no others', async () => {
    const company = await freshClient()
    const made = Array.from({ length: 120 }, () => ({
      ...company,
      clientId: ids.clientId('svc'),
      serviceId: ids.uuid(),
    }))
    for (const client of made)
      await putClient('eu', { ...client, serviceId: client.serviceId as CompanyPersona['serviceId'] })
    const seen: string[] = []
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const body = after === undefined ? {} : { after }
      const page = await world.eu.platform.bus.ask(listClientsAsk, { to: DIRECTORY, body })
      seen.push(...page.clients.map(({ client_id }) => client_id))
      if (!page.has_more) break
    }
    expect(seen).toEqual(expect.arrayContaining([northwind.clientId, ...made.map(({ clientId }) => clientId)]))
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).not.toContain(harborline.clientId)
    const { clients } = await world.us.platform.bus.ask(listClientsAsk, {
      to: DIRECTORY,
      body: { client_id: northwind.clientId },
    })
    expect(clients).toEqual([])
  })
})

type Client = Omit<CompanyPersona, 'serviceId'> & { readonly serviceId: CompanyPersona['serviceId'] | null }

async function freshClient(): Promise<CompanyPersona> {
  const companyId: CompanyPersona['companyId'] = ids.uuid()
  await putAccount('eu', companyId, 'eu')
  const clientId = ids.clientId('svc')
  return { ...northwind, companyId, serviceId: ids.uuid(), clientId, clientSecret: ids.clientSecret() }
}

function putAccount(
  from: 'eu' | 'us',
  userId: string,
  region: string,
  level: 'free' | 'pro' | 'enterprise' = 'pro',
): Promise<unknown> {
  const { kdf } = northwind.login
  const email = userId === northwind.companyId ? northwind.email : `${userId}@example.com`
  const body = { user_id: userId, user_type: 'company' as const, region, level, email, kdf, public_key: null }
  return world[from].platform.bus.ask(putAccountAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function putClient(from: 'eu' | 'us', client: Client, kind: 'svc' | 'acct' = 'svc'): Promise<{ epoch: number }> {
  const { clientId: client_id, companyId: user_id, serviceId: service_id, clientSecret: value } = client
  const facts = { name: 'A client', purpose: null, capabilities: [], patterns: ['/api/*'], redirect_uris: [] }
  const secret = { id: ids.uuid(), value }
  const body = { client_id, kind, user_id, service_id, ...facts, is_confidential: true, secret }
  return world[from].platform.bus.ask(putClientAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function raiseEpoch(from: 'eu' | 'us', { clientId, companyId }: Client): Promise<{ epoch: number }> {
  const body = { client_id: clientId, user_id: companyId }
  return world[from].platform.bus.ask(raiseEpochAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

async function accountOf(userId: string): Promise<unknown> {
  const sql = 'select region, level, user_type from directory.account where user_id = $1'
  return (await world.rows(sql, [userId], 'directory'))[0]
}

async function epochOf({ clientId }: CompanyPersona): Promise<number> {
  const sql = 'select epoch from directory.client where client_id = $1'
  const [row] = await world.rows<{ epoch: number }>(sql, [clientId], 'directory')
  return row?.epoch ?? 0
}
