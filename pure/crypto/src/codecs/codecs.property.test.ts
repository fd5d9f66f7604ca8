import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { type Base64Codec, createPortableBase64 } from './base64.ts'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'
import { decodeHex, encodeHex } from './hex.ts'
import { findNativeBase64 } from './native-base64.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const { utf8 } = createCryptoPlatform(globalThis)

/** A host like browsers of 2025: skips white space, as the standard requires, and is otherwise strict. */
class ModernBytes extends Uint8Array<ArrayBuffer> {
  static fromBase64(text: string): Uint8Array<ArrayBuffer> {
    const bytes = portable.decode(text.replaceAll(/[\t\n\f\r ]/g, ''))
    if (bytes === null) throw new SyntaxError('not base64')
    return bytes
  }
  toBase64(this: Uint8Array): string {
    return Buffer.from(this).toString('base64')
  }
}

const portable = createPortableBase64(utf8)
const codecs: Record<string, Base64Codec> = {
  portable,
  buffer: mustFind({ Buffer }),
  modern: mustFind({ Uint8Array: ModernBytes }),
}

const digit = fc.constantFrom('A', 'B', 'Q', 'g', 'w', 'x', 'z', '0', '9', '+', '/')
const stray = fc.constantFrom('=', '-', '_', ' ', '\n', '\u0141', '\u00c1', '\ud800', '\u0000')
const nearBase64 = fc
  .array(fc.oneof({ weight: 9, arbitrary: digit }, { weight: 1, arbitrary: stray }), { maxLength: 24 })
  .chain((letters) => fc.constantFrom('', '=', '==', '===').map((padding) => letters.join('') + padding))

for (const [name, codec] of Object.entries(codecs)) {
  test(`${name} base64: bytes round-trip, and the text equals that of other implementations`, propertyLimits, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = codec.encode(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64'))
        expect(codec.decode(text)).toEqual(Uint8Array.from(bytes))
      }),
      propertySettings,
    )
  })

  test(`${name} base64: a text is decoded only if encoding gives it back`, propertyLimits, () => {
    fc.assert(
      fc.property(fc.oneof(nearBase64, anyText), (text) => {
        const bytes = codec.decode(text)
        const isRight = Buffer.from(text, 'base64').toString('base64') === text
        expect(bytes !== null).toBe(isRight)
        if (bytes !== null) expect(codec.encode(bytes)).toBe(text)
      }),
      propertySettings,
    )
  })
}

test('base64url and hex: bytes round-trip; a text is decoded only if encoding gives it back', propertyLimits, () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.oneof(nearBase64, fc.string()), (bytes, text) => {
      expect(decodeBase64Url(portable, encodeBase64Url(portable, bytes))).toEqual(Uint8Array.from(bytes))
      expect(decodeHex(encodeHex(bytes))).toEqual(Uint8Array.from(bytes))
      const fromUrl = decodeBase64Url(portable, text)
      const fromHex = decodeHex(text)
      if (fromUrl !== null) expect(encodeBase64Url(portable, fromUrl)).toBe(text)
      if (fromHex !== null) expect(encodeHex(fromHex)).toBe(text)
    }),
    propertySettings,
  )
})

test('utf-8: a text round-trips or is refused, bytes round-trip or are refused', propertyLimits, () => {
  fc.assert(
    fc.property(anyText, fc.uint8Array(), (text, bytes) => {
      const encoded = utf8.encode(text)
      expect(encoded === null ? !text.isWellFormed() : utf8.decode(encoded) === text).toBe(true)
      const decoded = utf8.decode(bytes)
      if (decoded !== null) expect(utf8.encode(decoded)).toEqual(Uint8Array.from(bytes))
    }),
    propertySettings,
  )
})

function mustFind(host: Parameters<typeof findNativeBase64>[0]): Base64Codec {
  const codec = findNativeBase64(host)
  if (codec === null) throw new Error('the host was not recognised')
  return codec
}
