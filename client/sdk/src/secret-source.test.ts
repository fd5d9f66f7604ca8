import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createCryptoPlatform, createServiceKey, exportPrivateKeyPem } from '@sealpost/crypto'
import { afterAll, expect, test } from 'vitest'
import { CLIENT_SECRET, fakeTime, optionsFor, startFrontDoor, startRegion } from '../test/stub-platform.ts'
import { secretFile, secretVariable } from './file-store/index.ts'
import { PublicKey, ServiceClient, ServiceKey } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'client-secret')

test('the secret is read from its file for every token, so that a replaced one is used', async () => {
  const time = fakeTime()
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient({ ...optionsFor(frontDoor, time), clientSecret: secretFile(file) })
  writeFileSync(file, `${CLIENT_SECRET}\n`)
  await client.whoami()
  writeFileSync(file, 'the-next-secret')
  time.pass(3600)
  await client.whoami()
  const sent = frontDoor.received.map(({ body }) => new URLSearchParams(body).get('client_secret'))
  expect(sent).toEqual([CLIENT_SECRET, 'the-next-secret'])
  expect(inspect(client, { depth: 9 })).not.toContain('the-next-secret')
})

test('a callback to a secret store is awaited; what it throws or leaves out is the error of the call', async () => {
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const answers = [
    () => Promise.reject(new Error('the store is sealed')),
    () => '',
    () => Promise.resolve(CLIENT_SECRET),
  ]
  const client = new ServiceClient({ ...optionsFor(frontDoor), clientSecret: () => answers.shift()?.() ?? '' })
  await expect(client.whoami()).rejects.toThrow('the store is sealed')
  await expect(client.whoami()).rejects.toThrow('clientSecret is missing: its function returned no text')
  expect(frontDoor.received).toHaveLength(0)
  await client.whoami()
  expect(frontDoor.received).toHaveLength(1)
})

test('a key opens from files, variables and callbacks, and a missing one is named', async () => {
  const platform = createCryptoPlatform(globalThis)
  const made = await createServiceKey(platform)
  const pem = await exportPrivateKeyPem(platform, made.privateKey, made.passphrase)
  const text = pem.ok ? pem.value : ''
  writeFileSync(join(folder, 'service.pem'), text)
  process.env['SEALPOST_TEST_PASSPHRASE'] = made.passphrase.reveal()
  const key = await ServiceKey.fromPem(
    secretFile(join(folder, 'service.pem')),
    secretVariable('SEALPOST_TEST_PASSPHRASE'),
  )
  expect(await key.open(await (await PublicKey.import(made.publicKey)).seal('DE89'))).toBe('DE89')
  expect((await ServiceKey.fromPem(text, () => Promise.resolve(made.passphrase.reveal()))).publicKey).toBe(
    key.publicKey,
  )
  delete process.env['SEALPOST_TEST_PASSPHRASE']
  const unset = ServiceKey.fromPem(text, secretVariable('SEALPOST_TEST_PASSPHRASE'))
  await expect(unset).rejects.toThrow('the environment variable SEALPOST_TEST_PASSPHRASE is not set')
  await expect(ServiceKey.fromPem(secretFile(join(folder, 'none')), 'x')).rejects.toThrow(/none cannot be read: ENOENT/)
})
