import { setTimeout as pause } from 'node:timers/promises'
import type { Scenario, ScenarioContext } from '@sealpost/testkit'
import { seedConnections, settleTables, withClient } from '../connections/seed.ts'
import { publishRows, type Site, startSite } from '../connections/site.ts'
import { median } from '../cpu.ts'
import { startOthers } from './others.ts'

const FAMILY = 1
const SMALL = { connections: 10_000, idleMs: 3000 }
const FULL = { connections: 100_000, idleMs: 10_000 }
const SAMPLE_MS = 100
const DEADLINE_MS = 600_000

/**
 * A request row that everybody has answered is removed: it takes a while, and nobody is to notice but by the progress
 * that the service shows. A call that waits for the whole job, or for a large part of it, would show in `longest_share`.
 */
export const rowRemovalScenario: Scenario = {
  name: 'row-removal',
  about: 'a request row of a service with 100,000 connections is removed while other calls go on',
  bars: [
    { figure: 'failed_calls', atMost: 0 },
    { figure: 'values_left', atMost: 0 },
    { figure: 'values_missing', atMost: 0 },
    { figure: 'progress_samples', atLeast: 5 },
    { figure: 'progress_fell', atMost: 0 },
    { figure: 'longest_share', atMost: 0.1 },
    { figure: 'longest_transaction_share', atMost: 0.1 },
    { figure: 'median_ratio', atMost: 5 },
  ],
  smallBars: [
    { figure: 'failed_calls', atMost: 0 },
    { figure: 'values_left', atMost: 0 },
    { figure: 'values_missing', atMost: 0 },
    { figure: 'progress_samples', atLeast: 2 },
    { figure: 'progress_fell', atMost: 0 },
    { figure: 'longest_share', atMost: 0.5 },
    { figure: 'longest_transaction_share', atMost: 0.5 },
    { figure: 'median_ratio', atMost: 10 },
  ],
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await startSite(context)
    const { databaseUrl, companyId, serviceId, fields } = site
    await seedConnections(databaseUrl, { companyId, serviceId, fields, count: size.connections, family: FAMILY })
    await settleTables(databaseUrl)
    context.progress(`${size.connections} connections with ${fields.length} values each`)

    const others = startOthers(site, { family: FAMILY, connections: size.connections })
    context.onEnd(() => others.end())
    await pause(size.idleMs)
    const idle = others.take()
    const removal = await removeRow(context, site)
    const busy = others.take()
    await others.end()

    const left = await countValues(site, size.connections - others.endedConnections())
    return {
      connections: size.connections,
      job_seconds: rounded(removal.ms / 1000),
      connections_per_second: Math.round((size.connections * 1000) / removal.ms),
      calls_meanwhile: busy.ms.length,
      failed_calls: idle.failures + busy.failures,
      median_ratio: rounded(median(busy.ms) / median(idle.ms)),
      longest_ratio: rounded(Math.max(...busy.ms) / Math.max(...idle.ms)),
      longest_ms: Math.round(Math.max(...busy.ms)),
      longest_share: rounded(Math.max(...busy.ms) / removal.ms),
      longest_transaction_share: rounded(removal.longestTransactionMs / removal.ms),
      progress_samples: removal.samples.length,
      progress_fell: removal.fell,
      ...left,
    }
  },
}

interface Removal {
  readonly ms: number
  /** Different states of `progress.done`, in the order in which they were seen. */
  readonly samples: readonly number[]
  readonly fell: number
  readonly longestTransactionMs: number
}

async function removeRow(context: ScenarioContext, site: Site): Promise<Removal> {
  const startedAt = performance.now()
  await publishRows(site.call, ['first_name', 'last_name'])
  context.progress('the row is removed; its values go')
  const samples: number[] = []
  let fell = 0
  let longestTransactionMs = 0
  await withClient(site.databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::float8 as ms
        from pg_stat_activity where application_name = 'sealpost-region-eu' and datname = current_database()`,
      )
      longestTransactionMs = Math.max(longestTransactionMs, rows[0]?.ms ?? 0)
      const service = await site.asPortal('GET', `/api/services/${site.serviceId}`)
      if (service['state'] !== 'applying') return
      if (performance.now() - startedAt > DEADLINE_MS) throw new Error(`still applying: ${JSON.stringify(service)}`)
      const done = doneOf(service['progress'])
      if (done < (samples.at(-1) ?? 0)) fell += 1
      if (done !== samples.at(-1)) samples.push(done)
      await pause(SAMPLE_MS)
    }
  })
  const every = Math.ceil(samples.length / 12)
  const shown = samples.filter((_, place) => place % every === 0)
  context.progress(`progress was seen ${samples.length} times, among them ${shown.join(', ')}`)
  return { ms: performance.now() - startedAt, samples, fell, longestTransactionMs }
}

function doneOf(progress: unknown): number {
  return typeof progress === 'object' && progress !== null && 'done' in progress ? Number(progress.done) : 0
}

/** Nothing of the removed row, and all of the others. */
async function countValues({ databaseUrl, serviceId, fields }: Site, connections: number) {
  const kept = fields.slice(0, 2)
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ removed: number; kept: number }>(
      `select count(*) filter (where request_field_id <> all($2))::int as removed,
        count(*) filter (where request_field_id = any($2))::int as kept
      from connections_service.slot where service_id = $1`,
      [serviceId, kept],
    ),
  )
  const [counted = { removed: 0, kept: 0 }] = rows
  return { values_left: counted.removed, values_missing: connections * kept.length - counted.kept }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
