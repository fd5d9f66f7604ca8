import { askToken, type Calls, clientCalls, keyOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'
import { backUpTables } from './testing/table-backup.ts'

const CLIENTS = '/api/account/clients'
const wanted = { name: 'Importer', capabilities: ['oauth_apps'] }
/** In the order in which rows can be put back. */
const TABLES = ['clients.client', 'clients.purpose', 'clients.pending_change', 'clients.signin_app', 'access.client']

// Of its own, because tables of all companies are put back.
const world = await openWorld({ own: true })
const company = await world.company()
const { portal } = company

test('clients of a restored region are what the directory says they are', async () => {
  const [ended, renewed, changed, same] = [await made(), await made(), await made(), await made()]
  const backup = await backUpTables(world, TABLES)
  await portal('DELETE', `${CLIENTS}/${ended.id}`)
  const { body: regenerated } = await portal('POST', `${CLIENTS}/${renewed.id}/regenerate-secret`)
  await portal('PUT', `${CLIENTS}/${changed.id}/capabilities`, { body: { capabilities: [] } })
  const late = await made({ ...wanted, purpose: 'late', redirect_uri: 'https://late.example/' })
  // The service itself was in the backup, as a lost one takes its client with it.
  const service = await world.service([], { company, name: 'Late' })
  expect((await service.data('GET', '/api/company-data/whoami')).status).toBe(200)
  const { publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = service
  const wantedApp = { name: 'Late app', redirect_uris: [], public_key, encrypted_private_key }
  const { body: app } = await portal('POST', '/api/account/oauth-apps', { body: wantedApp })
  await backup.putBack()

  const stdout = await runCommand('restored', world.environment.eu)
  expect(stdout).toContain('1 removed, 2 put back, 2 renewed')
  expect(stdout).toContain(String(app['client_id']))
  expect(stdout).toMatch(/incarnation \d+/)

  expect(keyOf(await ended.calls('GET', '/api/account'))).toBe('auth.token_invalid')
  expect(keyOf(await renewed.calls('GET', '/api/account'))).toBe('auth.token_invalid')
  expect((await askToken(world, renewed.id, regenerated['client_secret'])).status).toBe(200)
  expect(keyOf(await changed.calls('GET', '/api/account/oauth-apps'))).toBe('auth.client_endpoint_forbidden')
  expect((await same.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
  expect((await late.calls('GET', '/api/account/oauth-apps')).status).toBe(200)
  expect((await service.data('GET', '/api/company-data/whoami')).status).toBe(200)
  const { body } = await portal('GET', `${CLIENTS}?limit=500`)
  const shown = (body['items'] as Record<string, unknown>[]).find(({ client_id }) => client_id === late.id)
  expect(shown).toMatchObject({ ...wanted, purpose: 'late', redirect_uri: 'https://late.example/' })
  expect(keyOf(await portal('POST', CLIENTS, { body: { ...wanted, purpose: 'late' } }))).toBe(
    'account_clients.purpose_taken',
  )
  expect((await portal('DELETE', `${CLIENTS}/${late.id}`)).status).toBe(204)
  expect((await portal('DELETE', `${service.path}/client`)).status).toBe(204)

  expect(await runCommand('restored', world.environment.eu)).toContain('0 removed, 0 put back, 0 renewed')
})

async function made(body: object = wanted): Promise<{ readonly id: string; readonly calls: Calls }> {
  const response = await portal('POST', CLIENTS, { body })
  const id = String(response.body['client_id'])
  return { id, calls: await clientCalls(world, id, response.body['client_secret']) }
}
