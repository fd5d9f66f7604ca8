import { execFile, spawnSync } from 'node:child_process'
import { createCipheriv, createDecipheriv, createPrivateKey, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Secret } from '@sealpost/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { importAccountOpeningKey, openAccountEnvelope } from './account-envelope.ts'
import { exportPrivateKeyPem, importPrivateKeyPem } from './keys/private-key-pem.ts'
import { createServiceKey } from './keys/service-key.ts'
import { createCryptoPlatform } from './platform.ts'
import { taken } from './testing/taken.ts'
import { importOpeningKey, importSealingKey } from './wrapper/keys.ts'
import { openWrapper } from './wrapper/open.ts'
import { sealWrapper } from './wrapper/seal.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('openssl is not installed, so the cross-check is skipped: apt-get install openssl')

const platform = createCryptoPlatform(globalThis)
const service = await createServiceKey(platform)
const folder = mkdtempSync(join(tmpdir(), 'sealpost-witness-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.runIf(hasOpenssl)('openssl as an independent implementation', () => {
  test('openssl pkcs8 opens our PEM with the passphrase and validates the key [CRYPTO-13]', async () => {
    const pem = write('ours.pem', taken(await exportPrivateKeyPem(platform, service.privateKey, service.passphrase)))
    const pass = write('pass', service.passphrase.reveal())
    const plain = await openssl('pkcs8', '-in', pem, '-passin', `file:${pass}`)
    const opened = createPrivateKey(plain).export({ type: 'pkcs8', format: 'der' })
    expect(opened.equals(service.privateKey.reveal())).toBe(true)
    const checked = await openssl('pkey', '-in', pem, '-passin', `file:${pass}`, '-check', '-noout')
    expect(checked.toString()).toContain('Key is valid')
    await openssl('pkey', '-in', pem, '-passin', `file:${pass}`, '-pubout', '-outform', 'DER', '-out', at('pub.der'))
    expect(readFileSync(at('pub.der')).toString('base64')).toBe(service.publicKey)
  })

  test('our PEM says PBES2, PBKDF2 with HMAC-SHA-256, 100000 iterations, a salt of 16 bytes, AES-256-CBC', async () => {
    const pem = write('said.pem', taken(await exportPrivateKeyPem(platform, service.privateKey, service.passphrase)))
    const structure = (await openssl('asn1parse', '-in', pem)).toString()
    const said = [...structure.matchAll(/OBJECT\s+:(\S+)/g)].map(([, name]) => name)
    expect(said).toEqual(['PBES2', 'PBKDF2', 'hmacWithSHA256', 'aes-256-cbc'])
    expect(structure).toMatch(/INTEGER\s+:0186A0/)
    expect(structure.match(/l=\s+16 prim: OCTET STRING/g)?.length).toBe(2)
  })

  test('we open the output of openssl genpkey and openssl pkcs8, and openssl opens values sealed to that key', async () => {
    await openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', at('key.pem'))
    const pass = write('theirs.pass', 'eine Parole mit ü')
    const strength = ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA256', '-iter', '100000']
    const args = ['-topk8', '-in', at('key.pem'), ...strength, '-passout', `file:${pass}`]
    const pem = (await openssl('pkcs8', ...args)).toString()
    const opened = taken(await importPrivateKeyPem(platform, pem, new Secret('eine Parole mit ü')))
    await openssl('pkcs8', '-topk8', '-nocrypt', '-in', at('key.pem'), '-outform', 'DER', '-out', at('key.der'))
    expect(readFileSync(at('key.der')).equals(opened.reveal())).toBe(true)

    const spki = (await openssl('pkey', '-in', at('key.pem'), '-pubout', '-outform', 'DER')).toString('base64')
    const sealing = taken(await importSealingKey(platform, spki))
    const wrapper = readMembers(taken(await sealWrapper(platform, sealing, 'for openssl')))
    expect(openContent(await unwrapKey(at('key.pem'), wrapper.k, 'sha256'), wrapper)).toBe('for openssl')
  })

  test('we open a wrapper whose key openssl pkeyutl encrypted, and no other padding [CRYPTO-02]', async () => {
    const opening = taken(await importOpeningKey(platform, service.privateKey))
    const right = await sealByOpenssl('from openssl', 'sha256', 'sha256')
    expect(await openWrapper(platform, opening, right)).toEqual({ ok: true, value: 'from openssl' })
    for (const [hash, mask] of [
      ['sha1', 'sha1'],
      ['sha256', 'sha1'],
      ['sha1', 'sha256'],
    ] as const) {
      const other = await sealByOpenssl('from openssl', hash, mask)
      expect(await openWrapper(platform, opening, other)).toEqual({ ok: false, refusal: 'wrong_key' })
    }
  })

  test('we open an account envelope whose key openssl pkeyutl encrypted with SHA-1 [CRYPTO-08]', async () => {
    const opening = taken(await importAccountOpeningKey(platform, service.privateKey))
    const envelope = await sealByOpenssl('{"event":"x"}', 'sha1', 'sha1')
    expect(await openAccountEnvelope(platform, opening, envelope)).toEqual({ ok: true, value: '{"event":"x"}' })
    const wrapper = await sealByOpenssl('{"event":"x"}', 'sha256', 'sha256')
    expect(await openAccountEnvelope(platform, opening, wrapper)).toEqual({ ok: false, refusal: 'wrong_key' })
  })
})

type Hash = 'sha1' | 'sha256'

function oaep(hash: Hash, mask: Hash = hash): readonly string[] {
  const options = ['rsa_padding_mode:oaep', `rsa_oaep_md:${hash}`, `rsa_mgf1_md:${mask}`]
  return options.flatMap((option) => ['-pkeyopt', option])
}

async function unwrapKey(key: string, k: string, hash: Hash): Promise<Buffer> {
  const input = write('k', Buffer.from(k, 'base64'))
  return openssl('pkeyutl', '-decrypt', '-inkey', key, '-in', input, ...oaep(hash))
}

/** The key by openssl, the content by Node's own ciphers: neither is WebCrypto. */
async function sealByOpenssl(text: string, hash: Hash, mask: Hash): Promise<string> {
  const [dataKey, iv] = [randomBytes(32), randomBytes(12)]
  const spki = write('spki.der', Buffer.from(service.publicKey, 'base64'))
  const key = ['-pubin', '-keyform', 'DER', '-inkey', spki]
  const k = await openssl('pkeyutl', '-encrypt', ...key, '-in', write('data-key', dataKey), ...oaep(hash, mask))
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv)
  const d = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return JSON.stringify({ _enc: 1, k: k.toString('base64'), iv: iv.toString('base64'), d: d.toString('base64') })
}

function openContent(dataKey: Buffer, { iv, d }: Record<'iv' | 'd', string>): string {
  const content = Buffer.from(d, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', dataKey, Buffer.from(iv, 'base64'))
  decipher.setAuthTag(content.subarray(-16))
  return decipher.update(content.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
}

function readMembers(wrapper: string): Record<'k' | 'iv' | 'd', string> {
  return JSON.parse(wrapper)
}

async function openssl(...args: readonly string[]): Promise<Buffer> {
  const { stdout } = await promisify(execFile)('openssl', args, { encoding: 'buffer' })
  return stdout
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(at(name), content)
  return at(name)
}

function at(name: string): string {
  return join(folder, name)
}
