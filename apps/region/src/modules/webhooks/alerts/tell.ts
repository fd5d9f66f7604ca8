import { type Clock, formatInstant, type Ids, type WebhookId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { type StaleOutlet, takeStaleOutlets } from '../../feed/index.ts'
import { type MailNeeds, queueMail } from '../../mail/index.ts'
import { findService, logService } from '../../services/index.ts'
import { type EndpointRow, loadRows } from '../store/endpoints.ts'
import { causeOf, hostOf, logEntryOf, lossOf } from './rules.ts'

export interface AlertNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly mail: MailNeeds
}

const AT_ONCE = 20

/**
 * Tells whoever looks after a service that events wait too long for a webhook, and what was lost. Choosing, marking and
 * telling are one transaction: of several workers one tells, and one that dies has told nobody.
 */
export async function tellStaleQueues(needs: AlertNeeds): Promise<void> {
  let told = AT_ONCE
  while (told >= AT_ONCE) told = await needs.database.transaction((tx) => tellSome(needs, tx))
}

async function tellSome(needs: AlertNeeds, tx: Tx): Promise<number> {
  const stale = await takeStaleOutlets(tx, needs, AT_ONCE)
  if (stale.length === 0) return 0
  const rows = await loadRows(
    tx,
    stale.map(({ name }) => name),
  )
  const endpoints = new Map(rows.map((row) => [row.webhookId, row]))
  // The log of each service has a row that counts it: locked in one order by everybody.
  for (const outlet of stale.toSorted(byService)) await tell(needs, tx, outlet, endpoints)
  return stale.length
}

async function tell(
  needs: AlertNeeds,
  tx: Tx,
  outlet: StaleOutlet,
  endpoints: ReadonlyMap<WebhookId, EndpointRow>,
): Promise<void> {
  const { companyId, serviceId, webhookId } = outlet.name
  const endpoint = endpoints.get(webhookId)
  const service = await findService(tx, companyId, serviceId)
  // Deleted meanwhile: nobody waits for it.
  if (endpoint === undefined || service === null) return
  const cause = causeOf(outlet, endpoint.isEnabled)
  await queueMail(needs.mail, tx, {
    to: service.adminEmail,
    template: outlet.alert === 'purged' ? 'webhook_purged' : 'webhook_stale',
    language: 'en',
    values: {
      service: service.name,
      webhookId,
      host: hostOf(endpoint.url),
      waiting: outlet.backlogCount,
      oldestAt: outlet.oldestAt,
      lossAt: lossOf(outlet.oldestAt),
      lost: outlet.purgedCount,
      cause,
      since: outlet.since,
      lastError: endpoint.lastError,
      nextMail: outlet.alert === 'daily' ? 'day' : 'hour',
    },
  })
  const oldestAt = outlet.oldestAt === null ? null : formatInstant(outlet.oldestAt)
  await logService(tx, needs, { companyId, serviceId }, logEntryOf(outlet, cause, oldestAt))
}

function byService(one: StaleOutlet, other: StaleOutlet): number {
  if (one.name.serviceId === other.name.serviceId) return 0
  return one.name.serviceId < other.name.serviceId ? -1 : 1
}
