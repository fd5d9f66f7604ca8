import { formatInstant, type WebhookId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { expiryOf, purgeStaleQueues, type StaleQueue } from '../../../feed/index.ts'
import { queueMail } from '../../../mail/index.ts'
import { findService, logService } from '../../../services/index.ts'
import type { WebhooksContext } from '../../context.ts'
import type { EndpointRow } from '../../model.ts'
import { loadRows } from '../../store/endpoints.ts'
import { causeOf, hostOf, logEntryOf } from '../rules/stale-cause.ts'

const BATCH = 20

/**
 * Mails the administrator of a service about old backlogs of its webhooks and about lost events. One transaction chooses
 * the queues, marks them and queues the mails: of several workers one sends the alert, and a killed one has sent none.
 */
export async function alertStaleQueues(webhooks: WebhooksContext): Promise<void> {
  let count = BATCH
  while (count >= BATCH) count = await webhooks.database.transaction((tx) => alertBatch(webhooks, tx))
}

async function alertBatch(webhooks: WebhooksContext, tx: Tx): Promise<number> {
  const stale = await purgeStaleQueues(webhooks, tx, BATCH)
  if (stale.length === 0) return 0
  const rows = await loadRows(
    tx,
    stale.map(({ name }) => name),
  )
  const endpoints = new Map(rows.map((row) => [row.webhookId, row]))
  // Writing to a service's log locks a row per service: in one order for all transactions.
  for (const queue of stale.toSorted(byService)) await alertOne(webhooks, tx, queue, endpoints)
  return stale.length
}

async function alertOne(
  webhooks: WebhooksContext,
  tx: Tx,
  queue: StaleQueue,
  endpoints: ReadonlyMap<WebhookId, EndpointRow>,
): Promise<void> {
  const { companyId, serviceId, webhookId } = queue.name
  const endpoint = endpoints.get(webhookId)
  const service = await findService(tx, companyId, serviceId)
  // Deleted meanwhile: no alert is needed.
  if (endpoint === undefined || service === null) return
  const cause = causeOf(queue, endpoint.isEnabled)
  await queueMail(webhooks.mail, tx, {
    to: service.adminEmail,
    template: queue.alert === 'purged' ? 'webhook_purged' : 'webhook_stale',
    language: 'en',
    values: {
      service: service.name,
      webhookId,
      host: hostOf(endpoint.url),
      waiting: queue.backlogCount,
      oldestAt: queue.oldestAt,
      lossAt: expiryOf(queue.oldestAt),
      lost: queue.purgedCount,
      cause,
      since: queue.since,
      lastError: endpoint.lastError,
      nextMail: queue.alert === 'daily' ? 'day' : 'hour',
    },
  })
  const oldestAt = queue.oldestAt === null ? null : formatInstant(queue.oldestAt)
  await logService(webhooks, tx, { companyId, serviceId }, logEntryOf(queue, cause, oldestAt))
}

function byService(one: StaleQueue, other: StaleQueue): number {
  if (one.name.serviceId === other.name.serviceId) return 0
  return one.name.serviceId < other.name.serviceId ? -1 : 1
}
