import { constants, createDecipheriv, createPrivateKey, privateDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  importAccountOpeningKey,
  importAccountSealingKey,
  openAccountEnvelope,
  sealAccountEnvelope,
} from './account-envelope.ts'
import { generateKeyPair } from './keys/key-pair.ts'
import { createCryptoPlatform } from './platform.ts'
import { taken } from './testing/taken.ts'
import { importOpeningKey, importSealingKey } from './wrapper/keys.ts'
import { openWrapper } from './wrapper/open.ts'
import { sealWrapper } from './wrapper/seal.ts'

const platform = createCryptoPlatform(globalThis)
const [account, service] = await Promise.all([generateKeyPair(platform), generateKeyPair(platform)])
const sealing = taken(await importAccountSealingKey(platform, account.publicKey))
const opening = taken(await importAccountOpeningKey(platform, account.privateKey))

test('the envelope has the members of a wrapper, with OAEP over SHA-1 to the account key [CRYPTO-08]', async () => {
  const envelope: Record<'k' | 'iv' | 'd', string> & { _enc: number } = JSON.parse(
    taken(await sealAccountEnvelope(platform, sealing, '{"event":"connection_created"}')),
  )
  expect(Object.keys(envelope)).toEqual(['_enc', 'k', 'iv', 'd'])
  const key = createPrivateKey({ key: Buffer.from(account.privateKey.reveal()), type: 'pkcs8', format: 'der' })
  const oaep = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
  const dataKey = privateDecrypt(oaep, Buffer.from(envelope.k, 'base64'))
  const content = Buffer.from(envelope.d, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', dataKey, Buffer.from(envelope.iv, 'base64'))
  decipher.setAuthTag(content.subarray(-16))
  const opened = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()])
  expect(opened.toString()).toBe('{"event":"connection_created"}')
})

test('a value inside an envelope is still a wrapper to the service key [CRYPTO-09]', async () => {
  const serviceSealing = taken(await importSealingKey(platform, service.publicKey))
  const serviceOpening = taken(await importOpeningKey(platform, service.privateKey))
  const body = JSON.stringify({ slug: 'email', value: taken(await sealWrapper(platform, serviceSealing, 'ada@x.org')) })
  const delivered = taken(await sealAccountEnvelope(platform, sealing, body))
  const event: { value: string } = JSON.parse(taken(await openAccountEnvelope(platform, opening, delivered)))
  expect(await openAccountEnvelope(platform, opening, event.value)).toEqual({ ok: false, refusal: 'wrong_key' })
  expect(await openWrapper(platform, serviceOpening, event.value)).toEqual({ ok: true, value: 'ada@x.org' })
})

test('neither routine accepts the output of the other, even for the same key pair [CRYPTO-10]', async () => {
  const wrapperSealing = taken(await importSealingKey(platform, account.publicKey))
  const wrapperOpening = taken(await importOpeningKey(platform, account.privateKey))
  const wrapper = taken(await sealWrapper(platform, wrapperSealing, 'Ada'))
  const envelope = taken(await sealAccountEnvelope(platform, sealing, 'Ada'))
  expect(await openAccountEnvelope(platform, opening, wrapper)).toEqual({ ok: false, refusal: 'wrong_key' })
  expect(await openWrapper(platform, wrapperOpening, envelope)).toEqual({ ok: false, refusal: 'wrong_key' })
  expect(await openAccountEnvelope(platform, opening, envelope)).toEqual({ ok: true, value: 'Ada' })
  expect(await openWrapper(platform, wrapperOpening, wrapper)).toEqual({ ok: true, value: 'Ada' })
})

test('neither routine accepts the keys of the other, also where the types are silenced [CRYPTO-10]', async () => {
  const refused = { ok: false, refusal: 'not_a_public_key' }
  const pinned = taken(await importSealingKey(platform, account.publicKey))
  expect(await sealAccountEnvelope(platform, pinned as never, 'Ada')).toEqual(refused)
  expect(await sealWrapper(platform, sealing as never, 'Ada')).toEqual(refused)
})

test('the two routines share no file that encrypts or decrypts [CRYPTO-10]', () => {
  const envelope = filesBehind('account-envelope.ts')
  const wrapper = new Set([...filesBehind('wrapper/open.ts'), ...filesBehind('wrapper/seal.ts')])
  const met = [...envelope].filter((file) => wrapper.has(file))
  expect(met.filter((file) => /subtle\.(encrypt|decrypt|importKey)\(/.test(source(file)))).toEqual([])
  expect([...envelope].some((file) => file.startsWith('wrapper/'))).toBe(false)
  expect(wrapper.has('account-envelope.ts')).toBe(false)
})

/** Every file of this package that a file imports, itself included. */
function filesBehind(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, target = ''] of source(file).matchAll(/from '(\.{1,2}\/[^']+)'/g))
    filesBehind(join(dirname(file), target), seen)
  return seen
}

function source(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}
