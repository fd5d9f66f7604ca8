import { setTimeout as pause } from 'node:timers/promises'
import { hundredths, median, type Scenario, type ScenarioContext, zero, withClient } from '@sealpost/testkit'
import { seedConnections, vacuumConnections } from '../connections/seed.ts'
import { publishRows, type Site, startSite } from '../connections/site.ts'
import { startBackgroundCalls } from './background-calls.ts'

interface Size {
  readonly connections: number
  readonly idleMs: number
}

const FAMILY = 1
const SAMPLE_MS = 100
const DEADLINE_MS = 600_000

/**
 * Removes a request row that every customer has answered. Other calls must not be affected; only the progress of the service
 * shows the job. A call that waits for the job, or for a large part of it, raises `longest_share`.
 */
export const rowRemovalScenario: Scenario<Size> = {
  name: 'row-removal',
  about: 'a request row of a service with 100,000 connections is removed while other calls go on',
  sizes: { small: { connections: 10_000, idleMs: 3000 }, full: { connections: 100_000, idleMs: 10_000 } },
  bars: [
    ...zero('failed_calls', 'values_left', 'values_missing', 'progress_fell'),
    { figure: 'progress_samples', atLeast: 5, small: 2 },
    { figure: 'longest_share', atMost: 0.1, small: 0.5 },
    { figure: 'longest_transaction_share', atMost: 0.1, small: 0.5 },
    { figure: 'median_ratio', atMost: 5, small: 10 },
  ],
  async run(context, size) {
    const site = await startSite(context)
    const { databaseUrl, companyId, serviceId, fields } = site
    await seedConnections(databaseUrl, { companyId, serviceId, fields, count: size.connections, family: FAMILY })
    await vacuumConnections(databaseUrl)
    context.progress(`${size.connections} connections with ${fields.length} values each`)

    const calls = startBackgroundCalls(site, { family: FAMILY, connections: size.connections })
    context.onEnd(() => calls.end())
    await pause(size.idleMs)
    const idle = calls.take()
    const removal = await removeRow(context, site)
    const busy = calls.take()
    await calls.end()

    const left = await countValues(site, size.connections - calls.deletedConnections())
    return {
      connections: size.connections,
      job_seconds: hundredths(removal.ms / 1000),
      connections_per_second: Math.round((size.connections * 1000) / removal.ms),
      calls_meanwhile: busy.ms.length,
      failed_calls: idle.failures + busy.failures,
      median_ratio: hundredths(median(busy.ms) / median(idle.ms)),
      longest_ratio: hundredths(Math.max(...busy.ms) / Math.max(...idle.ms)),
      longest_ms: Math.round(Math.max(...busy.ms)),
      longest_share: hundredths(Math.max(...busy.ms) / removal.ms),
      longest_transaction_share: hundredths(removal.longestTransactionMs / removal.ms),
      progress_samples: removal.samples.length,
      progress_fell: removal.fell,
      ...left,
    }
  },
}

interface Removal {
  readonly ms: number
  /** Distinct values of `progress.done` in the order in which they were read. */
  readonly samples: readonly number[]
  readonly fell: number
  readonly longestTransactionMs: number
}

async function removeRow(context: ScenarioContext, site: Site): Promise<Removal> {
  const startedAt = performance.now()
  await publishRows(site.call, ['first_name', 'last_name'])
  context.progress('the row is removed; its values are being deleted')
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
  const printed = samples.filter((_, index) => index % every === 0)
  context.progress(`${samples.length} values of progress were read, among them ${printed.join(', ')}`)
  return { ms: performance.now() - startedAt, samples, fell, longestTransactionMs }
}

function doneOf(progress: unknown): number {
  return typeof progress === 'object' && progress !== null && 'done' in progress ? Number(progress.done) : 0
}

/** No value of the removed row may be left, and no other value missing. */
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
