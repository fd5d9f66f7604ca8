import type { Instant, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Shelf, sweepShelf, type Tx } from '@sealpost/postgres'
import type { DeliveryKind, ServiceEventKind } from '@sealpost/protocol'
import type { OutletName } from '../../feed/index.ts'

export interface Delivery {
  readonly id: string
  readonly event: ServiceEventKind
  /** The durable id. */
  readonly eventId: string
  readonly kind: DeliveryKind
  /** Null without an answer. */
  readonly httpStatus: number | null
  /** Why it failed, in one word; null when it was delivered. */
  readonly errorClass: string | null
  readonly durationMs: number
  readonly at: Instant
}

export interface DeliveryRow extends Delivery {
  readonly serviceId: OutletName['serviceId']
  readonly webhookId: WebhookId
  readonly shelf: Shelf
}

const INSERT = `
insert into webhooks.delivery (service_id, webhook_id, id, shelf, event, event_id, kind, http_status, error_class,
  duration_ms, at)
select d."serviceId", d."webhookId", d.id, d.shelf, d.event, d."eventId", d.kind, d."httpStatus", d."errorClass",
  d."durationMs", to_timestamp(d.at / 1000.0)
from jsonb_to_recordset($1::jsonb) as d ("serviceId" uuid, "webhookId" uuid, id uuid, shelf smallint, event text,
  "eventId" uuid, kind text, "httpStatus" smallint, "errorClass" text, "durationMs" integer, at float8)
on conflict do nothing`

/** The same row twice is one: whoever does not learn whether a commit succeeded repeats it. */
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
  { serviceId, webhookId }: OutletName,
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

/** A day of everybody, as a whole: [Note: shelves]. */
export function sweepDeliveries(tx: Tx, shelf: Shelf, oldestKept: Instant): Promise<void> {
  return sweepShelf(tx, 'webhooks.delivery', shelf, oldestKept)
}
