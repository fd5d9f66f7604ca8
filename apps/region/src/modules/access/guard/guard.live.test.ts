import { createIds, type ClientId, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import { type Database, listen, openDatabase } from '@sealpost/postgres'
import { quietTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, fixedClock, seededRandom, type TestDatabase } from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { regionMigrations } from '../../../compose.ts'
import { type Guard, openGuard } from './operations/guard.ts'
import { applyEpoch, awaitGuards, revokeSession, turnSwitches } from './operations/revocation.ts'
import { putClientState, recordChange } from './store/guard.ts'

const clock = fixedClock()
const ids = createIds(clock, seededRandom(7))
const company = ids.uuid<UserId>()
const client = ids.clientId('svc')
const quiet = quietTelemetry()

let site: TestDatabase
let database: Database
const guards: Guard[] = []

beforeAll(async () => {
  site = await createTestDatabase({ template: 'region', migrations: regionMigrations })
  database = openDatabase({ url: site.url })
  await database.transaction(async (tx) => {
    const serviceId = ids.uuid<ServiceId>()
    await putClientState(tx, {
      clientId: client,
      kind: 'svc',
      companyId: company,
      serviceId,
      epoch: 1,
      patterns: [],
    })
  })
})
afterEach(async () => {
  for (const guard of guards.splice(0)) await guard.close()
})
afterAll(async () => {
  await database.close()
  await site.drop()
})

interface Options {
  readonly leaseMs?: number
  readonly isDeaf?: boolean
  /** The same database, whose transactions can be delayed or failed. */
  readonly through?: Database
}

function delayed(before: () => Promise<void>): Database {
  return {
    ...database,
    async transaction(work) {
      await before()
      return database.transaction(work)
    },
  }
}

/** A guard as in another process: with its own connections and its own cache. */
async function anotherProcess({ leaseMs, isDeaf, through }: Options = {}): Promise<Guard> {
  const guard = await openGuard({
    database: through ?? database,
    clock,
    ids,
    log: quiet.log,
    monotonicMs: () => performance.now(),
    onNotify(channel, wake) {
      if (isDeaf === true) return Promise.resolve({ close: () => Promise.resolve() })
      const onNotification = (_channel: string, payload: string): void => wake(payload)
      return listen({ url: site.url, channels: [channel], onNotification, onReconnect: () => wake(null) })
    },
    ...(leaseMs === undefined ? {} : { leaseMs }),
  })
  guards.push(guard)
  return guard
}

const epochSeen = async (guard: Guard) => (await guard.findClient(client))?.epoch

test('a cached client is answered synchronously', async () => {
  const guard = await anotherProcess()
  await guard.findClient(client)
  expect(guard.findClient(client)).not.toBeInstanceOf(Promise)
})

test('when a new epoch is applied, every process has it', async () => {
  const processes = await Promise.all([anotherProcess(), anotherProcess(), anotherProcess()])
  for (const guard of processes) await epochSeen(guard)
  for (let epoch = 2; epoch < 30; epoch += 1) {
    await applyEpoch({ database, clock }, company, client, epoch)
    const seen = await Promise.all(processes.map(epochSeen))
    expect(seen).toEqual([epoch, epoch, epoch])
  }
})

test('a revocation waits for a process that got no notification', async () => {
  const deaf = await anotherProcess({ isDeaf: true, leaseMs: 600 })
  const before = (await epochSeen(deaf)) ?? 0
  await applyEpoch({ database, clock }, company, client, before + 1)
  expect(await epochSeen(deaf)).toBe(before + 1)
})

test('a process that cannot renew its lease stops trusting its cache before a revocation stops waiting for it', async () => {
  let isCut = false
  const cut = delayed(async () => {
    if (isCut) throw new Error('the database cannot be reached by this process')
  })
  const hung = await anotherProcess({ isDeaf: true, leaseMs: 600, through: cut })
  const before = (await epochSeen(hung)) ?? 0
  isCut = true
  await applyEpoch({ database, clock }, company, client, before + 1)
  expect(hung.findClient(client)).toBeInstanceOf(Promise)
  expect(await epochSeen(hung)).toBe(before + 1)
})

test('a process knows from its first call on what was revoked while it started', async () => {
  let isFirst = true
  const interrupted = delayed(async () => {
    if (!isFirst) return
    isFirst = false
    await revokeSession({ database, clock }, 'stolen during the start')
  })
  const starting = await anotherProcess({ isDeaf: true, through: interrupted })
  expect(await starting.isRevoked('stolen during the start')).toBe(true)
})

test('a renewal that was delayed past its lease does not restore an old state', async () => {
  const reached = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let isHolding = false
  const slow = delayed(async () => {
    if (!isHolding) return
    isHolding = false
    reached.resolve()
    await release.promise
  })
  const guard = await anotherProcess({ isDeaf: true, leaseMs: 600, through: slow })
  const before = (await epochSeen(guard)) ?? 0
  isHolding = true
  await reached.promise
  await applyEpoch({ database, clock }, company, client, before + 1)
  release.resolve()
  for (let i = 0; i < 50; i += 1) expect(await epochSeen(guard)).toBe(before + 1)
})

test('a revoked session is refused by every process at once, other sessions stay valid', async () => {
  const processes = await Promise.all([anotherProcess(), anotherProcess()])
  await revokeSession({ database, clock }, 'stolen')
  for (const guard of processes) {
    expect(await guard.isRevoked('stolen')).toBe(true)
    expect(await guard.isRevoked('other')).toBe(false)
  }
})

test('a process that starts after a revocation knows it', async () => {
  await revokeSession({ database, clock }, 'stolen before the start')
  const late = await anotherProcess()
  expect(await late.isRevoked('stolen before the start')).toBe(true)
})

test('a switch is honoured by every process when turning it answers', async () => {
  const processes = await Promise.all([anotherProcess(), anotherProcess()])
  await turnSwitches({ database, clock }, { writesPaused: true, outOfOrder: false })
  for (const guard of processes) expect(await guard.switches()).toEqual({ writesPaused: true, outOfOrder: false })
  await turnSwitches({ database, clock }, { writesPaused: false, outOfOrder: false })
  for (const guard of processes) expect(await guard.switches()).toEqual({ writesPaused: false, outOfOrder: false })
})

test('an unknown client is null until it is registered', async () => {
  const guard = await anotherProcess()
  const fresh = 'svc_aaaaaaaaaaaaaaaaaaaaaaaa' as ClientId
  expect(await guard.findClient(fresh)).toBeNull()
  const revision = await database.transaction(async (tx) => {
    const serviceId = ids.uuid<ServiceId>()
    await putClientState(tx, { clientId: fresh, kind: 'svc', companyId: company, serviceId, epoch: 1, patterns: [] })
    return recordChange(tx, fresh, instant(clock.now()))
  })
  await awaitGuards(database, revision)
  expect(await guard.findClient(fresh)).not.toBeNull()
})
