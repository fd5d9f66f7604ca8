import type { Instant, WebhookId } from '@sealpost/kernel'
import { emptyPartition, type Partition, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { WebhookName } from '../../feed/index.ts'
import type { Delivery } from '../model.ts'

export interface DeliveryRow extends Delivery {
  readonly serviceId: WebhookName['serviceId']
  readonly webhookId: WebhookId
  readonly partition: Partition
}

const INSERT = `
insert into webhooks.delivery (service_id, webhook_id, id, partition, event, event_id, kind, http_status, error_class,
  duration_ms, at)
select d."serviceId", d."webhookId", d.id, d.partition, d.event, d."eventId", d.kind, d."httpStatus", d."errorClass",
  d."durationMs", to_timestamp(d.at / 1000.0)
from jsonb_to_recordset($1::jsonb) as d ("serviceId" uuid, "webhookId" uuid, id uuid, partition smallint, event text,
  "eventId" uuid, kind text, "httpStatus" smallint, "errorClass" text, "durationMs" integer, at float8)
on conflict do nothing`

/** Idempotent: a commit with unknown outcome is repeated. */
export async function insertDeliveryRows(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  await runStatement(tx, INSERT, [JSON.stringify(rows)])
}

export interface DeliverySlice {
  readonly visibleFrom: Instant
  readonly before: string | null
  readonly offset: number
  readonly limit: number
}

/** Newest first. */
export function listDeliveryRows(
  read: Read,
  { serviceId, webhookId }: WebhookName,
  { visibleFrom, before, offset, limit }: DeliverySlice,
): Promise<readonly Delivery[]> {
  return runStatement<Delivery>(
    read,
    `select id, event, event_id as "eventId", kind, http_status as "httpStatus", error_class as "errorClass",
      duration_ms as "durationMs", round(extract(epoch from at) * 1000)::float8 as at
    from webhooks.delivery
    where service_id = $1 and webhook_id = $2 and at > to_timestamp($3 / 1000.0) and ($4::uuid is null or id < $4)
    order by id desc offset $5 limit $6`,
    [serviceId, webhookId, visibleFrom, before, offset, limit],
  )
}

/** Empties one day of all webhooks: [Note: daily partitions]. */
export function sweepDeliveries(tx: Tx, partition: Partition, oldestKept: Instant): Promise<boolean> {
  return emptyPartition(tx, 'webhooks.delivery', partition, oldestKept)
}
