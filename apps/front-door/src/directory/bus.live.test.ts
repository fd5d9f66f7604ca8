import { DIRECTORY } from '@sealpost/bus'
import { runStatement } from '@sealpost/postgres'
import { putAccountAsk, putClientAsk, raiseEpochAsk } from '@sealpost/protocol'
import {
  type CompanyPersona,
  fixedClock,
  fixedIds,
  harborline,
  northwind,
  startTwoRegions,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ids = fixedIds(fixedClock(), 77)
let sites: TwoRegions

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '6000' })
})
afterAll(() => sites.close())

describe('an account', () => {
  test('is put by the region it lives in only', async () => {
    const userId = ids.uuid()
    await expect(putAccount('us', userId, 'eu')).rejects.toMatchObject({ key: 'request.invalid' })
    expect(await accountOf(userId)).toBeUndefined()
    await putAccount('eu', userId, 'eu')
    expect(await accountOf(userId)).toEqual({ region: 'eu', level: 'pro', user_type: 'company' })
  })

  test('is not moved by another region that claims it', async () => {
    const before = await accountOf(northwind.companyId)
    const taken = putAccount('us', northwind.companyId, 'us', 'free')
    await expect(taken).rejects.toMatchObject({ key: 'request.invalid' })
    expect(await accountOf(northwind.companyId)).toEqual(before)
  })

  test('takes a new level from its home', async () => {
    const userId = ids.uuid()
    for (const level of ['free', 'enterprise'] as const) await putAccount('us', userId, 'us', level)
    expect(await accountOf(userId)).toMatchObject({ region: 'us', level: 'enterprise' })
  })
})

describe('a client', () => {
  test('of an account elsewhere is as unknown as one of no account', async () => {
    for (const companyId of [northwind.companyId, ids.uuid<typeof northwind.companyId>()]) {
      const put = putClient('us', { ...northwind, companyId, clientId: ids.clientId('svc'), serviceId: ids.uuid() })
      await expect(put).rejects.toMatchObject({ key: 'services.client_not_found' })
    }
    const stolen = putClient('us', { ...northwind, clientSecret: 'planted' })
    await expect(stolen).rejects.toMatchObject({ key: 'services.client_not_found' })
    expect(await sites.token(northwind)).toEqual(expect.any(String))
  })

  test('keeps its tokens when another region wants them ended', async () => {
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
    expect(await putClient('eu', client)).toEqual({ epoch: 1 })
    await raiseEpoch('eu', client)
    const renewed = { ...client, clientSecret: ids.clientSecret() }
    expect(await putClient('eu', renewed)).toEqual({ epoch: 2 })
    expect(await sites.token(renewed)).toEqual(expect.any(String))
    await expect(sites.token(client)).rejects.toThrow('oauth.bad_client')
  })

  test('exists once: not for another owner, kind or service, nor beside another one of its service', async () => {
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
    expect(await sites.token(client)).toEqual(expect.any(String))
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
  const body = { user_id: userId, user_type: 'company' as const, region, level }
  return sites[from].core.bus.ask(putAccountAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function putClient(from: 'eu' | 'us', client: Client, kind: 'svc' | 'acct' = 'svc'): Promise<{ epoch: number }> {
  const { clientId: client_id, companyId: user_id, serviceId: service_id, clientSecret: client_secret } = client
  const body = { client_id, kind, user_id, service_id, client_secret }
  return sites[from].core.bus.ask(putClientAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

function raiseEpoch(from: 'eu' | 'us', { clientId, companyId }: Client): Promise<{ epoch: number }> {
  const body = { client_id: clientId, user_id: companyId }
  return sites[from].core.bus.ask(raiseEpochAsk, { to: DIRECTORY, id: ids.uuid(), body })
}

async function accountOf(userId: string): Promise<unknown> {
  const sql = 'select region, level, user_type from directory.account where user_id = $1'
  const rows = await sites.frontDoor.composed.database.read((read) => runStatement<object>(read, sql, [userId]))
  return rows[0]
}

async function epochOf({ clientId }: CompanyPersona): Promise<number> {
  const sql = 'select epoch from directory.client where client_id = $1'
  const { database } = sites.frontDoor.composed
  const rows = await database.read((read) => runStatement<{ epoch: number }>(read, sql, [clientId]))
  return rows[0]?.epoch ?? 0
}
