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
  UNLIMITED_RATES,
  waitUntil,
  withClient,
} from '@sealpost/testkit'
import type { Client } from 'pg'
import { addEvents, type Feeds, seedFeeds } from '../feed/seed.ts'
import { openLineProgram } from '../line-program.ts'

/** One worker process, the webhooks that it delivers to, and a sink in another process. */
export interface WebhookSite {
  readonly worker: AppProcess
  readonly databaseUrl: string
  readonly sinkUrl: string
  readonly webhooks: number
  /** Appends events to the feed of every service. */
  add(events: number): Promise<void>
  /** Resolves when everything is delivered. */
  delivered(): Promise<void>
  /** The number of POSTs so far. */
  received(): Promise<number>
}

/** The maximum for a service. */
const PER_SERVICE = 10
export const POOL = '6'
const DEADLINE_MS = 300_000
const FAMILY = 'ids'

export async function startWebhookSite(context: ScenarioContext, services: number): Promise<WebhookSite> {
  const settings = { ALLOW_PRIVATE_TARGETS: '1', DATABASE_POOL: POOL, ...UNLIMITED_RATES, REGION_ROLES: 'api' }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const sink = openLineProgram(context, new URL('sink.ts', import.meta.url), {})
  const sinkUrl = `http://127.0.0.1:${await sink.send('port')}/`
  const databaseUrl = installation.environment.eu['DATABASE_URL'] ?? ''
  const feeds: Feeds = { family: FAMILY, companyId: northwind.companyId, owners: services, rows: 1 }
  await seedFeeds(databaseUrl, feeds)
  await openWebhooks(installation, databaseUrl, sinkUrl)
  context.progress(`${services * PER_SERVICE} webhooks of ${services} services are ready`)
  // From here on only the worker has database connections of the region.
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
    delivered: () => withClient(databaseUrl, waitUntilDelivered),
    received: async () => Number(await sink.send('count')),
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

async function waitUntilDelivered(client: Client): Promise<void> {
  await waitUntil('everything is delivered', DEADLINE_MS, async () => {
    const { rows } = await client.query(
      `select from feed.channel channel join feed.head head on head.owner_id = channel.owner_id
      where channel.webhook_id is not null and channel.cursor < head.last_no limit 1`,
    )
    return rows.length === 0
  })
}
