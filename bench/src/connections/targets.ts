import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ScenarioContext } from '@sealpost/testkit'
import { Pool } from 'undici'
import { meterBackends } from '../engine-cpu.ts'
import { openRegionSpender, perCall } from '../region-cpu.ts'
import { seedConnection } from './rows.ts'
import { COPY_SCHEMA } from './seed.ts'
import type { Site } from './site.ts'

/** One way to read, and what a call of it costs: CPU of the process and of the database backends that serve it. */
export interface Target {
  readonly name: string
  /** Microseconds per call. */
  measure(calls: number): Promise<number>
}

export const FAMILY = 1
/** How many connections the copy has that is never added to. */
export const COPIED = 10_000
const PAGE = 500
const CONNECTIONS = 32

export interface Targets {
  readonly firstPages: Target
  readonly lastPages: Target
  readonly oneConnection: Target
  /** The same by a single caller who waits for each answer: nothing can be gathered then. */
  readonly loneCaller: Target
  /** The same rows without a product around them. */
  readonly bare: Target
  /** A call and a read of tables that nothing is added to: how fast the machine and the server are at the moment. */
  readonly reference: Target
}

export async function openTargets(context: ScenarioContext, site: Site, count: number): Promise<Targets> {
  const { installation, databaseUrl } = site
  const ours = await openRegionSpender(context, installation.eu, { databaseUrl, applicationName: 'sealpost-region-eu' })
  const pool = new Pool(site.installation.eu.url, { connections: CONNECTIONS, pipelining: 1 })
  context.onEnd(() => pool.close())
  const get = getter(pool, site)
  const spending = (name: string, run: (calls: number) => Promise<void>): Target => ({
    name,
    measure: (calls) => perCall(ours, calls, () => run(calls)),
  })
  const whoami = spending('whoami', (calls) =>
    inParallel(calls, async () => void (await get('/api/company-data/whoami'))),
  )
  const bare = await openBare(context, site)
  const anyConnection = (): string => seedConnection(FAMILY, Math.floor(Math.random() * count)).id
  return {
    firstPages: spending('first pages', (pages) => walk(get, '', pages)),
    lastPages: spending('last pages', (pages) => walk(get, cursorBefore(count, pages), pages)),
    oneConnection: spending('one connection', (calls) =>
      inParallel(calls, async () => void (await get(`/api/company-data/connections/${anyConnection()}`))),
    ),
    loneCaller: spending('by a lone caller', (calls) =>
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

/** Page after page by the cursors that the pages themselves give, as a first full copy does. */
async function walk(get: Get, from: string, pages: number): Promise<void> {
  let cursor = from
  for (let page = 0; page < pages; page += 1) {
    const { items, next_cursor: next } = await get(
      `/api/company-data/connections?limit=${PAGE}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    if (!Array.isArray(items) || items.length !== PAGE) throw new Error(`page ${page + 1} is not full`)
    cursor = typeof next === 'string' ? next : ''
  }
}

/** So that as many full pages follow as are asked for, and the last of them is the last of all. */
function cursorBefore(count: number, pages: number): string {
  return `connections.${seedConnection(FAMILY, count - pages * PAGE - 1).id}`
}

async function inParallel(calls: number, act: () => Promise<void>, callers = CONNECTIONS): Promise<void> {
  let left = calls
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await act()
    }
  }
  await Promise.all(Array.from({ length: callers }, worker))
}

/** Microseconds per read of one of the first `count` connections of the schema. */
type BareRead = (reads: number, schema: string, count: number) => Promise<number>

async function openBare(context: ScenarioContext, { databaseUrl, serviceId }: Site): Promise<BareRead> {
  const program = fileURLToPath(new URL('bare-reader.ts', import.meta.url))
  const child = spawn(process.execPath, [program], { env: { DATABASE_URL: databaseUrl } })
  child.stderr.pipe(process.stderr)
  context.onEnd(async () => void child.kill('SIGKILL'))
  const backends = await meterBackends(databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare reader ended')))
  ended.catch(() => {})
  const order = async (...words: readonly (string | number)[]): Promise<void> => {
    const answered = once(child.stdout, 'data')
    child.stdin.write(`${words.join(' ')}\n`)
    await Promise.race([answered, ended])
  }
  // Its connection must be there before its backend can be found.
  await order(10, FAMILY, COPIED, serviceId, COPY_SCHEMA)
  const spender = { pid: () => child.pid ?? -1, backends, choresPerMs: 0 }
  return (reads, schema, count) => perCall(spender, reads, () => order(reads, FAMILY, count, serviceId, schema))
}
