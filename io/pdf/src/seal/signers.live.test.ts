import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@sealpost/kernel'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createKeySigner, createSocketSigner, openPdf, serveSigner, type SigningServer } from '../index.ts'
import { makePki } from '../testing/index.ts'
import { derOf, keySigner, sealRequest, verify } from '../testing/open-sealer.ts'

const pki = await makePki()
const request = sealRequest()
const path = join(pki.folder, 'signer.sock')
const certificatePem = pki.read('seal-ec.pem')
const pdf = openPdf({ signer: createSocketSigner({ path, certificatePem }) })
let server: SigningServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})
afterAll(() => pdf.close())

test('the key may be in another process, behind a socket that only its user can open', async () => {
  server = await serveSigner(path, keySigner(pki, 'seal-ec'))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const outcome = await pdf.seal(plainPdf(), request)
  const bytes = outcome.ok ? outcome.value.bytes : new Uint8Array()
  expect(await verify(bytes, { certificates: [derOf(pki, 'root.pem')] })).toMatchObject({
    isIntact: true,
    isTrusted: true,
  })
})

test('a process that is away, refuses or is silent fails the seal', async () => {
  const failure = { name: 'SealError', fault: 'signer' }
  await expect(pdf.seal(plainPdf(), request)).rejects.toMatchObject(failure)
  const refusing = await serveSigner(path, { sign: () => Promise.reject(new Error('no')) })
  await expect(pdf.seal(plainPdf(), request)).rejects.toMatchObject(failure)
  await refusing.close()
  const silent = await serveSigner(path, { sign: () => Promise.withResolvers<never>().promise })
  const hurried = createSocketSigner({ path, certificatePem, timeLimitMs: 50 })
  await expect(hurried.sign(Uint8Array.of(1))).rejects.toMatchObject(failure)
  await silent.close()
})

test('a key that is none, weak, or of another certificate is refused at the start', () => {
  const key = (name: string) => new Secret(pki.read(name))
  expect(() => createKeySigner(certificatePem, key('seal-rsa.key'))).toThrow('SEAL_KEY is not the key of SEAL_CERT')
  expect(() => createKeySigner(certificatePem, new Secret('x'))).toThrow('SEAL_KEY is not a private key')
  expect(() => createKeySigner('x', key('seal-ec.key'))).toThrow('SEAL_CERT has no certificate')
})
