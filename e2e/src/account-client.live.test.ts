import { capabilities } from '@sealpost/protocol'
import { AccountClient, isSealpostError, memoryPins, type SealpostError } from '@sealpost/sdk'
import { openWorld, sealTo } from '@sealpost/testkit'
import { createServiceKey } from '@sealpost/vault'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const { harborline } = await world.personas('harborline')
const portal = new AccountClient({ accessToken: () => Promise.resolve(harborline) })
const { clientId, clientSecret } = await harborline.accountClient(capabilities)
const account = clientWith(clientId, clientSecret)

function clientWith(id: string, secret: string | null): AccountClient {
  const credentials = { frontDoorUrl: world.frontDoor.url, clientId: id, clientSecret: secret ?? '' }
  return new AccountClient({ ...credentials, pins: memoryPins() })
}

async function refusal(call: Promise<unknown>): Promise<Pick<SealpostError, 'key' | 'status'>> {
  const error = await call.catch((thrown: unknown) => thrown)
  if (!isSealpostError(error)) throw new Error('not refused')
  return { key: error.key, status: error.status }
}

async function readAll<T>(items: AsyncGenerator<T>): Promise<readonly T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

describe('an account client', () => {
  test('finds its company in its home region and renames it', async () => {
    expect(await account.read()).toMatchObject({ id: harborline.companyId, region: 'us', level: 'pro' })
    expect(await account.changeProfile({ display_name: 'Harborline' })).toEqual({
      display_name: 'Harborline',
      language: 'en',
    })
    expect(await account.readProfile()).toMatchObject({ display_name: 'Harborline' })
  })

  test('gets an error key for each call it may not make', async () => {
    const forbidden = { key: 'auth.client_endpoint_forbidden', status: 403 }
    expect(await refusal(account.changeProfile({ language: 'de' }))).toEqual(forbidden)
    expect(await refusal(account.readKey())).toEqual(forbidden)
    expect(await refusal(account.clients.list().next())).toEqual(forbidden)
    expect(await refusal(account.security.readSecondFactor())).toEqual(forbidden)
  })

  test('reads, changes and renews the data client of a service', async () => {
    const { serviceId, clientId: client_id } = harborline
    expect(await account.dataClients.read(serviceId)).toMatchObject({ client_id, redirect_uri: null })
    const changed = await account.dataClients.change(serviceId, { redirect_uri: 'https://bank.example/back' })
    expect(changed.grant_types).toContain('authorization_code')
    expect(await refusal(account.dataClients.create(serviceId))).toMatchObject({ key: 'services.client_exists' })
    const { client_secret } = await account.dataClients.regenerateSecret(serviceId)
    expect(client_secret).toMatch(/^[\w-]{43}$/)
  })

  test('creates, reads, changes and deletes a sign-in app; the same idempotency key creates it once', async () => {
    const { publicKey, encryptedPrivateKey } = await createServiceKey()
    const app = {
      name: 'Online banking',
      redirect_uris: ['https://bank.example/in'],
      public_key: publicKey,
      encrypted_private_key: encryptedPrivateKey,
    }
    const made = await account.signInApps.create(app, { idempotencyKey: 'one-app' })
    const again = await account.signInApps.create(app, { idempotencyKey: 'one-app' })
    expect(again).toEqual({ ...made, client_secret: null })
    expect((await readAll(account.signInApps.list())).map(({ client_id }) => client_id)).toEqual([made.client_id])
    const changed = await account.signInApps.change(made.client_id, { redirect_uris: ['https://bank.example/new'] })
    expect(changed.redirect_uris).toEqual(['https://bank.example/new'])
    expect(await account.signInApps.read(made.client_id)).toMatchObject({ encrypted_private_key: encryptedPrivateKey })
    await account.signInApps.delete(made.client_id)
    expect(await refusal(account.signInApps.read(made.client_id))).toEqual({ key: 'oauth_apps.not_found', status: 404 })
  })

  test('stores a recovery copy that the portal can request', async () => {
    const { public_key } = await account.recoveryCopies.readKey()
    const sealed = await sealTo(public_key, 'a passphrase')
    const copy = { kind: 'service_passphrase', ref_id: harborline.serviceId, sealed } as const
    const stored = await account.recoveryCopies.store(copy)
    expect(await readAll(portal.recoveryCopies.list())).toContainEqual(stored)
    expect(await portal.recoveryCopies.requestCode()).toEqual({ status: 'mail_sent' })
    const code = await world.mail.waitForCode(harborline.email)
    const { authVerifier: auth_verifier } = harborline
    const opened = await portal.recoveryCopies.open({ copy_id: stored.id, auth_verifier, code })
    expect(opened.sealed).toBe(copy.sealed)
  })

  test('adds a delegate, hands over a key, and removes the delegate', async () => {
    const { shareCode: share_code } = await world.person({ region: 'eu' })
    const services = [harborline.serviceId]
    const made = await account.delegates.create({ share_code, role: 'operator', services })
    const sealed = await sealTo(made.public_key ?? '', 'a passphrase')
    const keyed = await account.delegates.handOverKey(made.id, harborline.serviceId, sealed)
    expect(keyed.keyed_services).toEqual(services)
    expect(await readAll(account.delegates.list())).toEqual([keyed])
    await account.delegates.delete(made.id)
    expect(await readAll(account.delegates.list())).toEqual([])
  })
})

describe('a portal login', () => {
  test('reads who did what in the audit log', async () => {
    const made = await portal.clients.create({ name: 'Short-lived', capabilities: [] })
    await portal.clients.delete(made.client_id)
    const [newest] = await readAll(portal.audit())
    expect(newest).toMatchObject({ actor_id: harborline.companyId, ref: made.client_id })
  })

  test('a client that is deleted or has a new secret is refused at once', async () => {
    const made = await portal.clients.create({ name: 'Short-lived', capabilities: [] })
    const old = clientWith(made.client_id, made.client_secret)
    await old.read()
    const { client_secret } = await portal.clients.regenerateSecret(made.client_id)
    expect(await refusal(old.read())).toEqual({ key: 'oauth.bad_client', status: 401 })
    expect(await clientWith(made.client_id, client_secret).read()).toMatchObject({ id: harborline.companyId })
    await portal.clients.delete(made.client_id)
    expect(await refusal(portal.clients.delete(made.client_id))).toMatchObject({ key: 'account_clients.not_found' })
  })

  test('adds, changes and deletes plugins, and switches a built-in on', async () => {
    const { plugin, pass } = await portal.plugins.create({ base_url: 'https://sdk.example.com', token: 'a-token' })
    expect(pass).toEqual(expect.any(String))
    expect(plugin).toMatchObject({ base_url: 'https://sdk.example.com', token: '••••' })
    expect(await portal.plugins.changeToken(plugin.id, null)).toMatchObject({ token: null })
    expect(await portal.plugins.createRegistryPass(plugin.id)).toMatchObject({ pass: expect.any(String) })
    const on = await portal.plugins.enableBuiltin('iso_lists')
    expect(await portal.plugins.listBuiltins()).toMatchObject([{ key: 'iso_lists', enabled: true }])
    expect((await readAll(portal.plugins.list())).map(({ id }) => id)).toEqual([plugin.id, on.plugin.id])
    await portal.plugins.delete(plugin.id)
    expect(await refusal(portal.plugins.delete(plugin.id))).toMatchObject({ key: 'plugins.not_found' })
    await portal.plugins.delete(on.plugin.id)
    expect(await readAll(portal.plugins.list())).toEqual([])
  })
})
