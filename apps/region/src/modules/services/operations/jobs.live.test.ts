import { runStatement } from '@sealpost/postgres'
import { openTables, waitUntil } from '@sealpost/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { regionMigrations } from '../../../compose.ts'
import type { ServiceName } from '../model.ts'
import { findService, findServiceByCode } from '../store/services.ts'
import { openJobSite } from '../testing/job-site.ts'
import { rowsToWire } from '../wire.ts'
import { seedService } from './create-service.ts'
import { deleteService, endServicesOfAccount } from './delete-service.ts'
import { publishRows, readRows } from './publish-rows.ts'
import { listServices } from './read-services.ts'

const tables = await openTables('region', regionMigrations)
const { database, clock, telemetry } = tables
const site = await openJobSite(tables, runStatement)

beforeEach(() => {
  site.calls.splice(0)
})

const email = { slug: 'email', label: 'E-mail', type: 'email' }
const phone = { slug: 'phone', label: 'Phone', type: 'phone' }

async function publish(service: ServiceName, rows: readonly object[]): Promise<void> {
  const { config_token } = rowsToWire(await readRows(site.services, service))
  const actor = { companyId: service.companyId, actorId: 'test', action: 'test' }
  await publishRows(site.services, actor, service, { config_token, request_fields: rows as never })
}

/** A service that has just removed one of its rows. */
async function removing(connections: number): Promise<ServiceName> {
  const service = await site.addService(connections)
  await publish(service, [email, phone])
  await publish(service, [phone])
  return service
}

async function stateOf({ companyId, serviceId }: ServiceName) {
  const page = await listServices(site.services, { accountId: companyId, services: [serviceId] }, {})
  const { items } = await page.collect()
  return items.map(({ state, progress }) => ({ state, progress }))[0]
}

/** Runs what is due: all of it, or so many steps as a process takes that shuts down then. */
function advance(steps?: number): Promise<void> {
  return site.worker().runDue(steps)
}

describe('removing a row', () => {
  test('hides it at once and deletes its contents in batches of connections, with progress', async () => {
    const service = await removing(12)
    expect((await readRows(site.services, service)).rows.map(({ slug }) => slug)).toEqual(['phone'])
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 0, total: 12 } })
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 0))
    await advance(1)
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 5, total: 12 } })
    await advance(1)
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 10, total: 12 } })
    await advance()
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 1))
  })

  test('does not block other publications, also of the freed slug', async () => {
    const service = await removing(12)
    await advance(1)
    await publish(service, [phone, email])
    expect((await readRows(site.services, service)).rows.map(({ slug }) => slug)).toEqual(['phone', 'email'])
    await publish(service, [email])
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 5, total: 24 } })
    await advance()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 2))
    expect((await readRows(site.services, service)).rows.map(({ slug }) => slug)).toEqual(['email'])
  })

  test('calls onFactsChanged for every publication that changes something, and for no other', async () => {
    const service = await site.addService(3)
    const revOf = async () =>
      (await database.read((read) => findService(read, service.companyId, service.serviceId)))?.rev ?? 0
    const first = await revOf()
    await publish(service, [email, phone])
    await publish(service, [phone])
    expect(site.calls).toEqual(['facts', 'facts'])
    await publish(service, [phone])
    expect(site.calls).toEqual(['facts', 'facts'])
    expect(await revOf()).toBe(first + 2)
    await advance()
  })

  test('needs no job without connections', async () => {
    const service = await removing(0)
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
    expect(await site.pendingJobs(service)).toBe(0)
  })
})

describe('a job', () => {
  test('that was interrupted continues where it was and visits no connection twice', async () => {
    const service = await removing(12)
    await advance(1)
    // The process dies during a step: its writes are rolled back together with the progress.
    await site.worker({ deleteSlotsOfRows: () => Promise.reject(new Error('killed')) }).runDue()
    expect((await site.visitsOf(service)).filter((visits) => visits > 0)).toHaveLength(5)
    clock.advance(2000)
    await advance()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 1))
  })

  test('whose step fails writes nothing, is logged, waits longer each time and is never skipped', async () => {
    const service = await removing(7)
    const failing = site.worker({
      async deleteSlotsOfRows(...args) {
        await site.services.hooks.deleteSlotsOfRows(...args)
        throw new Error('failed after its writes')
      },
    })
    await failing.runDue()
    await failing.runDue()
    clock.advance(1000)
    await failing.runDue()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    const failures = telemetry.lines().filter((line) => JSON.stringify(line).includes(service.companyId))
    expect(failures).toHaveLength(2)
    clock.advance(1000)
    await advance()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    clock.advance(1000)
    await advance()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })

  test('that fails does not block others', async () => {
    const [bad, good] = [await removing(7), await removing(7)]
    const failing = site.worker({
      deleteSlotsOfRows: (...args) =>
        args[1].serviceId === bad.serviceId
          ? Promise.reject(new Error('not this one'))
          : site.services.hooks.deleteSlotsOfRows(...args),
    })
    await failing.runDue()
    expect(await site.visitsOf(good)).toEqual(Array.from({ length: 7 }, () => 1))
    expect(await site.pendingJobs(bad)).toBe(1)
    clock.advance(60_000)
    await advance()
    expect(await site.pendingJobs(bad)).toBe(0)
  })

  test('is run by one worker at a time', async () => {
    const services = [await removing(23), await removing(23), await removing(23)]
    await Promise.all(Array.from({ length: 4 }, () => advance()))
    await advance()
    for (const service of services) expect(await site.visitsOf(service)).toEqual(Array.from({ length: 23 }, () => 1))
  })

  test('waits while writes are paused and continues afterwards [HOOK-40]', async () => {
    const service = await removing(7)
    await site.worker({}, { isPaused: async () => true }).runDue()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    await advance()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })

  test('is started by a worker within seconds', async () => {
    const worker = site.worker()
    await worker.start()
    const service = await removing(7)
    await waitUntil('the job is done', 10_000, async () => (await site.pendingJobs(service)) === 0)
    await worker.close()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })
})

describe('deleting a service', () => {
  const actor = ({ companyId }: ServiceName) => ({ companyId, actorId: 'test' })

  test('hides it at once, ends its connections in batches and frees its code at the end', async () => {
    const service = await removing(12)
    const { companyId, serviceId } = service
    const shareCode = (await database.read((read) => findService(read, companyId, serviceId)))?.shareCode ?? ''
    await deleteService(site.services, actor(service), service)
    const find = () => database.read((read) => findServiceByCode(read, companyId, shareCode))
    expect(await find()).toBeNull()
    const page = await listServices(site.services, { accountId: companyId, services: null }, {})
    expect((await page.collect()).total).toBe(0)
    expect(site.calls).toEqual(['facts', 'facts', 'deleted'])
    const again = () =>
      seedService(site.services, {
        companyId,
        id: site.services.ids.uuid(),
        name: 'Again',
        adminEmail: 'a@b.example',
        shareCode,
        publicKey: 'another',
        encryptedPrivateKey: { iter: 1, salt: '', iv: '', data: '' },
      })
    await advance(1)
    expect(await site.visitsOf(service)).toHaveLength(7)
    await expect(again()).rejects.toMatchObject({ key: 'services.share_code_taken' })
    await advance()
    expect(await site.visitsOf(service)).toEqual([])
    expect(site.calls).toEqual(['facts', 'facts', 'deleted', 'gone'])
    for (const table of ['service', 'request_row', 'log', 'log_head', 'share_field', 'share_photo']) {
      expect([table, await site.count(table, service)]).toEqual([table, 0])
    }
    expect(await site.pendingJobs(service)).toBe(0)
    await again()
    expect(await find()).not.toBeNull()
  })

  test('is refused while a contract is open and changes nothing', async () => {
    const service = await site.addService(3)
    const hooks = { ...site.services.hooks, hasOpenContracts: async () => true }
    await expect(deleteService({ ...site.services, hooks }, actor(service), service)).rejects.toMatchObject({
      key: 'company_connections.active_contract',
      status: 409,
    })
    await advance()
    expect(await site.visitsOf(service)).toHaveLength(3)
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
  })

  test('twice at the same time happens once', async () => {
    const service = await site.addService(3)
    const both = await Promise.allSettled([
      deleteService(site.services, actor(service), service),
      deleteService(site.services, actor(service), service),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(site.calls).toEqual(['deleted'])
    await advance()
    expect(await site.count('service', service)).toBe(0)
  })

  test('is part of the erasure of the account, also with open contracts', async () => {
    const service = await site.addService(3)
    const hooks = { ...site.services.hooks, hasOpenContracts: async () => true }
    await database.transaction((tx) => endServicesOfAccount({ ...site.services, hooks }, tx, service.companyId))
    expect(site.calls).toEqual(['deleted'])
    expect(await database.read((read) => findService(read, service.companyId, service.serviceId))).toBeNull()
    await advance()
    expect(await site.visitsOf(service)).toEqual([])
    expect(await site.count('service', service)).toBe(0)
  })
})
