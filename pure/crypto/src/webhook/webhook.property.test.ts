import { instant, Secret } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { flipBit } from '../testing/flip-bit.ts'
import { taken } from '../testing/taken.ts'
import { generateWebhookSecret, importWebhookSecret } from './secret.ts'
import { signWebhook } from './sign.ts'
import { verifyPlatformSignature, verifyStandardSignature } from './verify.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const platform = createCryptoPlatform(globalThis)
const [newest, previous] = await Promise.all(
  [1, 2].map(() => importWebhookSecret(platform, generateWebhookSecret(platform))),
)
const keys = [newest, previous].map((key) => taken(key ?? { ok: false, refusal: 'missing' }))
const [newestKey, previousKey] = keys
if (newestKey === undefined || previousKey === undefined) throw new Error('two keys are expected')

const body = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Uint8Array.from(bytes))
const seconds = fc.nat(4_000_000_000)

test(
  'a delivery signed during a rotation verifies with either secret, and not after one changed bit',
  propertyLimits,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid(), seconds, body, fc.nat(), async (id, timestampSeconds, content, bit) => {
        const signed = await signWebhook(platform, [newestKey, previousKey], { id, timestampSeconds, body: content })
        const headers = { id, timestamp: String(timestampSeconds), signature: signed.standard }
        const at = { now: instant(timestampSeconds * 1000 + 999) }
        const verify = (key: typeof newestKey, bytes: typeof content) =>
          verifyStandardSignature(platform, [key], headers, bytes, at)
        expect((await verify(newestKey, content)).ok).toBe(true)
        expect((await verify(previousKey, content)).ok).toBe(true)
        expect((await verifyPlatformSignature(platform, keys, signed.platform, content)).ok).toBe(true)
        const changed = flipBit(content, bit)
        expect((await verify(newestKey, changed)).ok).toBe(false)
        expect((await verifyPlatformSignature(platform, keys, signed.platform, changed)).ok).toBe(false)
      }),
      propertySettings,
    )
  },
)

test('no headers make verification throw, and none of them verifies', propertyLimits, async () => {
  const mac = fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  const entry = fc.oneof(
    fc.string(),
    mac.map((text) => `v1,${text}`),
  )
  const signature = fc.oneof(
    fc.array(entry).map((list) => list.join(' ')),
    fc.anything(),
  )
  const timestamp = fc.oneof(seconds.map(String), fc.string(), fc.anything())
  const id = fc.oneof(anyText, fc.anything())
  await fc.assert(
    fc.asyncProperty(id, timestamp, signature, body, async (anyId, anyTime, anySignature, content) => {
      const headers = { id: anyId, timestamp: anyTime, signature: anySignature } as Record<'id', string>
      const now = instant(secondsOf(anyTime) * 1000)
      expect((await verifyStandardSignature(platform, keys, headers, content, { now })).ok).toBe(false)
      expect((await verifyPlatformSignature(platform, keys, anySignature as string, content)).ok).toBe(false)
    }),
    propertySettings,
  )
})

test(
  'no secret makes importing throw; only the empty one and a lone surrogate are refused',
  propertyLimits,
  async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (secret) => {
        const imported = await importWebhookSecret(platform, new Secret(secret))
        expect(imported.ok).toBe(secret !== '' && secret.isWellFormed())
      }),
      propertySettings,
    )
  },
)

function secondsOf(timestamp: unknown): number {
  const value = typeof timestamp === 'string' ? Number(timestamp) : 0
  return Number.isFinite(value) ? value : 0
}
