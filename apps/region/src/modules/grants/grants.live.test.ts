import { createHash } from 'node:crypto'
import { instant, parseKeyring, type RegionCode, type UserId } from '@sealpost/kernel'
import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { createTestDatabase, fixedClock, fixedIds, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { regionMigrations } from '../../migrations.ts'
import { endGrant, endGrantsInside, endGrantsOfUser } from './ending.ts'
import { consumeToken, type GrantsNeeds, putGrant, putToken, readGrant, readToken, shareValues } from './operations.ts'
import { claimResult, putResult, readResult } from './results.ts'
import { rewrapShared } from './rewrap.ts'
import { tidyGrants } from './upkeep.ts'
import { readUserInfo } from './user-info.ts'

const clock = fixedClock()
const ids = fixedIds(clock)
const DAY_SECONDS = 86_400
const CONSENT = {
  type: 'urn:sealpost:consent',
  mode: 'signin',
  user_type: 'person',
  share_code: 'ABCDEF',
  two_factor: true,
  epoch: 1,
  used_in: 'us',
  proof: { credential: 'a password' },
  name: null,
  email: null,
  email_verified: false,
}

let place: TestDatabase
let database: Database
let needs: GrantsNeeds
let grantId: string
let userId: UserId
let revokedElsewhere: (readonly [string, readonly string[]])[]
let isOtherRegionAway = false

beforeAll(async () => {
  place = await createTestDatabase({ template: 'region', migrations: regionMigrations })
  database = openDatabase({ url: place.url, poolSize: 20 })
  needs = {
    database,
    clock,
    region: 'eu' as RegionCode,
    dataKey: parseKeyring(`k1:${'a'.repeat(32)}`),
    lockCredentialName: () => Promise.resolve('a password'),
    revokeElsewhere(region, sessionIds) {
      if (isOtherRegionAway) return Promise.reject(new Error('the other region is away'))
      revokedElsewhere.push([region, sessionIds])
      return Promise.resolve()
    },
  }
})
afterAll(async () => {
  await database.close()
  await place.drop()
})
beforeEach(async () => {
  revokedElsewhere = []
  isOtherRegionAway = false
  grantId = `eu.${ids.uuid()}`
  userId = ids.uuid()
  await put('us')
})

describe('a code or refresh token', () => {
  test('of fifty who use it at once exactly one wins, and everybody else waits until the grant has ended', async () => {
    const name = token('refresh')
    await putToken(needs, name, grantId, 30 * DAY_SECONDS, {})
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => consumeToken(needs, name)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await readGrant(needs, grantId)).toBeNull()
    expect(revokedElsewhere).toContainEqual(['us', [grantId]])
    expect(await count('grants.token')).toBe(0)
  })

  test('used twice ends its siblings, too', async () => {
    const [code, refresh] = [token('code'), token('refresh')]
    await putToken(needs, code, grantId, 60, {})
    expect(await consumeToken(needs, code)).toBe(true)
    await putToken(needs, refresh, grantId, 30 * DAY_SECONDS, {})
    expect(await consumeToken(needs, code)).toBe(false)
    expect(await readToken(needs, refresh)).toBeNull()
  })

  test('cannot be put under a grant that has ended', async () => {
    await endGrant(needs, grantId)
    expect(await putToken(needs, token('refresh'), grantId, 60, {})).toBe(false)
  })

  test('is kept as a hash, and its row holds what the engine said and nothing else', async () => {
    const name = token('code')
    await putToken(needs, name, grantId, 60, { nonce: 'n' })
    const rows = await database.read((read) => runStatement(read, 'select * from grants.token', []))
    expect(rows).toEqual([
      expect.objectContaining({ sha256: Buffer.from(name.sha256), payload: { nonce: 'n' }, consumed_at: null }),
    ])
  })

  test('of one kind is not found as the other', async () => {
    const name = token('code')
    await putToken(needs, name, grantId, 60, {})
    expect(await readToken(needs, { ...name, kind: 'refresh' })).toBeNull()
    expect(await consumeToken(needs, { ...name, kind: 'refresh' })).toBe(false)
    expect(await consumeToken(needs, name)).toBe(true)
  })

  test('lives as long as it was put for, and never longer than its grant', async () => {
    const [short, long] = [token('code'), token('refresh')]
    await putToken(needs, short, grantId, 60, {})
    await putToken(needs, long, grantId, 900 * DAY_SECONDS, {})
    const start = clock.now()
    clock.advance(59_999)
    expect(await readToken(needs, short)).not.toBeNull()
    clock.advance(1)
    expect(await readToken(needs, short)).toBeNull()
    expect(await consumeToken(needs, short)).toBe(false)
    clock.set(instant(start + 90 * DAY_SECONDS * 1000 - 1))
    expect(await readToken(needs, long)).not.toBeNull()
    clock.advance(1)
    expect([await readToken(needs, long), await readGrant(needs, grantId)]).toEqual([null, null])
    clock.set(start)
  })
})

describe('the end of a grant', () => {
  test('that another region could not hear of is not an end to anybody; whoever comes next finishes it', async () => {
    const name = token('refresh')
    await putToken(needs, name, grantId, 60, {})
    isOtherRegionAway = true
    await expect(endGrant(needs, grantId)).rejects.toThrow('away')
    await expect(readToken(needs, name)).rejects.toThrow('away')
    expect([await readGrant(needs, grantId), await consumeTokenQuietly(name)]).toEqual([null, 'rejected'])
    isOtherRegionAway = false
    expect(await readToken(needs, name)).toBeNull()
    expect(revokedElsewhere).toEqual([['us', [grantId]]])
    expect(await count('grants.grant')).toBe(0)
  })

  test('that was cut off is finished by the upkeep after a minute', async () => {
    isOtherRegionAway = true
    await expect(endGrant(needs, grantId)).rejects.toThrow('away')
    isOtherRegionAway = false
    await tidyGrants(needs)
    expect(revokedElsewhere).toEqual([])
    clock.advance(61_000)
    await tidyGrants(needs)
    expect(revokedElsewhere).toEqual([['us', [grantId]]])
  })

  test('that waits for a region that is away holds up no other', async () => {
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
    await putGrant(needs, nearGrant)
    const seeThrough = await database.transaction((tx) => endGrantsInside(needs, tx, userId))
    await expect(seeThrough()).rejects.toThrow('away')
    expect(await count('grants.grant')).toBe(1)

    clock.advance(1000)
    await putGrant(needs, nearGrant)
    await database.transaction((tx) => endGrantsInside(needs, tx, userId))
    clock.advance(61_000)
    await expect(tidyGrants(needs)).rejects.toThrow('away')
    expect(await count('grants.grant')).toBe(1)
  })

  test('of all grants of an account happens with the transaction that is the reason for it', async () => {
    const failed = database.transaction(async (tx) => {
      await endGrantsOfUser(needs, tx, userId)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await readGrant(needs, grantId)).not.toBeNull()
    await database.transaction((tx) => endGrantsOfUser(needs, tx, userId))
    expect(await readGrant(needs, grantId)).toBeNull()
  })
})

describe('userinfo', () => {
  const shared = { values: { name: 'a wrapper' }, values_attestation: {} }

  test('tells what was shared to the client of the grant and to no other', async () => {
    await shareValues(needs, grantId, shared)
    expect(await readUserInfo(needs, grantId, 'idw_app')).toEqual({
      sub: 'ABCDEF',
      share_code: 'ABCDEF',
      mode: 'signin',
      two_factor: true,
      ...shared,
    })
    expect(await readUserInfo(needs, grantId, 'idw_other')).toBeNull()
    expect(await readUserInfo(needs, `eu.${ids.uuid()}`, 'idw_app')).toBeNull()
  })

  test('is over with the grant', async () => {
    await endGrant(needs, grantId)
    expect(await readUserInfo(needs, grantId, 'idw_app')).toBeNull()
  })

  test('is moved to another key, and can then be read without the first', async () => {
    await shareValues(needs, grantId, shared)
    const [old, fresh] = [`k1:${'a'.repeat(32)}`, `k2:${'b'.repeat(32)}`]
    expect(await rewrapShared({ database, dataKey: parseKeyring(`${fresh},${old}`) })).toBe(1)
    expect(await rewrapShared({ database, dataKey: parseKeyring(`${fresh},${old}`) })).toBe(0)
    const info = await readUserInfo({ ...needs, dataKey: parseKeyring(fresh) }, grantId, 'idw_app')
    expect(info?.values).toEqual(shared.values)
  })

  test('rests sealed', async () => {
    await shareValues(needs, grantId, { ...shared, values: { name: 'plain text' } })
    const rows = await database.read((read) => runStatement(read, 'select * from grants.grant', []))
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('plain text').toString('hex'))
    expect(rows).toEqual([expect.objectContaining({ shared_key_id: 'k1' })])
  })
})

describe('a detached result', () => {
  test('is pending before, given to exactly one, and over after that', async () => {
    const name = resultName()
    expect(await readResult(needs, name)).toEqual({ state: 'pending', outcome: null })
    expect(await putResult(needs, name, { kind: 'denied' })).toBe(true)
    expect(await putResult(needs, name, { kind: 'enrolled' })).toBe(false)
    expect(await readResult(needs, name)).toEqual({ state: 'ready', outcome: { kind: 'denied' } })
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimResult(needs, name)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await readResult(needs, name)).toEqual({ state: 'over', outcome: null })
  })

  test('lapses after ten minutes, and its state stays used', async () => {
    const name = resultName()
    await putResult(needs, name, { kind: 'denied' })
    clock.advance(600_000)
    expect(await readResult(needs, name)).toEqual({ state: 'over', outcome: null })
    expect([await claimResult(needs, name), await putResult(needs, name, { kind: 'denied' })]).toEqual([false, false])
    clock.advance(DAY_SECONDS * 1000)
    await tidyGrants(needs)
    expect(await readResult(needs, name)).toEqual({ state: 'pending', outcome: null })
  })
})

async function put(usedIn: string): Promise<void> {
  await database.transaction((tx) => runStatement(tx, 'truncate grants.grant cascade', []))
  const payload = { rar: [CONSENT] }
  const grant = { id: grantId, userId, clientId: 'idw_app', usedIn, livesSeconds: 90 * DAY_SECONDS, payload }
  await putGrant(needs, grant)
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
  return consumeToken(needs, name).catch(() => 'rejected' as const)
}
