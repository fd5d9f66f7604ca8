import { createHash } from 'node:crypto'
import { instant } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from './platform.ts'
import { hashVerified, isAttested } from './verified-hash.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const platform = createCryptoPlatform(globalThis)
const now = instant(1_777_627_800_000)

test('the hash equals the one of another implementation over salt and text', propertyLimits, async () => {
  const salt = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'))
  const text = fc.string({ unit: 'grapheme' })
  await fc.assert(
    fc.asyncProperty(salt, text, text, async (verified_salt, plaintext, other) => {
      const hash = createHash('sha256')
        .update(verified_salt + plaintext, 'utf8')
        .digest('hex')
      expect(await hashVerified(platform, verified_salt, plaintext)).toBe(hash)
      const attestation = { verified_salt, verified_hash: hash }
      expect(await isAttested(platform, attestation, plaintext, now)).toBe(true)
      expect(await isAttested(platform, attestation, other, now)).toBe(other === plaintext)
    }),
    propertySettings,
  )
})

test('no attestation makes the check throw', propertyLimits, async () => {
  const member = fc.oneof(anyText, fc.anything())
  const attestation = fc.record(
    { verified_hash: member, verified_salt: member, verified_expires_at: member },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(attestation, anyText, async (members, plaintext) => {
      expect(await isAttested(platform, members as object, plaintext, now)).toBe(false)
    }),
    propertySettings,
  )
})
