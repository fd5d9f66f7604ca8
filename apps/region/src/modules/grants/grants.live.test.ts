import { createHash } from 'node:crypto'
import { instant, parseKeyring, type UserId } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { openWorld } from '@sealpost/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { lockCredentialName } from '../login/index.ts'
import type { GrantsContext } from './context.ts'
import { endGrant, endGrantsInTransaction, endGrantsOfUser } from './operations/end-grants.ts'
import { putGrant, readGrant, shareValues } from './operations/grants.ts'
import { readUserInfo } from './operations/read-user-info.ts'
import { claimResult, putResult, readResult } from './operations/results.ts'
import { rewrapShared } from './operations/rewrap-shared.ts'
import { tidyGrants } from './operations/tidy.ts'
import { consumeToken, putToken, readToken } from './operations/tokens.ts'

const DAY_SECONDS = 86_400
const FIRST_KEY = `k1:${'a'.repeat(32)}`
const SECOND_KEY = `k2:${'b'.repeat(32)}`

const world = await openWorld({ own: true })
const { database, ids, settings } = world.eu.platform
const { clock } = world
const { userId } = await world.person({ region: 'eu' })
const credential = await database.transaction((tx) => lockCredentialName(tx, userId))
const CONSENT = {
  type: 'urn:sealpost:consent',
  mode: 'signin',
  user_type: 'person',
  share_code: 'ABCDEF',
  two_factor: true,
  epoch: 1,
  used_in: 'us',
  proof: { credential },
  name: null,
  email: null,
  email_verified: false,
}

let grantId: string
let revokedElsewhere: (readonly [string, readonly string[]])[]
let isOtherRegionAway = false

const grants: GrantsContext = {
  ...world.eu.modules.grants,
  settings: { ...settings, DATA_KEY: parseKeyring(FIRST_KEY) },
  revokeElsewhere(region, sessionIds) {
    if (isOtherRegionAway) return Promise.reject(new Error('the other region is away'))
    revokedElsewhere.push([region, sessionIds])
    return Promise.resolve()
  },
}

beforeEach(async () => {
  revokedElsewhere = []
  isOtherRegionAway = false
  grantId = `eu.${ids.uuid()}`
  await put('us')
})

describe('a code or refresh token', () => {
  test('is won by exactly one of fifty concurrent uses; the others are refused after the grant has ended', async () => {
    const name = token('refresh')
    await putToken(grants, name, grantId, 30 * DAY_SECONDS, {})
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => consumeToken(grants, name)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await readGrant(grants, grantId)).toBeNull()
    expect(revokedElsewhere).toContainEqual(['us', [grantId]])
    expect(await count('grants.token')).toBe(0)
  })

  test('used twice ends the other tokens of its grant', async () => {
    const [code, refresh] = [token('code'), token('refresh')]
    await putToken(grants, code, grantId, 60, {})
    expect(await consumeToken(grants, code)).toBe(true)
    await putToken(grants, refresh, grantId, 30 * DAY_SECONDS, {})
    expect(await consumeToken(grants, code)).toBe(false)
    expect(await readToken(grants, refresh)).toBeNull()
  })

  test('cannot be put under a grant that has ended', async () => {
    await endGrant(grants, grantId)
    expect(await putToken(grants, token('refresh'), grantId, 60, {})).toBe(false)
  })

  test('is stored as a hash with the payload of the engine', async () => {
    const name = token('code')
    await putToken(grants, name, grantId, 60, { nonce: 'n' })
    const rows = await database.read((read) => runStatement(read, 'select * from grants.token', []))
    expect(rows).toEqual([
      expect.objectContaining({ sha256: Buffer.from(name.sha256), payload: { nonce: 'n' }, consumed_at: null }),
    ])
  })

  test('of one kind is not found as the other kind', async () => {
    const name = token('code')
    await putToken(grants, name, grantId, 60, {})
    expect(await readToken(grants, { ...name, kind: 'refresh' })).toBeNull()
    expect(await consumeToken(grants, { ...name, kind: 'refresh' })).toBe(false)
    expect(await consumeToken(grants, name)).toBe(true)
  })

  test('lives as long as it was put for, and never longer than its grant', async () => {
    const [short, long] = [token('code'), token('refresh')]
    await putToken(grants, short, grantId, 60, {})
    await putToken(grants, long, grantId, 900 * DAY_SECONDS, {})
    const start = clock.now()
    clock.advance(59_999)
    expect(await readToken(grants, short)).not.toBeNull()
    clock.advance(1)
    expect(await readToken(grants, short)).toBeNull()
    expect(await consumeToken(grants, short)).toBe(false)
    clock.set(instant(start + 90 * DAY_SECONDS * 1000 - 1))
    expect(await readToken(grants, long)).not.toBeNull()
    clock.advance(1)
    expect([await readToken(grants, long), await readGrant(grants, grantId)]).toEqual([null, null])
    clock.set(start)
  })
})

describe('the end of a grant', () => {
  test('is not complete while the other region is unreachable; the next use completes it', async () => {
    const name = token('refresh')
    await putToken(grants, name, grantId, 60, {})
    isOtherRegionAway = true
    await expect(endGrant(grants, grantId)).rejects.toThrow('away')
    await expect(readToken(grants, name)).rejects.toThrow('away')
    expect([await readGrant(grants, grantId), await consumeTokenQuietly(name)]).toEqual([null, 'rejected'])
    isOtherRegionAway = false
    expect(await readToken(grants, name)).toBeNull()
    expect(revokedElsewhere).toEqual([['us', [grantId]]])
    expect(await count('grants.grant')).toBe(0)
  })

  test('that stopped halfway is completed by the periodic tidying after a minute', async () => {
    isOtherRegionAway = true
    await expect(endGrant(grants, grantId)).rejects.toThrow('away')
    isOtherRegionAway = false
    await tidyGrants(grants)
    expect(revokedElsewhere).toEqual([])
    clock.advance(61_000)
    await tidyGrants(grants)
    expect(revokedElsewhere).toEqual([['us', [grantId]]])
  })

  test('that fails because a region is unreachable does not keep others from ending', async () => {
    const near = `eu.${ids.uuid()}`
    const nearGrant = {
      id: near,
      userId,
      clientId: 'idw_app',
      usedIn: 'eu',
      livesSeconds: 3600,
      payload: { rar: [CONSENT] },
    }
    isOtherRegionAway = true
    await putGrant(grants, nearGrant)
    const revoke = await database.transaction((tx) => endGrantsInTransaction(grants, tx, userId))
    await expect(revoke()).rejects.toThrow('away')
    expect(await count('grants.grant')).toBe(1)

    clock.advance(1000)
    await putGrant(grants, nearGrant)
    await database.transaction((tx) => endGrantsInTransaction(grants, tx, userId))
    clock.advance(61_000)
    await expect(tidyGrants(grants)).rejects.toThrow('away')
    expect(await count('grants.grant')).toBe(1)
  })

  test('of all grants of an account commits and rolls back with its transaction', async () => {
    const failed = database.transaction(async (tx) => {
      await endGrantsOfUser(grants, tx, userId)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await readGrant(grants, grantId)).not.toBeNull()
    await database.transaction((tx) => endGrantsOfUser(grants, tx, userId))
    expect(await readGrant(grants, grantId)).toBeNull()
  })
})

const WRAPPER = JSON.stringify({
  _enc: 1,
  k: Buffer.alloc(256, 1).toString('base64'),
  iv: Buffer.alloc(12, 2).toString('base64'),
  d: Buffer.alloc(24, 3).toString('base64'),
})

describe('userinfo', () => {
  const shared = { values: { name: WRAPPER }, values_attestation: {} }

  test('answers the shared values to the client of the grant only', async () => {
    await shareValues(grants, grantId, shared)
    expect(await readUserInfo(grants, grantId, 'idw_app')).toEqual({
      sub: 'ABCDEF',
      share_code: 'ABCDEF',
      mode: 'signin',
      two_factor: true,
      ...shared,
    })
    expect(await readUserInfo(grants, grantId, 'idw_other')).toBeNull()
    expect(await readUserInfo(grants, `eu.${ids.uuid()}`, 'idw_app')).toBeNull()
  })

  test('has texts in claims, with the members of the ID token, also those that were stored as values', async () => {
    const claims = { name: 'plain text' }
    for (const stored of [{ values: {}, claims }, { values: claims }]) {
      await shareValues(grants, grantId, { ...stored, values_attestation: {} })
      expect(await readUserInfo(grants, grantId, 'idw_app')).toMatchObject({
        values: {},
        claims,
        email_verified: false,
      })
    }
  })

  test('ends with the grant', async () => {
    await endGrant(grants, grantId)
    expect(await readUserInfo(grants, grantId, 'idw_app')).toBeNull()
  })

  test('is sealed anew under another key and is then readable without the first', async () => {
    await shareValues(grants, grantId, shared)
    const both = { ...grants, settings: { ...settings, DATA_KEY: parseKeyring(`${SECOND_KEY},${FIRST_KEY}`) } }
    expect(await rewrapShared(both)).toBe(1)
    expect(await rewrapShared(both)).toBe(0)
    const second = { ...grants, settings: { ...settings, DATA_KEY: parseKeyring(SECOND_KEY) } }
    const info = await readUserInfo(second, grantId, 'idw_app')
    expect(info?.values).toEqual(shared.values)
  })

  test('is sealed in its row', async () => {
    await shareValues(grants, grantId, { ...shared, values: { name: 'plain text' } })
    const rows = await database.read((read) => runStatement(read, 'select * from grants.grant', []))
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('plain text').toString('hex'))
    expect(rows).toEqual([expect.objectContaining({ shared_key_id: 'k1' })])
  })
})

describe('a detached result', () => {
  test('is pending at first, claimed by exactly one call, and over afterwards', async () => {
    const name = resultName()
    expect(await readResult(grants, name)).toEqual({ state: 'pending', outcome: null })
    expect(await putResult(grants, name, { kind: 'denied' })).toBe(true)
    expect(await putResult(grants, name, { kind: 'enrolled' })).toBe(false)
    expect(await readResult(grants, name)).toEqual({ state: 'ready', outcome: { kind: 'denied' } })
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimResult(grants, name)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await readResult(grants, name)).toEqual({ state: 'over', outcome: null })
  })

  test('lapses after ten minutes, and its state stays used', async () => {
    const name = resultName()
    await putResult(grants, name, { kind: 'denied' })
    clock.advance(600_000)
    expect(await readResult(grants, name)).toEqual({ state: 'over', outcome: null })
    expect([await claimResult(grants, name), await putResult(grants, name, { kind: 'denied' })]).toEqual([false, false])
    clock.advance(DAY_SECONDS * 1000)
    await tidyGrants(grants)
    expect(await readResult(grants, name)).toEqual({ state: 'pending', outcome: null })
  })
})

async function put(usedIn: string): Promise<void> {
  await database.transaction((tx) => runStatement(tx, 'truncate grants.grant cascade', []))
  const payload = { rar: [CONSENT] }
  const grant = { id: grantId, userId, clientId: 'idw_app', usedIn, livesSeconds: 90 * DAY_SECONDS, payload }
  await putGrant(grants, grant)
}

function token(kind: 'code' | 'refresh') {
  return { kind, sha256: createHash('sha256').update(ids.uuid()).digest() }
}

function resultName() {
  return { companyId: ids.uuid<UserId>(), clientId: 'idw_app', stateSha256: token('code').sha256 }
}

async function count(table: string): Promise<number> {
  const rows = await database.read((read) => runStatement(read, `select 1 from ${table}`, []))
  return rows.length
}

async function consumeTokenQuietly(name: ReturnType<typeof token>): Promise<boolean | 'rejected'> {
  return consumeToken(grants, name).catch(() => 'rejected' as const)
}
