import { type Answer, askToken, clientCalls, keyOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { createManagedClient } from './operations/account-clients.ts'
import { newAccountClientToWire } from './wire.ts'

const CLIENTS = '/api/account/clients'
const wanted = { name: 'Importer', capabilities: ['oauth_apps', 'service_management'] }

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const { portal } = northwind

const create = (body: unknown): Promise<Answer> => portal('POST', CLIENTS, { body })

describe('PUT /api/account/clients/{id}/capabilities', () => {
  test('replaces the groups at once, keeps the baseline, name and purpose [CLIENT-25] [CLIENT-26] [CLIENT-24]', async () => {
    const made = await create({ ...wanted, purpose: 'stays', redirect_uri: 'https://a.example/' })
    const path = `${CLIENTS}/${String(made.body['client_id'])}/capabilities`
    const asClient = await clientCalls(world, made.body['client_id'], made.body['client_secret'])
    expect((await asClient('GET', '/api/account/oauth-apps')).status).toBe(200)
    const response = await portal('PUT', path, { body: { capabilities: [], purpose: 'changed', name: 'changed' } })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      name: 'Importer',
      purpose: 'stays',
      capabilities: [],
      redirect_uri: 'https://a.example/',
    })
    expect(keyOf(await asClient('GET', '/api/account/oauth-apps'))).toBe('auth.client_endpoint_forbidden')
    expect((await asClient('GET', '/api/account')).status).toBe(200)
    const cleared = await portal('PUT', path, { body: { capabilities: ['oauth_apps'], redirect_uri: null } })
    expect(cleared.body).toMatchObject({ capabilities: ['oauth_apps'], redirect_uri: null })
    expect((await asClient('GET', '/api/account/oauth-apps')).status).toBe(200)
    expect(await directoryFacts(made.body['client_id'])).toMatchObject({
      redirect_uris: [],
      capabilities: ['oauth_apps'],
    })
  })

  test('an invalid body changes nothing', async () => {
    const made = await create(wanted)
    const path = `${CLIENTS}/${String(made.body['client_id'])}/capabilities`
    for (const [body, key] of [
      [{}, 'account_clients.capabilities_invalid'],
      [{ capabilities: ['x'] }, 'account_clients.capabilities_invalid'],
      [{ capabilities: [], redirect_uri: 'x' }, 'account_clients.redirect_uri_invalid'],
    ] as const) {
      const response = await portal('PUT', path, { body })
      expect([response.status, keyOf(response)]).toEqual([400, key])
    }
    expect(await directoryFacts(made.body['client_id'])).toMatchObject({ rev: 1 })
  })
})

describe('POST /api/account/clients/{id}/regenerate-secret', () => {
  test('ends the old secret and every token, on every process, when it answers [CLIENT-27]', async () => {
    const second = await world.another('eu')
    const made = await create(wanted)
    const { client_id, client_secret } = made.body
    const asClient = await clientCalls(world, client_id, client_secret)
    for (const url of [world.eu.url, second.url]) {
      expect((await asClient('GET', '/api/account', { url: url ?? '' })).status).toBe(200)
    }
    const response = await portal('POST', `${CLIENTS}/${String(client_id)}/regenerate-secret`)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ client_id, client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
    for (const url of [world.eu.url, second.url]) {
      expect(keyOf(await asClient('GET', '/api/account', { url: url ?? '' }))).toBe('auth.token_invalid')
    }
    expect(keyOf(await askToken(world, client_id, client_secret))).toBe('oauth.bad_client')
    const renewed = await clientCalls(world, client_id, response.body['client_secret'])
    for (const url of [world.eu.url, second.url]) {
      expect((await renewed('GET', '/api/account', { url: url ?? '' })).status).toBe(200)
    }
  })

  test('a repeated call with the same key regenerates once and does not answer the secret again', async () => {
    const made = await create(wanted)
    const path = `${CLIENTS}/${String(made.body['client_id'])}/regenerate-secret`
    const first = await portal('POST', path, { key: 'regenerate-once' })
    const again = await portal('POST', path, { key: 'regenerate-once' })
    expect(again.body).toEqual({ ...first.body, client_secret: null })
    expect((await askToken(world, made.body['client_id'], first.body['client_secret'])).status).toBe(200)
  })
})

describe('DELETE /api/account/clients/{id}', () => {
  test('deletes rows, patterns, tokens and the secret [CLIENT-28]', async () => {
    const made = await create({ ...wanted, purpose: 'goes' })
    const { client_id, client_secret } = made.body
    const asClient = await clientCalls(world, client_id, client_secret)
    expect((await asClient('GET', '/api/account')).status).toBe(200)
    const response = await portal('DELETE', `${CLIENTS}/${String(client_id)}`)
    expect([response.status, response.text]).toEqual([204, ''])
    expect(keyOf(await asClient('GET', '/api/account'))).toBe('auth.token_invalid')
    expect(keyOf(await askToken(world, client_id, client_secret))).toBe('oauth.bad_client')
    expect(await directoryFacts(client_id)).toBeUndefined()
    for (const table of [
      'clients.client',
      'clients.pending_change',
      'clients.purpose',
      'access.client',
      'account.recovery_copy',
    ]) {
      expect(await mentions(table, String(client_id))).toBe(0)
    }
    expect(keyOf(await portal('DELETE', `${CLIENTS}/${String(client_id)}`))).toBe('account_clients.not_found')
    expect((await create({ ...wanted, purpose: 'goes' })).status).toBe(201)
  })
})

test('another company’s client answers the same bytes as an unknown id, on every route [CLIENT-29]', async () => {
  const { portal: other } = harborline
  const theirs = String((await other('POST', CLIENTS, { body: wanted })).body['client_id'])
  const unknown = `acct_${'u'.repeat(24)}`
  const routes: readonly (readonly ['PUT' | 'POST' | 'DELETE', (id: string) => string])[] = [
    ['PUT', (id) => `${CLIENTS}/${id}/capabilities`],
    ['POST', (id) => `${CLIENTS}/${id}/regenerate-secret`],
    ['DELETE', (id) => `${CLIENTS}/${id}`],
  ]
  for (const [method, path] of routes) {
    for (const body of [{ capabilities: [] }, { capabilities: 'nonsense' }]) {
      const answers = await Promise.all(
        [unknown, theirs, northwind.clientId, 'not-an-id'].map((id) => portal(method, path(id), { body })),
      )
      for (const { status, text } of answers) expect([status, text]).toEqual([404, answers[0]?.text])
      expect(keyOf(answers[0] as Answer)).toBe('account_clients.not_found')
    }
  }
  expect((await other('GET', CLIENTS)).text).toContain(theirs)
})

test('a managed client can be listed and deleted, and nothing else [CLIENT-30]', async () => {
  const { clients } = world.eu.modules
  const created = await createManagedClient(clients, northwind.companyId, { ...wanted, purpose: 'crm:sync' })
  const managed = newAccountClientToWire(created)
  const path = `${CLIENTS}/${managed.client_id}`
  expect((await portal('GET', `${CLIENTS}?limit=500`)).text).toContain(managed.client_id)
  for (const [method, route] of [
    ['PUT', `${path}/capabilities`],
    ['POST', `${path}/regenerate-secret`],
  ] as const) {
    const response = await portal(method, route, { body: { capabilities: [] } })
    expect([response.status, keyOf(response)]).toEqual([409, 'account_clients.purpose_managed'])
  }
  expect((await askToken(world, managed.client_id, managed.client_secret)).status).toBe(200)
  expect((await portal('DELETE', path)).status).toBe(204)
})

async function directoryFacts(clientId: unknown): Promise<Record<string, unknown> | undefined> {
  const sql = 'select redirect_uris, capabilities, rev::int as rev from directory.client where client_id = $1'
  const [row] = await world.rows<Record<string, unknown>>(sql, [clientId], 'directory')
  return row
}

async function mentions(table: string, text: string): Promise<number> {
  const sql = `select count(*)::int as n from ${table} t where to_jsonb(t)::text like '%' || $1 || '%'`
  const [row] = await world.rows<{ n: number }>(sql, [text])
  return row?.n ?? -1
}
