import { instant } from '@sealpost/kernel'
import { seededRandom } from '@sealpost/testkit/fixed'
import { softDeviceKey } from '@sealpost/testkit/passkeys'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { hashBackupCode, newBackupCodes, withoutCode } from './backup-codes.ts'
import { isSignedBy, parseDeviceKey } from './device-key.ts'
import { findStep, newTotpSecret, totpUrl } from './totp.ts'

const SECRET = Secret.fromUTF8('12345678901234567890').base32

// RFC 6238, appendix B, SHA-1, the last six of eight digits.
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_234_567_890, '005924', 41_152_263],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code is %s', (seconds, code, step) => {
  expect(findStep(SECRET, code, instant(seconds * 1000))).toBe(step)
})

test('the codes of the previous and the next step are accepted as theirs; older ones are not', () => {
  const at = (step: number) => instant(step * 30_000)
  const code = new TOTP({ secret: SECRET }).generate({ timestamp: at(100) })
  expect([98, 99, 100, 101, 102].map((step) => findStep(SECRET, code, at(step)))).toEqual([null, 100, 100, 100, null])
})

test.each(['', '28708', '2870820', '28708a', '２８７０８２', ' 287082'])('%j is not a code', (code) => {
  expect(findStep(SECRET, code, instant(59_000))).toBeNull()
})

test('a new secret has 160 bits, and its URL names the account', () => {
  const secret = newTotpSecret(seededRandom(5))
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUrl(secret, 'ada@example.org')).toBe(
    `otpauth://totp/Sealpost:ada%40example.org?issuer=Sealpost&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  )
})

test('a backup code is accepted once, in any spelling', () => {
  const codes = newBackupCodes(seededRandom(3))
  expect(new Set(codes).size).toBe(10)
  const [first = '', second = ''] = codes
  expect(first).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
  const hashes = codes.map(hashBackupCode)
  const left = withoutCode(hashes, ` ${first.toUpperCase().replace('-', ' ')} `)
  expect(left).toEqual(hashes.slice(1))
  expect(withoutCode(left ?? [], first)).toBeNull()
  expect(withoutCode(left ?? [], second)).toHaveLength(8)
  expect(withoutCode(hashes, '')).toBeNull()
})

test('a device key is a P-256 key, and its signature is valid for its text only', () => {
  const key = softDeviceKey()
  const spki = parseDeviceKey(key.publicKey)
  if (spki === null) throw new Error('the key was not accepted')
  expect(isSignedBy(spki, 'text', key.sign('text'))).toBe(true)
  expect(isSignedBy(spki, 'other', key.sign('text'))).toBe(false)
  expect(isSignedBy(spki, 'text', softDeviceKey().sign('text'))).toBe(false)
  expect(isSignedBy(spki, 'text', '')).toBe(false)
  for (const bad of ['', 'AAAA', softDeviceKey('P-384').publicKey]) expect(parseDeviceKey(bad)).toBeNull()
})
