import { parseUuid, type RegionCode, Secret } from '@sealpost/kernel'
import { parseRegions } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { pointOfCost, pretendAccount } from './pretended-account.ts'

const REGIONS = parseRegions('eu|Europe|https://eu.example|nats://n:1,us|America|https://us.example|nats://n:2')
const settings = {
  DIRECTORY_KEY: new Secret('a-directory-key-of-32-characters'),
  REGIONS,
  KDF_MEMORY_KIB: 65_536,
  KDF_PASSES: 3,
}
const hashes = Array.from({ length: 400 }, (_, index) => index.toString(16).padStart(64, '0'))

test('an address gets the same pretended account every time, another address another one', () => {
  const accounts = hashes.map((hash) => pretendAccount(settings, hash, null))
  expect(hashes.map((hash) => pretendAccount(settings, hash, null))).toEqual(accounts)
  expect(new Set(accounts.map(({ userId }) => userId)).size).toBe(hashes.length)
  expect(new Set(accounts.map(({ kdf }) => kdf.salt)).size).toBe(hashes.length)
  for (const { userId, kdf } of accounts) {
    expect(parseUuid(userId)).toBe(userId)
    expect(kdf).toEqual({ alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: kdf.salt })
    expect(Buffer.from(kdf.salt, 'base64')).toHaveLength(16)
  }
})

test('a pretended account cannot be derived without the key', () => {
  const [hash = ''] = hashes
  const other = { ...settings, DIRECTORY_KEY: new Secret('another-directory-key-of-32-char') }
  expect(pretendAccount(other, hash, null).kdf.salt).not.toBe(pretendAccount(settings, hash, null).kdf.salt)
})

test('the cost is that of the drawn account whatever the settings are; another cost has another salt', () => {
  const [hash = ''] = hashes
  const drawn = { alg: 'argon2id', memory_kib: 32_768, passes: 2, lanes: 1 } as const
  const { kdf } = pretendAccount(settings, hash, drawn)
  expect(kdf).toEqual({ ...drawn, salt: kdf.salt })
  const raised = { ...settings, KDF_MEMORY_KIB: 131_072, KDF_PASSES: 4 }
  expect(pretendAccount(raised, hash, drawn).kdf).toEqual(kdf)
  expect(pretendAccount(settings, hash, null).kdf.salt).not.toBe(kdf.salt)
  expect(new Set(hashes.map((each) => pointOfCost(settings, each))).size).toBe(hashes.length)
})

test('every region has its share, and an added region leaves the other addresses where they are', () => {
  const homes = hashes.map((hash) => pretendAccount(settings, hash, null).region)
  for (const { code } of REGIONS) {
    const share = homes.filter((home) => home === code).length / homes.length
    expect(share).toBeGreaterThan(0.35)
  }
  const added = parseRegions('ap|Asia|https://ap.example|nats://n:3')
  const grown = hashes.map(
    (hash) => pretendAccount({ ...settings, REGIONS: [...REGIONS, ...added] }, hash, null).region,
  )
  const isAdded = (home: RegionCode) => home === added[0]?.code
  for (const [index, home] of grown.entries()) if (!isAdded(home)) expect(home).toBe(homes[index])
  expect(grown.filter(isAdded).length).toBeGreaterThan(0)
})
