import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createCryptoPlatform, createServiceKey, exportPrivateKeyPem } from '@sealpost/crypto'
import { seedRows } from '@sealpost/field-types'
import { bundleForBrowser } from '@sealpost/front-door/build/bundle'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { makePki, openTestSealer, type TestPki } from '@sealpost/pdf/testing'
import { PublicKey, ServiceKey, verifySealedPdf } from '@sealpost/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoopbackPage, openLoopbackPage } from './loopback-page.ts'

let page: LoopbackPage
let pki: TestPki
let key: { readonly pem: string; readonly passphrase: string; readonly publicKey: string }

beforeAll(async () => {
  const platform = createCryptoPlatform(globalThis)
  const { privateKey, passphrase, publicKey } = await createServiceKey(platform)
  const pem = await exportPrivateKeyPem(platform, privateKey, passphrase)
  if (!pem.ok) throw new Error(pem.refusal)
  key = { pem: pem.value, passphrase: passphrase.reveal(), publicKey }
  pki = await makePki()
  page = await openLoopbackPage(await bundleForBrowser(join(import.meta.dirname, 'sdk-script.ts')))
  return () => page.close()
})

describe('in headless Chromium the SDK', () => {
  test('seals, and opens with a key file that was made in Node', async () => {
    expect(await page.call('roundTrip', { ...key, text: 'Ünïcode 🗝' })).toBe('Ünïcode 🗝')
  })

  test('types values with the registry', async () => {
    const seal = await PublicKey.import(key.publicKey)
    const values = {
      home: { value: await seal.seal('{"city":"Madrid"}') },
      age: { value: await seal.seal('42') },
      mail: { value: await seal.seal('not an address') },
    }
    const fields = [
      { slug: 'home', type: 'address' },
      { slug: 'age', type: 'integer' },
      { slug: 'mail', type: 'email' },
    ]
    expect(await page.call('decrypt', { ...key, id: 'c-1', rows: seedRows, values, fields })).toMatchObject({
      home: { kind: 'parts', value: { city: 'Madrid' } },
      age: { kind: 'number', value: 42 },
      mail: { kind: 'text', problems: [{ path: [] }] },
    })
  })

  test('signs a value for one slot, and refuses it in another', async () => {
    const wrapper = await (await PublicKey.import(key.publicKey)).seal('Ana')
    const { fingerprint } = await ServiceKey.fromPem(key.pem, key.passphrase)
    const signature = await page.call('signInPage', { wrapper, recipient: fingerprint, slug: 'name' })
    const value = { value: wrapper, sender_signature: signature }
    const fields = [{ slug: 'name', type: 'text' }]
    const given = { ...key, id: 'c-2', rows: seedRows, fields }
    expect(await page.call('decrypt', { ...given, values: { name: value } })).toMatchObject({
      name: { value: 'Ana', authenticity: 'signed' },
    })
    expect(await page.call('decrypt', { ...given, values: { home: value } })).toMatchObject({
      home: { kind: 'refused', reason: 'signature_mismatch' },
    })
  })

  test('checks the digest of a file while streaming it', async () => {
    const bytes = randomBytes(200_000)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const base64 = bytes.toString('base64')
    expect(await page.call('readFile', { base64, digest })).toBe('200000')
    expect(await page.call('readFile', { base64, digest: 'ab'.repeat(32) })).toBe('ContentMismatchError')
  })

  test.each(['seal-ec', 'seal-rsa'] as const)(
    'verifies a sealed PDF (%s) as Node does, and finds a flipped bit',
    async (name) => {
      const sealer = await openTestSealer(pki, name)
      const file = await sealer.seal(plainPdf(), { isStamped: true })
      await sealer.close()
      const trust = pki.read('root.pem')
      const found = await page.call('verifyInPage', { base64: Buffer.from(file).toString('base64'), trust })
      const inNode = await verifySealedPdf(file, { certificates: trust })
      expect(inNode).toMatchObject({ isValid: true, problems: [], seal: { sealedBy: { name: 'Test seal' } } })
      expect(found).toMatchObject({ good: inNode, flipped: [expect.anything()] })
    },
  )
})
