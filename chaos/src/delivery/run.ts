import { locatePrimary } from '@sealpost/postgres'
import { type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { connectCustomer, type Customer } from '../roles/customer.ts'
import type { EventOwner } from '../roles/events.ts'
import { type Publisher, startPublisher } from '../roles/publisher.ts'
import { demand, openServices, type SiteService } from '../roles/services.ts'
import { type RoleSite, startRoleSite } from '../roles/site.ts'
import { type DeliveryBooks, openDeliveryBooks } from './books.ts'
import { type Consumer, startConsumer } from './consumers.ts'
import { createHooks, type Hook } from './hooks.ts'
import { openReceivers, type Receivers, type Temper } from './receivers.ts'

export interface RunPlan {
  readonly events: number
  readonly services: number
  readonly hooksPerService: number
  readonly perSecond: number
  /** Of moody receivers. */
  readonly troubleRate: number
  readonly workers: number
  readonly hasStandby: boolean
  readonly temperOf: (hook: number) => Temper
}

const SETTLE_MS = 600_000
const LOOK_EVERY_MS = 1500

export interface DeliveryRun {
  readonly site: RoleSite
  readonly services: readonly SiteService[]
  readonly customer: Customer
  readonly hooks: readonly Hook[]
  readonly receivers: Receivers
  readonly consumers: readonly Consumer[]
  readonly publisher: Publisher
  /** Of whichever server takes writes now. */
  readonly books: () => Promise<DeliveryBooks>
}

export async function openRun(context: ScenarioContext, plan: RunPlan): Promise<DeliveryRun> {
  const { workers, hasStandby } = plan
  const site = await startRoleSite(context, { workers, hasStandby, settings: { WEBHOOK_GRACE_SECONDS: '2' } })
  const services = await openServices(site, plan.services)
  const customer = await connectCustomer(site, services)
  await Promise.all(services.map(emptyFeed))
  context.progress(`${services.length} services are ready`)
  const tempers = Array.from({ length: plan.services * plan.hooksPerService }, (_, hook) => plan.temperOf(hook))
  const receivers = await openReceivers({ tempers, troubleRate: plan.troubleRate })
  context.onEnd(() => receivers.close())
  const hooks = await createHooks(services, plan, receivers)
  context.progress(`${hooks.length} webhooks are ready`)
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
  const books = async () => openDeliveryBooks(await locatePrimary(site.databaseUrl))
  return { site, services, customer, hooks, receivers, consumers, publisher, books }
}

/** The customer's connecting is an event, too; it is not part of the run. */
async function emptyFeed({ data }: SiteService): Promise<void> {
  await demand(data('GET', '/api/company-data/changes?limit=500'))
}

/** Until nothing waits but for the dead; what waits longer than that is counted as queued. */
export async function settle(run: DeliveryRun): Promise<number> {
  const startedMs = performance.now()
  const dead = new Set(run.hooks.filter(({ temper }) => temper === 'dead').map(({ webhookId }) => webhookId))
  const books = await run.books()
  let lookMs = 0
  try {
    await waitUntil('nothing waits but for the dead', SETTLE_MS, async () => {
      if (performance.now() - lookMs < LOOK_EVERY_MS) return false
      lookMs = performance.now()
      return (await books.waiting()).every((name) => dead.has(name))
    }).catch((error: unknown) => console.error(String(error)))
  } finally {
    await books.close()
  }
  return performance.now() - startedMs
}
