import type { Instant, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { DeliveryKind, ServiceEventKind } from '@sealpost/protocol'
import type { OutletName, Shelf } from '../../feed/index.ts'

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

export type ShelfState = 'empty' | 'old' | 'in use'

/** In use: something younger lies there. */
export async function readDeliveryShelf(read: Read, shelf: Shelf, oldestKept: Instant): Promise<ShelfState> {
  const [row] = await runStatement<{ any: boolean; young: boolean }>(
    read,
    `select exists (select from webhooks.delivery where shelf = $1) as any,
      exists (select from webhooks.delivery where shelf = $1 and at >= to_timestamp($2 / 1000.0)) as young`,
    [shelf, oldestKept],
  )
  if (row?.young === true) return 'in use'
  return row?.any === true ? 'old' : 'empty'
}

/** The name of a table cannot be a parameter. */
const SWEEP = {
  0: 'truncate webhooks.delivery_0',
  1: 'truncate webhooks.delivery_1',
  2: 'truncate webhooks.delivery_2',
  3: 'truncate webhooks.delivery_3',
  4: 'truncate webhooks.delivery_4',
  5: 'truncate webhooks.delivery_5',
  6: 'truncate webhooks.delivery_6',
  7: 'truncate webhooks.delivery_7',
  8: 'truncate webhooks.delivery_8',
  9: 'truncate webhooks.delivery_9',
} as const satisfies Record<Shelf, string>

/** A maintenance step never makes callers wait behind it: it gives up and comes back. */
export async function sweepDeliveryShelf(tx: Tx, shelf: Shelf): Promise<void> {
  await runStatement(tx, `set local lock_timeout = '2s'`, [])
  await runStatement(tx, SWEEP[shelf], [])
}
