import type { Instant, WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { oldestVisible } from '../rules.ts'
import { type Backlog, measure, type OutletMeasure, readBacklogsOf } from '../store/backlogs.ts'
import { findName, type OutletRow } from '../store/outlets.ts'
import { findHeldPage } from '../store/pages.ts'
import type { OutletExplained, OutletHealth, OutletName } from './contract.ts'
import { flowOf } from './machine.ts'

export async function readOutlets(
  read: Read,
  { companyId, serviceId }: Pick<OutletName, 'companyId' | 'serviceId'>,
  now: Instant,
): Promise<ReadonlyMap<WebhookId, OutletHealth>> {
  const rows = await readBacklogsOf(read, { companyId, serviceId, webhookId: null }, oldestVisible(now))
  return new Map(rows.map((row) => [row.webhookId, healthOf(row)]))
}

/** One of them, without counting what the others have waiting. */
export async function readOutletHealth(read: Read, name: OutletName, now: Instant): Promise<OutletHealth | null> {
  const [row] = await readBacklogsOf(read, name, oldestVisible(now))
  return row === undefined ? null : healthOf(row)
}

/** Everything that says why a webhook is where it is. */
export async function explainOutlet(read: Read, name: OutletName, now: Instant): Promise<OutletExplained | null> {
  const [row] = await readBacklogsOf(read, name, oldestVisible(now))
  if (row === undefined) return null
  const { cursor, lastNo, parkedTo, replayTo, token, epoch, alertAt, purgedAt, kinds } = row
  return {
    ...healthOf(row),
    name,
    cursor,
    lastNo,
    parkedTo,
    replayTo,
    token,
    epoch,
    alertAt,
    purgedAt,
    kinds,
    isLeased: row.isLeased && !row.isLapsed,
    leaseUntil: row.leaseUntil,
    heldPage: await findHeldPage(read, { ownerId: name.serviceId, channel: row.channel }),
  }
}

export function findOutletName(read: Read, webhookId: WebhookId): Promise<OutletName | null> {
  return findName(read, webhookId)
}

/** For gauges: over the whole region, without counting events. */
export function measureOutlets(read: Read, now: Instant): Promise<OutletMeasure> {
  return measure(read, oldestVisible(now))
}

function healthOf(row: OutletRow & Backlog): OutletHealth {
  const { state, since, isPaused, isEnabled, isSuspended, dueAt, backlogCount, backlogOldestAt } = row
  const flow = flowOf(row)
  return { state, since, flow, isPaused, isEnabled, isSuspended, dueAt, backlogCount, backlogOldestAt }
}
