import { type Database, openDatabase, runStatement } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import { createTestDatabase, fixedClock, fixedIds, type TestDatabase, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { regionMigrations } from '../../migrations.ts'
import { deleteService, endServicesOfAccount } from './deletion.ts'
import { advanceServiceJobs, startServiceJobs } from './jobs.ts'
import { publishRows, readRows, showRows } from './request-fields.ts'
import type { ServiceName } from './service.ts'
import { createService, listServices } from './services.ts'
import { findService, findServiceByCode } from './store/services.ts'
import { type JobSite, openJobSite } from './testing/job-site.ts'

const clock = fixedClock()
const telemetry = recordingTelemetry()
let created: TestDatabase
let database: Database
let site: JobSite

beforeAll(async () => {
  created = await createTestDatabase({ template: 'region', migrations: regionMigrations })
  database = openDatabase({ url: created.url, poolSize: 5 })
  site = await openJobSite({ database, clock, ids: fixedIds(clock, 11), log: telemetry.log, query: runStatement })
})
afterAll(async () => {
  await database.close()
  await created.drop()
})
beforeEach(() => {
  site.told.splice(0)
})

const email = { slug: 'email', label: 'E-mail', type: 'email' }
const phone = { slug: 'phone', label: 'Phone', type: 'phone' }

async function publish(service: ServiceName, rows: readonly object[]): Promise<void> {
  const { config_token } = showRows(await readRows(site.services, service))
  const actor = { companyId: service.companyId, actorId: 'test', action: 'test' }
  await publishRows(site.services, actor, service, { config_token, request_fields: rows as never })
}

/** A service that is about to drop one of its rows. */
async function removing(connections: number): Promise<ServiceName> {
  const service = await site.addService(connections)
  await publish(service, [email, phone])
  await publish(service, [phone])
  return service
}

async function stateOf({ companyId, serviceId }: ServiceName) {
  const { items } = await listServices(site.services, { accountId: companyId, services: [serviceId] }, {})
  return items.map(({ state, progress }) => ({ state, progress }))[0]
}

/** Ends after a number of steps, as a process that is told to stop does. */
const steps = (limit: number) => {
  let done = 0
  return () => (done += 1) > limit
}

describe('removing a row', () => {
  test('hides it at once and drops its values some connections at a time, with progress', async () => {
    const service = await removing(12)
    expect((await readRows(site.services, service)).map(({ slug }) => slug)).toEqual(['phone'])
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 0, total: 12 } })
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 0))
    await advanceServiceJobs(site.jobs, steps(1))
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 5, total: 12 } })
    await advanceServiceJobs(site.jobs, steps(1))
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 10, total: 12 } })
    await advanceServiceJobs(site.jobs)
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 1))
  })

  test('lets other publications go on meanwhile, also of the slug that was freed', async () => {
    const service = await removing(12)
    await advanceServiceJobs(site.jobs, steps(1))
    await publish(service, [phone, email])
    expect((await readRows(site.services, service)).map(({ slug }) => slug)).toEqual(['phone', 'email'])
    await publish(service, [email])
    expect(await stateOf(service)).toEqual({ state: 'applying', progress: { done: 5, total: 24 } })
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 2))
    expect((await readRows(site.services, service)).map(({ slug }) => slug)).toEqual(['email'])
  })

  test('tells the customers of every publication that changed something, and of no other', async () => {
    const service = await site.addService(3)
    const revOf = async () =>
      (await database.read((read) => findService(read, service.companyId, service.serviceId)))?.rev ?? 0
    const first = await revOf()
    await publish(service, [email, phone])
    await publish(service, [phone])
    expect(site.told).toEqual(['facts', 'facts'])
    await publish(service, [phone])
    expect(site.told).toEqual(['facts', 'facts'])
    expect(await revOf()).toBe(first + 2)
    await advanceServiceJobs(site.jobs)
  })

  test('needs no job where nobody is connected', async () => {
    const service = await removing(0)
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
    expect(await site.count('job', service)).toBe(0)
  })
})

describe('a job', () => {
  test('that was cut off goes on where it was: nobody is visited twice', async () => {
    const service = await removing(12)
    await advanceServiceJobs(site.jobs, steps(1))
    // The process dies in the middle of a step: what it wrote is undone with the note of how far it came.
    const dying = { ...site.jobs.steps, dropRows: () => Promise.reject(new Error('killed')) }
    await advanceServiceJobs({ ...site.jobs, steps: dying })
    expect((await site.visitsOf(service)).filter((visits) => visits > 0)).toHaveLength(5)
    clock.advance(2000)
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 12 }, () => 1))
  })

  test('whose step fails writes nothing, is logged, waits longer each time and is never passed over', async () => {
    const service = await removing(7)
    const failing = {
      ...site.jobs,
      steps: {
        ...site.jobs.steps,
        async dropRows(...args: Parameters<typeof site.jobs.steps.dropRows>) {
          await site.jobs.steps.dropRows(...args)
          throw new Error('after it has written')
        },
      },
    }
    await advanceServiceJobs(failing)
    await advanceServiceJobs(failing)
    clock.advance(1000)
    await advanceServiceJobs(failing)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    const failures = telemetry.lines().filter((line) => JSON.stringify(line).includes(service.serviceId))
    expect(failures).toHaveLength(2)
    clock.advance(1000)
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    clock.advance(1000)
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })

  test('that fails holds up no other', async () => {
    const [bad, good] = [await removing(7), await removing(7)]
    const failing = {
      ...site.jobs,
      steps: {
        ...site.jobs.steps,
        dropRows: (...args: Parameters<typeof site.jobs.steps.dropRows>) =>
          args[1].serviceId === bad.serviceId
            ? Promise.reject(new Error('not this one'))
            : site.jobs.steps.dropRows(...args),
      },
    }
    await advanceServiceJobs(failing)
    expect(await site.visitsOf(good)).toEqual(Array.from({ length: 7 }, () => 1))
    expect(await site.count('job', bad)).toBe(1)
    clock.advance(60_000)
    await advanceServiceJobs(site.jobs)
    expect(await site.count('job', bad)).toBe(0)
  })

  test('is worked on by one of several workers at a time', async () => {
    const services = [await removing(23), await removing(23), await removing(23)]
    await Promise.all(Array.from({ length: 4 }, () => advanceServiceJobs(site.jobs)))
    await advanceServiceJobs(site.jobs)
    for (const service of services) expect(await site.visitsOf(service)).toEqual(Array.from({ length: 23 }, () => 1))
  })

  test('waits while writes are paused and goes on afterwards [HOOK-40]', async () => {
    const service = await removing(7)
    await advanceServiceJobs({ ...site.jobs, isPaused: async () => true })
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 0))
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })

  test('is taken up by a worker within moments, not within its upkeep', async () => {
    const running = startServiceJobs(site.jobs)
    const service = await removing(7)
    await waitUntil('the job is done', 10_000, async () => (await site.count('job', service)) === 0)
    await running.close()
    expect(await site.visitsOf(service)).toEqual(Array.from({ length: 7 }, () => 1))
  })
})

describe('deleting a service', () => {
  const actor = ({ companyId }: ServiceName) => ({ companyId, actorId: 'test' })

  test('hides it at once, ends its connections some at a time and frees its code at the end', async () => {
    const service = await removing(12)
    const { companyId, serviceId } = service
    const shareCode = (await database.read((read) => findService(read, companyId, serviceId)))?.shareCode ?? ''
    await deleteService(site.services, actor(service), service)
    const find = () => database.read((read) => findServiceByCode(read, companyId, shareCode))
    expect(await find()).toBeNull()
    expect((await listServices(site.services, { accountId: companyId, services: null }, {})).total).toBe(0)
    expect(site.told).toEqual(['facts', 'facts', 'deleted'])
    const again = () =>
      createService(site.services, {
        companyId,
        id: site.services.ids.uuid(),
        name: 'Again',
        adminEmail: 'a@b.example',
        shareCode,
        publicKey: 'another',
        encryptedPrivateKey: { iter: 1, salt: '', iv: '', data: '' },
      })
    await advanceServiceJobs(site.jobs, steps(1))
    expect(await site.visitsOf(service)).toHaveLength(7)
    await expect(again()).rejects.toMatchObject({ key: 'services.share_code_taken' })
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual([])
    expect(site.told).toEqual(['facts', 'facts', 'deleted', 'gone'])
    for (const table of ['service', 'request_row', 'job', 'log', 'log_head', 'share_field', 'share_photo']) {
      expect([table, await site.count(table, service)]).toEqual([table, 0])
    }
    await again()
    expect(await find()).not.toBeNull()
  })

  test('is refused while a contract is open, and then nothing has happened', async () => {
    const service = await site.addService(3)
    const hooks = { ...site.services.hooks, hasOpenContracts: async () => true }
    await expect(deleteService({ ...site.services, hooks }, actor(service), service)).rejects.toMatchObject({
      key: 'company_connections.active_contract',
      status: 409,
    })
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toHaveLength(3)
    expect(await stateOf(service)).toEqual({ state: 'active', progress: undefined })
  })

  test('twice at once happens once', async () => {
    const service = await site.addService(3)
    const both = await Promise.allSettled([
      deleteService(site.services, actor(service), service),
      deleteService(site.services, actor(service), service),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(site.told).toEqual(['deleted'])
    await advanceServiceJobs(site.jobs)
    expect(await site.count('service', service)).toBe(0)
  })

  test('comes with the end of the account, open contracts or not', async () => {
    const service = await site.addService(3)
    const hooks = { ...site.services.hooks, hasOpenContracts: async () => true }
    await database.transaction((tx) => endServicesOfAccount({ ...site.services, hooks }, tx, service.companyId))
    expect(site.told).toEqual(['deleted'])
    expect(await database.read((read) => findService(read, service.companyId, service.serviceId))).toBeNull()
    await advanceServiceJobs(site.jobs)
    expect(await site.visitsOf(service)).toEqual([])
    expect(await site.count('service', service)).toBe(0)
  })
})
