import { generateKeyPair } from '@sealpost/crypto'
import { beforeAll, expect, test } from 'vitest'
import { optionsFor, refusal, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { AccountClient, AccountKey, type KeyPins, ServiceKey } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'
import { fingerprintOf } from '../keys/public-key.ts'

const COMPANY = '0196a8c4-5e6f-7a10-8b2c-000000000001'
const SERVICE = '0196a8c4-5e6f-7a10-8b2c-000000000002'

let recoveryPublicKey = ''
let recoveryKey: AccountKey

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  recoveryPublicKey = publicKey
  recoveryKey = await AccountKey.fromPkcs8(privateKey.reveal())
})

async function startCompany(
  pins: KeyPins = new Map(),
  reply: (received: Received) => Reply | undefined = () => undefined,
) {
  let stored: Readonly<Record<string, unknown>> = {}
  const region = await startRegion((received) => {
    const { method, path, body } = received
    const own = reply(received)
    if (own !== undefined) return own
    if (path === '/api/account/recovery-key') return { status: 200, json: { public_key: recoveryPublicKey } }
    if (path === '/api/account/recovery-copies') return { status: 201, json: copy }
    if (path === '/api/account') return { status: 200, json: account }
    if (method === 'POST') stored = JSON.parse(body)
    const { public_key, encrypted_private_key } = stored
    if (path.endsWith('/private-key'))
      return { status: 200, json: { public_key, encrypted_private_key, sealed_passphrase: null } }
    return { status: 201, json: { ...service, public_key } }
  })
  const frontDoor = await startFrontDoor(() => region.url)
  return {
    region,
    account: new AccountClient({ ...optionsFor(frontDoor), pins }),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

test('the passphrase opens the key and is not sent, and its copy opens with the recovery key only', async () => {
  await using company = await startCompany()

  const made = await company.account.services.create({ name: 'Rentals', admin_email: 'desk@example.com' })

  expect(made.passphrase).toMatch(/^[\w-]{43}$/)
  expect(made.recovery_copy_id).toBe(copy.id)
  const sent = company.region.received.map(({ path, body, headers }) => `${path} ${body} ${JSON.stringify(headers)}`)
  expect(sent.join('\n')).not.toContain(made.passphrase)
  const copied = company.region.received.find(({ path }) => path === '/api/account/recovery-copies')
  const { kind, ref_id, sealed } = JSON.parse(copied?.body ?? '')
  expect({ kind, ref_id }).toEqual({ kind: 'service_passphrase', ref_id: SERVICE })
  expect(await recoveryKey.open(sealed)).toBe(made.passphrase)
  const pem = await company.account.services.exportPem(SERVICE, made.passphrase, 'another')
  expect(await ServiceKey.fromPem(pem, 'another')).toBeInstanceOf(ServiceKey)
  expect(await company.account.services.openKey(SERVICE, made.passphrase)).toBeInstanceOf(ServiceKey)
})

test('a key that was made before its service is stored as it is, and its file opens with the same passphrase', async () => {
  await using company = await startCompany()
  const key = await company.account.services.makeKey()
  const pem = await company.account.services.pemOfNewKey(key)

  const made = await company.account.services.create({ name: 'Rentals', admin_email: 'desk@example.com' }, { key })

  expect(made.passphrase).toBe(key.passphrase)
  expect(made.service.public_key).toBe(key.publicKey)
  expect((await ServiceKey.fromPem(pem, key.passphrase)).publicKey).toBe(key.publicKey)
  expect(company.region.received.map(({ body }) => body).join('\n')).not.toContain(key.passphrase)
})

test('without a stored copy the service and its passphrase are still returned', async () => {
  await using company = await startCompany(new Map(), ({ path }) =>
    path === '/api/account/recovery-copies' ? refusal(403, 'auth.client_endpoint_forbidden') : undefined,
  )

  const made = await company.account.services.create({ name: 'Rentals', admin_email: 'desk@example.com' })
  expect(made).toMatchObject({ service: { id: SERVICE }, recovery_copy_id: null })
  expect(made.passphrase).toHaveLength(43)
  expect(made.recovery_error).toMatchObject({ key: 'auth.client_endpoint_forbidden' })
})

test('nothing is sealed to a changed recovery key', async () => {
  const pins = new Map([['recovery:own', 'ab'.repeat(32)]])
  await using company = await startCompany(pins)

  const made = await company.account.services.create({ name: 'Rentals', admin_email: 'desk@example.com' })
  expect(made.recovery_error).toMatchObject({
    name: 'KeyChangedError',
    received: await fingerprintOf(recoveryPublicKey),
  })
  expect(company.region.received.map(({ path }) => path)).not.toContain('/api/account/recovery-copies')
})

test('with recoveryCopy false the recovery key is not read', async () => {
  await using company = await startCompany()

  const wish = { name: 'Rentals', admin_email: 'desk@example.com' }
  const made = await company.account.services.create(wish, { recoveryCopy: false })
  expect(made.recovery_copy_id).toBeNull()
  expect(company.region.received.map(({ path }) => path)).toEqual(['/api/services'])
})

const copy = { id: '0196a8c4-5e6f-7a10-8b2c-000000000003', kind: 'service_passphrase', ref_id: SERVICE, created_at: '' }
const account = {
  id: COMPANY,
  user_type: 'company',
  email: 'a@b.example',
  level: 'pro',
  display_name: 'Acme',
  share_code: 'ACMEXX',
  region: 'eu',
  public_key: null,
}
const service = {
  id: SERVICE,
  name: 'Rentals',
  share_code: 'RENTALS',
  admin_email: 'desk@example.com',
  audience: 'both',
  number_matching: false,
  require_2fa: false,
  created_at: '',
  state: 'active',
}
