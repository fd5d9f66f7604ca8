import type { Clock, ConnectionId, Ids, ServiceId, UserId } from '@sealpost/kernel'
import type { Database, Read } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import { insertAccount } from '../../account/index.ts'
import type { JobNeeds } from '../jobs.ts'
import type { ServiceJobSteps, ServicesNeeds } from '../needs.ts'
import type { ServiceName } from '../service.ts'
import { createService } from '../services.ts'

/** A database with services whose connections are rows of a table of this test, so that nobody else works on them. */
export interface JobSite {
  /** For publishing and deleting; nothing is called above them. */
  readonly services: ServicesNeeds
  /** For the runner, with five connections per transaction. */
  readonly jobs: JobNeeds
  /** What the hooks were told, in order. */
  readonly told: string[]
  addService(connections: number): Promise<ServiceName>
  /** How often each connection of the service was visited; ended ones are absent. */
  visitsOf(service: ServiceName): Promise<readonly number[]>
  count(table: string, service: ServiceName): Promise<number>
}

const BATCH = 5
const NO_KEY = { iter: 100_000, salt: '', iv: '', data: '' }
const KDF = { alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: '' } as const

export interface JobSiteNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly query: Query
}

/** `runStatement`, from the test: what is no store speaks no SQL by itself. */
type Query = <Row extends Record<string, unknown>>(
  read: Read,
  text: string,
  values: readonly unknown[],
) => Promise<readonly Row[]>

export async function openJobSite({ database, clock, ids, log, query }: JobSiteNeeds): Promise<JobSite> {
  const told: string[] = []
  const steps = stepsOn(query)
  const services: ServicesNeeds = {
    database,
    clock,
    ids,
    log,
    hooks: hooksOn(told, query),
    steps,
    endClients: async () => null,
    settle: async () => {},
    hasSecondFactor: async () => true,
  }
  await run(
    'create table public.visited (service_id uuid, id uuid, visits integer not null, primary key (service_id, id))',
  )
  return {
    services,
    jobs: { ...services, isPaused: async () => false, batchSize: BATCH },
    told,
    async addService(connections) {
      const service = { companyId: await addCompany(), serviceId: ids.uuid<ServiceId>() }
      await createService(services, {
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
    async visitsOf({ serviceId }) {
      const sql = 'select visits from public.visited where service_id = $1 order by id'
      const rows = await database.read((read) => query<{ visits: number }>(read, sql, [serviceId]))
      return rows.map(({ visits }) => visits)
    },
    async count(table, { serviceId }) {
      const column = table === 'service' ? 'id' : 'service_id'
      const sql = `select 1 from services.${table} where ${column} = $1`
      return (await database.read((read) => query(read, sql, [serviceId]))).length
    },
  }

  async function run(text: string, values: readonly unknown[] = []): Promise<void> {
    await database.transaction((tx) => query(tx, text, values))
  }

  /** What is logged about a company belongs to an account. */
  async function addCompany(): Promise<UserId> {
    const id = ids.uuid<UserId>()
    const keys = { publicKey: '', encryptedPrivateKey: { iv: '', data: '' } }
    const account = { id, userType: 'company', email: `${id}@x.example`, displayName: 'X', language: 'en' } as const
    const known = { level: 'pro', emailHash: id, shareCode: id, createdAt: clock.now() } as const
    await database.transaction((tx) => insertAccount(tx, { ...account, ...known, kdf: KDF, keys, recoveryKeys: keys }))
    return id
  }
}

function hooksOn(told: string[], query: Query): ServicesNeeds['hooks'] {
  const note = (what: string) => async (): Promise<void> => {
    told.push(what)
  }
  return {
    onFactsChanged: [note('facts')],
    onServiceDeleted: [note('deleted')],
    onServiceGone: [note('gone')],
    hasOpenContracts: async () => false,
    async countConnections(read, { serviceId }) {
      const sql = 'select 1 from public.visited where service_id = $1'
      return (await query(read, sql, [serviceId])).length
    },
  }
}

function stepsOn(query: Query): ServiceJobSteps {
  return {
    async dropRows(tx, { serviceId }, _rows, after, limit) {
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
    endRequests: async () => 0,
  }
}
