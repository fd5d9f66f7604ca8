import { type Jobs, type JobsOptions, openJobs } from '@sealpost/jobs'
import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { insertAccount } from '../../account/index.ts'
import type { ServicesContext, ServicesHooks } from '../context.ts'
import type { ServiceName } from '../model.ts'
import { seedService } from '../operations/create-service.ts'
import { handleServiceJobs } from '../operations/jobs.ts'

/** A database with services whose connections are rows of a table of this test, so that no other module changes them. */
export interface JobSite {
  /** Its hooks note their calls and change the table of connections. */
  readonly services: ServicesContext
  /** The calls of the hooks, in order. */
  readonly calls: string[]
  addService(connections: number): Promise<ServiceName>
  /** How often each connection of the service was visited; ended ones are absent. */
  visitsOf(service: ServiceName): Promise<readonly number[]>
  count(table: string, service: ServiceName): Promise<number>
  /** Jobs of the service that are not done. */
  pendingJobs(service: ServiceName): Promise<number>
  /** A process that runs the jobs, with other hooks or switches where they are given. */
  worker(hooks?: Partial<ServicesHooks>, options?: Partial<JobsOptions>): Jobs
}

/** Connections that a step takes. */
const BATCH_SIZE = 5

const NO_KEY = { iter: 100_000, salt: '', iv: '', data: '' }
const KDF = { alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: '' } as const

/** `runStatement`, handed in by the test: only stores and tests may import it. */
type Query = <Row extends Record<string, unknown>>(
  read: Read,
  text: string,
  values: readonly unknown[],
) => Promise<readonly Row[]>

export async function openJobSite(
  platform: Pick<JobsOptions, 'database' | 'clock' | 'ids' | 'telemetry'>,
  query: Query,
): Promise<JobSite> {
  const { database, clock, ids, telemetry } = platform
  const calls: string[] = []
  const jobs = openJobs(platform)
  const services: ServicesContext = { database, clock, ids, log: telemetry.log, jobs, hooks: hooksOn(calls, query) }
  await run(
    'create table public.visited (service_id uuid, id uuid, visits integer not null, primary key (service_id, id))',
  )
  return {
    services,
    calls,
    async addService(connections) {
      const service = { companyId: await addCompany(services), serviceId: ids.uuid<ServiceId>() }
      await seedService(services, {
        companyId: service.companyId,
        id: service.serviceId,
        name: 'A service',
        adminEmail: 'a@b.example',
        publicKey: service.serviceId,
        encryptedPrivateKey: NO_KEY,
      })
      await run('insert into public.visited select $1, unnest($2::uuid[]), 0', [
        service.serviceId,
        Array.from({ length: connections }, () => ids.uuid()),
      ])
      return service
    },
    async visitsOf(service) {
      const rows = await rowsOf<{ visits: number }>(
        'select visits from public.visited where service_id = $1 order by id',
        service,
      )
      return rows.map(({ visits }) => visits)
    },
    async count(table, service) {
      const column = table === 'service' ? 'id' : 'service_id'
      return (await rowsOf(`select 1 from services.${table} where ${column} = $1`, service)).length
    },
    pendingJobs: async (service) => (await rowsOf('select 1 from jobs.job where key = $1', service)).length,
    worker(hooks = {}, options = {}) {
      const worker = openJobs({ ...platform, ...options })
      handleServiceJobs({ ...services, hooks: { ...services.hooks, ...hooks } }, worker, BATCH_SIZE)
      return worker
    },
  }

  function rowsOf<Row extends Record<string, unknown>>(sql: string, { serviceId }: ServiceName) {
    return database.read((read) => query<Row>(read, sql, [serviceId]))
  }

  async function run(text: string, values: readonly unknown[] = []): Promise<void> {
    await database.transaction((tx) => query(tx, text, values))
  }
}

/** The audit log belongs to an account. */
async function addCompany({
  database,
  clock,
  ids,
}: Pick<ServicesContext, 'database' | 'clock' | 'ids'>): Promise<UserId> {
  const id = ids.uuid<UserId>()
  const keys = { publicKey: '', encryptedPrivateKey: { iv: '', data: '' } }
  const account = { id, userType: 'company', email: `${id}@x.example`, displayName: 'X', language: 'en' } as const
  const known = { level: 'pro', emailHash: id, shareCode: id, createdAt: clock.now() } as const
  await database.transaction((tx) => insertAccount(tx, { ...account, ...known, kdf: KDF, keys, recoveryKeys: keys }))
  return id
}

function hooksOn(calls: string[], query: Query): ServicesHooks {
  const note = (what: string) => async (): Promise<void> => {
    calls.push(what)
  }
  return {
    onFactsChanged: [note('facts')],
    onServiceDeleted: [note('deleted')],
    onServiceGone: [note('gone')],
    hasOpenContracts: async () => false,
    hasEvidence: async () => false,
    countValues: async () => new Map(),
    listFlowRows: async () => [],
    endClients: async () => null,
    hasSecondFactor: async () => true,
    ...stepsOn(query),
    async countConnections(read, { serviceId }) {
      const sql = 'select 1 from public.visited where service_id = $1'
      return (await query(read, sql, [serviceId])).length
    },
  }
}

function stepsOn(
  query: Query,
): Pick<ServicesHooks, 'deleteSlotsOfRows' | 'endConnections' | 'deleteContents' | 'endRequests'> {
  return {
    async deleteSlotsOfRows(tx, { serviceId }, _rows, after, limit) {
      const visited = await query<{ id: ConnectionId }>(
        tx,
        `with page as (select id from public.visited where service_id = $1 and ($2::uuid is null or id > $2)
          order by id limit $3)
        update public.visited v set visits = visits + 1 from page where v.service_id = $1 and v.id = page.id
        returning v.id`,
        [serviceId, after, limit],
      )
      const last = visited
        .map(({ id }) => id)
        .toSorted()
        .at(-1)
      return { after: visited.length < limit ? null : (last ?? null), connections: visited.length }
    },
    async endConnections(tx, { serviceId }, limit) {
      const sql = `delete from public.visited where service_id = $1 and id in (
        select id from public.visited where service_id = $1 limit $2) returning id`
      return (await query(tx, sql, [serviceId, limit])).length
    },
    deleteContents: async () => ({ after: null, isDone: true }),
    endRequests: async () => 0,
  }
}
