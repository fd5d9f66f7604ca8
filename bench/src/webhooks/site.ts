import {
  type AppProcess,
  appProcess,
  callsWith,
  type Installation,
  logIn,
  northwind,
  reservePort,
  type ScenarioContext,
  startInstallation,
  waitUntil,
} from '@sealpost/testkit'
import type { Client } from 'pg'
import { addEvents, type Feeds, seedFeeds, withClient } from '../feed/seed.ts'
import { openToldProgram } from '../told-program.ts'

/** One worker process, webhooks that it delivers to, and a sink in another process. */
export interface HookSite {
  readonly worker: AppProcess
  readonly databaseUrl: string
  readonly sinkUrl: string
  readonly webhooks: number
  /** Adds so many events to every service. */
  add(events: number): Promise<void>
  /** Until everything has been delivered. */
  delivered(): Promise<void>
  /** So many POSTs have come in all. */
  received(): Promise<number>
}

/** As many as one service may have. */
const PER_SERVICE = 10
export const POOL = '6'
const WIDE = '60000000'
const DEADLINE_MS = 300_000
const FAMILY = 'ids'

export async function startHookSite(context: ScenarioContext, services: number): Promise<HookSite> {
  const settings = { ALLOW_PRIVATE_TARGETS: '1', DATABASE_POOL: POOL, RATE_DATA: WIDE, REGION_ROLES: 'api' }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const sink = openToldProgram(context, new URL('sink.ts', import.meta.url), {})
  const sinkUrl = `http://127.0.0.1:${await sink.order('port')}/`
  const databaseUrl = installation.environment.eu['DATABASE_URL'] ?? ''
  const feeds: Feeds = { family: FAMILY, companyId: northwind.companyId, owners: services, rows: 1 }
  await seedFeeds(databaseUrl, feeds)
  await openWebhooks(installation, databaseUrl, sinkUrl)
  context.progress(`${services * PER_SERVICE} webhooks of ${services} services are ready`)
  // From here on every connection of the region to its database is the worker's.
  await installation.eu.stop()
  const worker = await startWorker(context, installation)
  let next = 2
  return {
    worker,
    databaseUrl,
    sinkUrl,
    webhooks: services * PER_SERVICE,
    async add(events) {
      await addEvents(databaseUrl, { ...feeds, rows: events }, next)
      next += events
    },
    delivered: () => withClient(databaseUrl, untilDelivered),
    received: async () => Number(await sink.order('count')),
  }
}

async function startWorker(context: ScenarioContext, { environment }: Installation): Promise<AppProcess> {
  const [port, internalPort] = await Promise.all([reservePort(), reservePort()])
  const ports = { LISTEN_PORT: String(port.port), INTERNAL_PORT: String(internalPort.port) }
  const worker = appProcess({
    name: 'worker',
    app: 'region',
    environment: { ...environment.eu, ...ports, REGION_ROLES: 'worker' },
  })
  context.onEnd(() => worker.kill())
  await worker.start()
  return worker
}

async function openWebhooks(installation: Installation, databaseUrl: string, sinkUrl: string): Promise<void> {
  const { email, login, companyId, serviceId } = northwind
  const { apiUrl, token } = await logIn(installation, { email, authVerifier: login.authVerifier })
  const portal = callsWith(apiUrl, token)
  const sql = 'select id from services.service where company_id = $1 and id <> $2 order by id'
  const services = await withClient(databaseUrl, (client) => client.query<{ id: string }>(sql, [companyId, serviceId]))
  for (const { id } of services.rows) {
    for (let number = 0; number < PER_SERVICE; number += 1) {
      const body = { url: `${sinkUrl}${id}/${number}`, events: [], format: 'json', auth_type: 'hmac', enabled: true }
      const made = await portal('POST', `/api/services/${id}/webhooks`, { body })
      if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
    }
  }
}

async function untilDelivered(client: Client): Promise<void> {
  await waitUntil('everything is delivered', DEADLINE_MS, async () => {
    const { rows } = await client.query(
      `select from feed.channel channel join feed.head head on head.owner_id = channel.owner_id
      where channel.webhook_id is not null and channel.cursor < head.last_no limit 1`,
    )
    return rows.length === 0
  })
}
