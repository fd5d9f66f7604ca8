import { randomUUID } from 'node:crypto'
import { type ScenarioContext, waitUntil, withClient } from '@sealpost/testkit'
import { Client } from 'pg'
import { Pool } from 'undici'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { type CpuMeter, openRegionMeter, perCall } from '../region-cpu.ts'
import { clientIdOf, type Family } from './seed.ts'
import type { FeedRegion } from './site.ts'

/** Drains feeds of a region and measures the CPU of the process and of the database backends that serve it. */
export interface DrainTarget {
  readonly name: string
  /** Drains one page of each feed. Returns microseconds per page. */
  measure(feeds: readonly Feed[]): Promise<number>
}

export interface Feed {
  readonly family: Family
  readonly ownerId: string
  readonly token: string
}

export const PAGE = 500
const CONNECTIONS = 4
const DEADLINE_MS = 30_000

/** Picks feeds at even distances. */
export async function pickFeeds(
  region: FeedRegion,
  family: Family,
  { owners, count }: { readonly owners: number; readonly count: number },
): Promise<readonly Feed[]> {
  const numbers = Array.from({ length: count }, (_, index) => 1 + Math.floor((index * owners) / count))
  const clients = numbers.map((number) => clientIdOf({ family }, number))
  const found = await withClient(region.databaseUrl, (client) =>
    client.query<{ id: string; owner: string }>(
      'select client_id as id, service_id as owner from access.client where client_id = any($1)',
      [clients],
    ),
  )
  return Promise.all(
    found.rows.map(async ({ id, owner }) => ({ family, ownerId: owner, token: await region.token(id) })),
  )
}

export async function openDrain(context: ScenarioContext, region: FeedRegion, name: string): Promise<DrainTarget> {
  const meter = await openRegionMeter(context, region.app, region)
  const pool = new Pool(region.app.url, { connections: CONNECTIONS, pipelining: 1 })
  context.onEnd(() => pool.close())
  const client = await keepClient(context, region)
  const drainAll = async (feeds: readonly Feed[]): Promise<void> => {
    const left = [...feeds]
    const worker = async (): Promise<void> => {
      for (let feed = left.pop(); feed !== undefined; feed = left.pop()) await drainPage(pool, feed)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker))
    await waitUntilAcknowledged(client)
  }
  return { name, measure: (feeds) => perCall(meter, feeds.length, () => drainAll(feeds)) }
}

/** With an attempt id, as the SDK does. */
async function drainPage(pool: Pool, { token }: Feed): Promise<void> {
  const path = `/api/company-data/changes?limit=${PAGE}&attempt_id=${randomUUID()}`
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
  const events = text.split('"service_id"').length - 1
  if (events !== PAGE) throw new Error(`a page has ${events} events`)
}

/** The work after an answer belongs to its cost. */
async function waitUntilAcknowledged(client: Client): Promise<void> {
  await waitUntil('every page is acknowledged', DEADLINE_MS, async () => {
    const { rows } = await client.query('select from feed.page where leased_until is not null limit 1')
    return rows.length === 0
  })
}

/** The same pages without the product. */
export async function openBareDrain(context: ScenarioContext, region: FeedRegion): Promise<DrainTarget> {
  const { pid, send } = openLineProgram(context, new URL('bare-drain.ts', import.meta.url), {
    DATABASE_URL: region.databaseUrl,
  })
  const backends = await meterBackends(region.databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const drainAll = async (feeds: readonly Feed[]): Promise<void> => {
    const owners = feeds.map(({ ownerId }) => ownerId)
    const answer = await send([feeds[0]?.family, region.companyId, ...owners].join(' '))
    if (answer !== `done ${feeds.length * PAGE}`) throw new Error(`the bare drain answered ${answer}`)
  }
  // Opens its connection, so that its backend is metered from the start.
  await drainAll([])
  const meter: CpuMeter = { pid, backends, idlePerMs: 0 }
  return { name: 'bare', measure: (feeds) => perCall(meter, feeds.length, () => drainAll(feeds)) }
}

/** Resets all cursors, so that the same events can be drained again. */
export async function rewind(region: FeedRegion): Promise<void> {
  await withClient(region.databaseUrl, async (client) => {
    await client.query(`update feed.channel set cursor = 0, gone = '{}' where cursor > 0`)
    await client.query('delete from feed.page')
    await client.query('vacuum feed.channel, feed.page')
  })
}

async function keepClient(context: ScenarioContext, { databaseUrl }: FeedRegion): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench-poll' })
  await client.connect()
  context.onEnd(() => client.end())
  return client
}
