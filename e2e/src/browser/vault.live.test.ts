import { join } from 'node:path'
import { bundleForBrowser } from '@sealpost/front-door/build/bundle'
import { deriveLogin, newKdf, openPrivateKey } from '@sealpost/vault'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoopbackPage, openLoopbackPage } from './loopback-page.ts'
import type { Registered } from './vault-script.ts'

let page: LoopbackPage

beforeAll(async () => {
  page = await openLoopbackPage(await bundleForBrowser(join(import.meta.dirname, 'vault-script.ts')))
  return () => page.close()
})

describe('in headless Chromium', () => {
  test('a password gives the same verifier as in Node, at the default cost', async () => {
    const kdf = newKdf()
    const { authVerifier } = await deriveLogin('Ångström', kdf)
    expect(await page.call('verify', { password: 'A\u030angstro\u0308m', kdf })).toBe(authVerifier.reveal())
  })

  test('keys created and rewrapped in the page open in Node', async () => {
    const passwords = { password: 'first password', next: 'second password' }
    const { body, change, privateKey, servicePassphraseLength } = await page.call<Registered>('register', passwords)
    const first = await deriveLogin(passwords.password, body.kdf)
    expect(body.auth_verifier).toBe(first.authVerifier.reveal())
    const second = await deriveLogin(passwords.next, change.kdf)
    for (const [wrapped, login] of [
      [body.encrypted_private_key, first],
      [change.encrypted_private_key, second],
    ] as const) {
      const opened = await openPrivateKey(wrapped, login.wrapKey)
      expect(Buffer.from(opened.reveal()).toString('base64')).toBe(privateKey)
    }
    expect(servicePassphraseLength).toBe(43)
  })

  test('weak parameters are refused before the password is used', async () => {
    const weak = { ...newKdf(), memory_kib: 1024 }
    expect(await page.call('verify', { password: 'x', kdf: weak })).toContain('weaker than agreed')
  })
})
