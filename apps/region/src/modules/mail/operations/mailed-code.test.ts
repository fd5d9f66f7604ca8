import { parseKeyring } from '@sealpost/kernel'
import { seededRandom } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { hashCode, matchesCode, newCode } from './mailed-code.ts'

const ring = parseKeyring(`k1:${'a'.repeat(32)}`)

test('codes have six digits, leading zeros included, and are spread evenly', () => {
  const random = seededRandom(7)
  const codes = Array.from({ length: 5000 }, () => newCode(random))
  for (const code of codes) expect(code).toMatch(/^\d{6}$/)
  const firsts = Map.groupBy(codes, ([first]) => first)
  expect(firsts.size).toBe(10)
  for (const group of firsts.values()) expect(group.length).toBeGreaterThan(350)
})

test('a code is valid for its purpose only, while its key is in the keyring', () => {
  const stored = hashCode(ring, '012345', 'register:x')
  expect(matchesCode(ring, stored, '012345', 'register:x')).toBe(true)
  expect(matchesCode(ring, stored, '012346', 'register:x')).toBe(false)
  expect(matchesCode(ring, stored, '012345', 'register:y')).toBe(false)
  const rotated = parseKeyring(`k2:${'b'.repeat(32)},k1:${'a'.repeat(32)}`)
  expect(matchesCode(rotated, stored, '012345', 'register:x')).toBe(true)
  expect(matchesCode(parseKeyring(`k2:${'b'.repeat(32)}`), stored, '012345', 'register:x')).toBe(false)
})
