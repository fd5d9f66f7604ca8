import { parseKeyring, Secret, type UserId } from '@sealpost/kernel'
import { openTables } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { pluginsMigrations } from './migrations.ts'
import type { PluginId, PluginName } from './model.ts'
import { rewrapPlugins } from './operations/rewrap-tokens.ts'
import { openToken, sealToken } from './operations/seal-token.ts'
import { findPlugin, insertPlugin } from './store/plugins.ts'

const OLD = `k1:${'a'.repeat(32)}`
const FRESH = `k2:${'b'.repeat(32)}`
const GONE = `k0:${'c'.repeat(32)}`
const both = parseKeyring(`${FRESH},${OLD}`)

const { database, clock, ids } = await openTables('plugins', pluginsMigrations)

/** A plugin whose token is sealed under this key. */
async function planted(ring: string): Promise<PluginName> {
  const name = { companyId: ids.uuid<UserId>(), pluginId: ids.uuid<PluginId>() }
  const token = sealToken(parseKeyring(ring), name.pluginId, new Secret('planted-token'))
  const empty = { builtinKey: null, description: null, refreshedAt: null, lastError: null, createdAt: clock.now() }
  await database.transaction((tx) => insertPlugin(tx, { ...name, ...empty, baseUrl: 'https://a.example', token }))
  return name
}

test('tokens move to the first key; one whose key is missing is named and left as it is', async () => {
  const moved = await planted(OLD)
  const lost = await planted(GONE)
  const rewrapped = await rewrapPlugins({ database, settings: { DATA_KEY: both } })
  expect(rewrapped).toEqual({
    moved: 1,
    unreadable: [{ pluginId: lost.pluginId, reason: expect.stringContaining('k0') }],
  })
  const found = await database.read((read) => findPlugin(read, moved))
  expect(found?.token?.keyId).toBe('k2')
  const token = found === null ? null : openToken(parseKeyring(FRESH), found)
  expect(token instanceof Secret ? token.reveal() : null).toBe('planted-token')
  const left = await database.read((read) => findPlugin(read, lost))
  expect(left?.token?.keyId).toBe('k0')
  expect(left === null ? null : openToken(both, left)).toBe('unreadable')
})
