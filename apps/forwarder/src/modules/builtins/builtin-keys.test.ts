import { isVouchedKey } from '@sealpost/crypto'
import { expect, test } from 'vitest'
import { cryptoPlatform } from '../../platform/crypto-platform.ts'
import { makeKeys } from '../../testing/plugin-server.ts'
import { openBuiltins } from './index.ts'

test('a key of the built-in plugins that is followed by former ones is vouched for by each of them', async () => {
  const [present, former, first] = [await makeKeys(), await makeKeys(), await makeKeys()]
  const keys = [present, former, first].map(({ privateKey }) => privateKey)
  const described = (await openBuiltins({ BUILTIN_KEYS: keys })).describe('iso_lists')
  if (!described.ok) throw new Error(described.error)
  const { public_key: offered, key_rollovers: rollovers = [] } = described.description
  expect(rollovers).toHaveLength(2)
  for (const { publicKey } of [former, first])
    expect(await isVouchedKey(cryptoPlatform, publicKey, offered, rollovers)).toBe(true)
})
