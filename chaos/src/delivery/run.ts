import { locatePrimary } from '@sealpost/postgres'
import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { requireOk } from '../calls.ts'
import { connectCustomer, type Customer } from '../roles/customer.ts'
import type { EventOwner } from '../roles/events.ts'
import { type Publisher, startPublisher } from '../roles/publisher.ts'
import { openServices, type SiteService } from '../roles/services.ts'
import { type RoleSite, startRoleSite } from '../roles/site.ts'
import { type Consumer, startConsumer } from './consumers.ts'
import { type FeedReader, openFeedReader } from './feed-reader.ts'
import { openReceivers, type Receivers, type Behaviour } from './receivers.ts'
import { createWebhooks, type SiteWebhook } from './webhooks.ts'

export interface RunPlan {
  readonly events: number
  readonly services: number
  readonly webhooksPerService: number
  readonly perSecond: number
  /** The share of requests that erratic receivers fail. */
  readonly failureRate: number
  readonly workers: number
  readonly hasStandby: boolean
  readonly behaviourOf: (webhook: number) => Behaviour
}

const CATCH_UP_MS = 600_000
const POLL_EVERY_MS = 1500

export interface DeliveryRun {
  readonly site: RoleSite
  readonly services: readonly SiteService[]
  readonly customer: Customer
  readonly webhooks: readonly SiteWebhook[]
  readonly receivers: Receivers
  readonly consumers: readonly Consumer[]
  readonly publisher: Publisher
  /** Reads the server that accepts writes now. */
  readonly openReader: () => Promise<FeedReader>
}

export async function startRun(context: ScenarioContext, plan: RunPlan): Promise<DeliveryRun> {
  const { workers, hasStandby } = plan
  const site = await startRoleSite(context, { workers, hasStandby, settings: { WEBHOOK_PROBE_DELAY_SECONDS: '2' } })
  const services = await openServices(site, plan.services)
  const customer = await connectCustomer(site, services)
  await Promise.all(services.map(emptyFeed))
  context.progress(`${services.length} services are ready`)
  const behaviours = Array.from({ length: plan.services * plan.webhooksPerService }, (_, webhook) =>
    plan.behaviourOf(webhook),
  )
  const receivers = await openReceivers({ behaviours, failureRate: plan.failureRate })
  context.onEnd(() => receivers.close())
  const webhooks = await createWebhooks(services, plan, receivers)
  context.progress(`${webhooks.length} webhooks are ready`)
  const consumers = services.map((service) => startConsumer(service, site.api.url))
  const owners = services.map(({ number, companyId, serviceId }): EventOwner => ({
    number,
    companyId,
    serviceId,
    slot: customer.slots.get(number) ?? null,
    personIds: services.slice(0, 10).map((one) => one.companyId),
  }))
  const { events, perSecond } = plan
  const publisher = startPublisher({ databaseUrl: site.databaseUrl, owners, events, perSecond, writers: 4 })
  context.onEnd(() => publisher.end())
  const openReader = async () => openFeedReader(await locatePrimary(site.databaseUrl))
  return { site, services, customer, webhooks, receivers, consumers, publisher, openReader }
}

/** Removes the events of the customer's connections, which are not part of the run. */
async function emptyFeed({ data }: SiteService): Promise<void> {
  await requireOk(data('GET', '/api/company-data/changes?limit=500'))
}

/** Waits until everything is delivered, then ends readers and workers. Returns how long that took. */
export async function finishRun(run: DeliveryRun): Promise<number> {
  const startedMs = performance.now()
  await waitUntilDelivered(run)
  const catchUpMs = performance.now() - startedMs
  await Promise.all(run.consumers.map((consumer) => consumer.end()))
  await Promise.all(run.site.workers.map((worker) => worker.stop()))
  return catchUpMs
}

/** Waits until only receivers that are down have events waiting; events that wait longer are counted as queued. */
async function waitUntilDelivered(run: DeliveryRun): Promise<void> {
  const down = new Set(run.webhooks.filter(({ behaviour }) => behaviour === 'down').map(({ webhookId }) => webhookId))
  const reader = await run.openReader()
  let polledMs = 0
  try {
    await waitUntil('only receivers that are down have events waiting', CATCH_UP_MS, async () => {
      if (performance.now() - polledMs < POLL_EVERY_MS) return false
      polledMs = performance.now()
      return (await reader.waiting()).every((name) => down.has(name))
    }).catch((error: unknown) => console.error(String(error)))
  } finally {
    await reader.close()
  }
}
