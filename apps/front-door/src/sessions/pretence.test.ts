import { parseUuid, type RegionCode, Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { pretendAccount } from './pretence.ts'

const regions = ['eu', 'us'] as RegionCode[]
const needs = {
  directoryKey: new Secret('a-directory-key-of-32-characters'),
  regions,
  kdfCost: { memoryKib: 65_536, passes: 3 },
}
const hashes = Array.from({ length: 400 }, (_, index) => index.toString(16).padStart(64, '0'))

test('the same address is pretended to be the same account every time, another one another', () => {
  const accounts = hashes.map((hash) => pretendAccount(needs, hash))
  expect(hashes.map((hash) => pretendAccount(needs, hash))).toEqual(accounts)
  expect(new Set(accounts.map(({ userId }) => userId)).size).toBe(hashes.length)
  expect(new Set(accounts.map(({ kdf }) => kdf.salt)).size).toBe(hashes.length)
  for (const { userId, kdf } of accounts) {
    expect(parseUuid(userId)).toBe(userId)
    expect(kdf).toEqual({ alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: kdf.salt })
    expect(Buffer.from(kdf.salt, 'base64')).toHaveLength(16)
  }
})

test('nobody who lacks the key can tell what it is', () => {
  const [hash = ''] = hashes
  const other = { ...needs, directoryKey: new Secret('another-directory-key-of-32-char') }
  expect(pretendAccount(other, hash).kdf.salt).not.toBe(pretendAccount(needs, hash).kdf.salt)
})

test('every region has its share, and one more region leaves the others where they are', () => {
  const homes = hashes.map((hash) => pretendAccount(needs, hash).region)
  for (const region of regions) {
    const share = homes.filter((home) => home === region).length / homes.length
    expect(share).toBeGreaterThan(0.35)
  }
  const grown = hashes.map(
    (hash) => pretendAccount({ ...needs, regions: [...regions, 'ap' as RegionCode] }, hash).region,
  )
  for (const [index, home] of grown.entries()) if (home !== 'ap') expect(home).toBe(homes[index])
  expect(grown.filter((home) => home === 'ap').length).toBeGreaterThan(0)
})
