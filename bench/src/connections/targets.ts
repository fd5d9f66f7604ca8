import type { ScenarioContext } from '@sealpost/testkit'
import { Pool } from 'undici'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { openRegionMeter, perCall } from '../region-cpu.ts'
import { seedConnection } from './rows.ts'
import { COPY_SCHEMA } from './seed.ts'
import type { Site } from './site.ts'

/** One way to read; measures the CPU of the process and of the database backends that serve it. */
export interface Target {
  readonly name: string
  /** Microseconds per call. */
  measure(calls: number): Promise<number>
}

export const FAMILY = 1
/** The number of connections in the copy that never changes. */
export const COPIED = 10_000
const PAGE = 500
const CONNECTIONS = 32

export interface Targets {
  readonly firstPages: Target
  readonly lastPages: Target
  readonly oneConnection: Target
  /** The same by a single caller who waits for each answer: reads cannot be batched. */
  readonly loneCaller: Target
  /** The same rows without the product. */
  readonly bare: Target
  /** A call without connections and a read of the copy: how fast the machine and the server are at the moment. */
  readonly reference: Target
}

export async function openTargets(context: ScenarioContext, site: Site, count: number): Promise<Targets> {
  const { installation, databaseUrl } = site
  const ours = await openRegionMeter(context, installation.eu, { databaseUrl, applicationName: 'sealpost-region-eu' })
  const pool = new Pool(site.installation.eu.url, { connections: CONNECTIONS, pipelining: 1 })
  context.onEnd(() => pool.close())
  const get = getter(pool, site)
  const target = (name: string, run: (calls: number) => Promise<void>): Target => ({
    name,
    measure: (calls) => perCall(ours, calls, () => run(calls)),
  })
  const whoami = target('whoami', (calls) =>
    inParallel(calls, async () => void (await get('/api/company-data/whoami'))),
  )
  const bare = await openBare(context, site)
  const anyConnection = (): string => seedConnection(FAMILY, Math.floor(Math.random() * count)).id
  return {
    firstPages: target('first pages', (pages) => readPages(get, '', pages)),
    lastPages: target('last pages', (pages) => readPages(get, cursorBefore(count, pages), pages)),
    oneConnection: target('one connection', (calls) =>
      inParallel(calls, async () => void (await get(`/api/company-data/connections/${anyConnection()}`))),
    ),
    loneCaller: target('by a lone caller', (calls) =>
      inParallel(calls, async () => void (await get(`/api/company-data/connections/${anyConnection()}`)), 1),
    ),
    bare: { name: 'bare SQL', measure: (reads) => bare(reads, 'connections_service', count) },
    reference: {
      name: 'reference',
      measure: async (calls) => (await whoami.measure(calls)) + (await bare(calls, COPY_SCHEMA, COPIED)),
    },
  }
}

type Get = (path: string) => Promise<Readonly<Record<string, unknown>>>

function getter(pool: Pool, { headers }: Site): Get {
  return async (path) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? { ...value } : {}
  }
}

/** Follows the cursors of the pages, as a first full copy does. */
async function readPages(get: Get, from: string, pages: number): Promise<void> {
  let cursor = from
  for (let page = 0; page < pages; page += 1) {
    const { items, next_cursor: next } = await get(
      `/api/company-data/connections?limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    if (!Array.isArray(items) || items.length !== PAGE) throw new Error(`page ${page + 1} is not full`)
    cursor = typeof next === 'string' ? next : ''
  }
}

/** The cursor after which exactly so many full pages follow. */
function cursorBefore(count: number, pages: number): string {
  return `connections~${seedConnection(FAMILY, count - pages * PAGE - 1).id}`
}

async function inParallel(calls: number, work: () => Promise<void>, callers = CONNECTIONS): Promise<void> {
  let left = calls
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: callers }, worker))
}

/** Microseconds per read of one of the first `count` connections of the schema. */
type BareRead = (reads: number, schema: string, count: number) => Promise<number>

async function openBare(context: ScenarioContext, { databaseUrl, serviceId }: Site): Promise<BareRead> {
  const { pid, send } = openLineProgram(context, new URL('bare-reader.ts', import.meta.url), {
    DATABASE_URL: databaseUrl,
  })
  const backends = await meterBackends(databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const read = (reads: number, schema: string, count: number) =>
    send([reads, FAMILY, count, serviceId, schema].join(' '))
  // Opens its connection, so that its backend is metered from the start.
  await read(10, COPY_SCHEMA, COPIED)
  const meter = { pid, backends, idlePerMs: 0 }
  return (reads, schema, count) => perCall(meter, reads, () => read(reads, schema, count))
}
