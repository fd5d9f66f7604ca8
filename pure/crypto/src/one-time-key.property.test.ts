import { Secret } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateOneTimeKey, importOneTimeKey, openOnce, sealOnce } from './one-time-key.ts'
import { createCryptoPlatform } from './platform.ts'
import { flipBit } from './testing/flip-bit.ts'
import { taken } from './testing/taken.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const platform = createCryptoPlatform(globalThis)
const key = taken(await importOneTimeKey(platform, generateOneTimeKey(platform)))

test(
  'content under a one-time key round-trips, and fails after one changed bit [LIMIT-09]',
  propertyLimits,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.nat(), async (content, bit) => {
        const sealed = await sealOnce(platform, key, Uint8Array.from(content))
        const bytes = platform.base64.decode(sealed) ?? new Uint8Array()
        expect(bytes.length).toBe(12 + content.length + 16)
        expect(taken(await openOnce(platform, key, sealed))).toEqual(Uint8Array.from(content))
        const changed = platform.base64.encode(flipBit(bytes, bit))
        expect(await openOnce(platform, key, changed)).toEqual({ ok: false, refusal: 'damaged' })
      }),
      propertySettings,
    )
  },
)

test(
  'a one-time key is 32 bytes, and no text makes opening or importing throw [LIMIT-09]',
  propertyLimits,
  async () => {
    expect(platform.base64.decode(generateOneTimeKey(platform).reveal())).toHaveLength(32)
    for (const length of [16, 31, 32, 33, 64]) {
      const imported = await importOneTimeKey(platform, new Secret(platform.base64.encode(new Uint8Array(length))))
      expect([length, imported.ok]).toEqual([length, length === 32])
    }
    const text = fc.oneof(
      anyText,
      fc.uint8Array({ maxLength: 60 }).map((bytes) => platform.base64.encode(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(text, async (input) => {
        expect((await openOnce(platform, key, input)).ok).toBe(false)
        const imported = await importOneTimeKey(platform, new Secret(input))
        expect(imported.ok).toBe(platform.base64.decode(input)?.length === 32)
      }),
      propertySettings,
    )
  },
)
