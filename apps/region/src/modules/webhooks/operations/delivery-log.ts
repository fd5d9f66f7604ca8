import { partitionOf, type Tx } from '@sealpost/postgres'
import type { PageQueryText } from '@sealpost/protocol'
import { listPage } from '../../../platform/page.ts'
import { dayToSweep, oldestKept, oldestVisible, type WebhookName } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { NewDelivery } from '../model.ts'
import { insertDeliveryRows, listDeliveryRows, sweepDeliveries } from '../store/deliveries.ts'
import { deliveryToWire } from '../wire.ts'

/** In the transaction that records their outcomes. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await insertDeliveryRows(
    tx,
    rows.map(({ name: { serviceId, webhookId }, ...row }) => ({
      ...row,
      serviceId,
      webhookId,
      partition: partitionOf(row.at),
    })),
  )
}

const deliveries = { name: 'deliveries', idOf: ({ id }: { readonly id: string }) => id, toWire: deliveryToWire }

/** The deliveries of the last 7 days, newest first. */
export async function listDeliveries(
  { database, clock }: Pick<WebhooksContext, 'database' | 'clock'>,
  name: WebhookName,
  query: PageQueryText,
) {
  const visibleFrom = oldestVisible(clock.now())
  return listPage(deliveries, query, ({ after: before, offset, limit }) =>
    database.read((read) => listDeliveryRows(read, name, { visibleFrom, before, offset, limit })),
  )
}

/** Empties the partition of the day that is no longer visible. Idempotent: several workers may run it at once. */
export async function tidyDeliveries({ database, clock }: Pick<WebhooksContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  await database.transaction((tx) => sweepDeliveries(tx, partitionOf(dayToSweep(now)), oldestKept(now)))
}
