import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  importAccountOpeningKey,
  importAccountSealingKey,
  openAccountEnvelope,
  sealAccountEnvelope,
} from '../account-envelope.ts'
import { generateKeyPair } from '../keys/key-pair.ts'
import { createCryptoPlatform } from '../platform.ts'
import { flipBit } from '../testing/flip-bit.ts'
import { taken } from '../testing/taken.ts'
import { importOpeningKey, importSealingKey } from './keys.ts'
import { openWrapper } from './open.ts'
import { sealWrapper } from './seal.ts'
import { isWrapper, wrapperObjectText, readWrapper, writeWrapper } from './shape.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const platform = createCryptoPlatform(globalThis)
const pair = await generateKeyPair(platform)
const sealing = taken(await importSealingKey(platform, pair.publicKey))
const opening = taken(await importOpeningKey(platform, pair.privateKey))
const accountSealing = taken(await importAccountSealingKey(platform, pair.publicKey))
const accountOpening = taken(await importAccountOpeningKey(platform, pair.privateKey))
const sample = taken(await sealWrapper(platform, sealing, 'thirty-two characters of text 32'))
const envelope = taken(await sealAccountEnvelope(platform, accountSealing, 'thirty-two characters of text 32'))

const base64 = (sizes: fc.Arbitrary<number>) =>
  sizes
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    .map((bytes) => platform.base64.encode(bytes))
const member = fc.oneof(base64(fc.constantFrom(0, 11, 12, 15, 16, 17, 255, 256, 257)), fc.anything())
/** Objects that are nearly a wrapper: the likeliest to break an opener. */
const nearWrapper = fc.record(
  { _enc: fc.oneof(fc.constant(1), fc.anything()), k: member, iv: member, d: member, other: fc.anything() },
  { requiredKeys: [] },
)
const hostile = fc.oneof(
  anyText,
  fc.json(),
  nearWrapper.map((value) => safeStringify(value)),
  fc.nat(sample.length).map((length) => sample.slice(0, length)),
)

test('any sealed text round-trips, or is refused for having no UTF-8', propertyLimits, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), async (plaintext) => {
      const sealed = await sealWrapper(platform, sealing, plaintext)
      expect(sealed.ok).toBe(plaintext.isWellFormed())
      if (!sealed.ok) return
      expect(isWrapper(platform, sealed.value)).toBe(true)
      expect(await openWrapper(platform, opening, sealed.value)).toEqual({ ok: true, value: plaintext })
    }),
    propertySettings,
  )
})

test('no input makes the openers throw, and nothing that was not sealed opens', propertyLimits, async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (input) => {
      const opened = await openWrapper(platform, opening, input)
      if (opened.ok) expect(input).toBe(sample)
      expect((await openAccountEnvelope(platform, accountOpening, input)).ok).toBe(false)
    }),
    propertySettings,
  )
})

test('one changed bit of key, IV, ciphertext or tag is refused, by both routines', propertyLimits, async () => {
  const bits = fc.nat((256 + 12 + 48) * 8 - 1)
  await fc.assert(
    fc.asyncProperty(bits, fc.boolean(), async (bit, isEnvelope) => {
      const changed = withChangedBit(isEnvelope ? envelope : sample, bit)
      const opened = isEnvelope
        ? await openAccountEnvelope(platform, accountOpening, changed)
        : await openWrapper(platform, opening, changed)
      expect(opened).toEqual({ ok: false, refusal: bit < 256 * 8 ? 'wrong_key' : 'damaged' })
    }),
    propertySettings,
  )
})

test('one changed character of the text never opens to something else', propertyLimits, async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(sample.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, letter) => {
      const changed = sample.slice(0, at) + letter + sample.slice(at + 1)
      const opened = await openWrapper(platform, opening, changed)
      expect(opened.ok).toBe(changed === sample)
    }),
    propertySettings,
  )
})

test('the shape check never throws and agrees with a direct implementation of the rule', propertyLimits, () => {
  const exact = fc.tuple(base64(fc.constant(256)), base64(fc.constant(12)), base64(fc.integer({ min: 14, max: 18 })))
  const wellSized = exact.map(([k, iv, d]) => ({ _enc: 1, k, iv, d }))
  fc.assert(
    fc.property(fc.oneof(wellSized, nearWrapper), fc.constantFrom(0, 1, 2), anyText, (value, spaces, other) => {
      const serialized = JSON.stringify(value, null, spaces)
      const expected = isWrapperByTheRule(serialized)
      expect(isWrapper(platform, serialized)).toBe(expected)
      expect(isWrapper(platform, other)).toBe(false)
      expect(isWrapper(platform, value)).toBe(false)
      const text = wrapperObjectText(platform, value)
      expect(text === null || isWrapper(platform, text)).toBe(true)
    }),
    propertySettings,
  )
})

function isWrapperByTheRule(serialized: string): boolean {
  const value: Record<string, unknown> = JSON.parse(serialized)
  const size = (name: string): number => {
    const found = value[name]
    const bytes = typeof found === 'string' ? Buffer.from(found, 'base64') : null
    return bytes !== null && bytes.toString('base64') === found ? bytes.length : -1
  }
  const names = Object.keys(value).toSorted().join()
  return names === '_enc,d,iv,k' && value['_enc'] === 1 && size('k') === 256 && size('iv') === 12 && size('d') >= 16
}

function withChangedBit(serialized: string, bit: number): string {
  const wrapper = readWrapper(platform, serialized)
  if (wrapper === null) throw new Error('the sample is not a wrapper')
  const { sealedKey, iv, sealedText } = wrapper
  const all = flipBit(Buffer.concat([sealedKey, iv, sealedText]), bit)
  return writeWrapper(platform, {
    sealedKey: all.subarray(0, 256),
    iv: all.subarray(256, 268),
    sealedText: all.subarray(268),
  })
}

/** `fc.anything` also makes values that JSON cannot represent. */
function safeStringify(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}
