import { formatInstant } from '@sealpost/kernel'
import { shelfOf, type Tx } from '@sealpost/postgres'
import type { PageQueryText } from '@sealpost/protocol'
import { dayToSweep, oldestKept, oldestVisible, type OutletName } from '../feed/index.ts'
import type { WebhooksNeeds } from './needs.ts'
import { cursorOf, sliceOf } from './paging.ts'
import { type Delivery, insertDeliveryRows, listDeliveryRows, sweepDeliveries } from './store/deliveries.ts'

export interface NewDelivery extends Delivery {
  readonly name: OutletName
}

/** Many at once, in the transaction that settles them. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await insertDeliveryRows(
    tx,
    rows.map(({ name: { serviceId, webhookId }, ...row }) => ({
      ...row,
      serviceId,
      webhookId,
      shelf: shelfOf(row.at),
    })),
  )
}

const LIST = 'deliveries'

/** Newest first, those of the last 7 days. */
export async function listDeliveries(
  { database, clock }: Pick<WebhooksNeeds, 'database' | 'clock'>,
  name: OutletName,
  query: PageQueryText,
) {
  const { past, offset, limit } = sliceOf(query, LIST)
  const visibleFrom = oldestVisible(clock.now())
  const rows = await database.read((read) =>
    listDeliveryRows(read, name, { visibleFrom, before: past, offset, limit: limit + 1 }),
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return {
    total: offset + shown.length + (hasMore ? 1 : 0),
    items: shown.map(showDelivery),
    next_cursor: hasMore ? cursorOf(LIST, last.id) : null,
  }
}

/** Forgets the day that nobody sees any more; safe to do twice, by several workers at once. */
export async function tidyDeliveries({ database, clock }: Pick<WebhooksNeeds, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  await database.transaction((tx) => sweepDeliveries(tx, shelfOf(dayToSweep(now)), oldestKept(now)))
}

function showDelivery({ id, event, eventId, kind, httpStatus, errorClass, durationMs, at }: Delivery) {
  return {
    id,
    event,
    event_id: eventId,
    kind,
    http_status: httpStatus,
    duration_ms: durationMs,
    error_class: errorClass,
    at: formatInstant(at),
  }
}
