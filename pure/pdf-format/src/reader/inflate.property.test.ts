import { constants, deflateSync } from 'node:zlib'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PdfRefused } from '../refusal.ts'
import { inflate } from './inflate.ts'

const LIMIT = 10_000_000

const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY, constants.Z_RLE, constants.Z_FIXED]
const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(...strategies),
})
const repetitive = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 3000 }))
  .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)))

test('what zlib has compressed is inflated', propertyLimits, () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 5000 }), repetitive), options, (bytes, how) => {
      expect(Buffer.from(inflate(deflateSync(bytes, how), LIMIT).bytes).equals(bytes)).toBe(true)
    }),
    propertySettings,
  )
})

test('any other bytes are refused or give bytes; nothing else happens', propertyLimits, () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      const outcome = outcomeOf(Uint8Array.from([0x78, 0x9c, ...noise]))
      expect(['inflated', 'damaged', 'too_complex']).toContain(outcome)
    }),
    propertySettings,
  )
})

test('output ends at the limit', () => {
  const bomb = deflateSync(Buffer.alloc(1_000_000))
  expect(inflate(bomb, 1_010_000).bytes).toHaveLength(1_000_000)
  expect(() => inflate(bomb, 999_999)).toThrow(new PdfRefused('too_complex', 'compressed data is too large'))
})

function outcomeOf(data: Uint8Array): string {
  try {
    inflate(data, LIMIT)
    return 'inflated'
  } catch (error) {
    return error instanceof PdfRefused ? error.refusal : String(error)
  }
}
