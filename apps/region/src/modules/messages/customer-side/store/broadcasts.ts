import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId } from '../../model.ts'
import type { ReceivedBroadcast } from '../model.ts'

export async function putBroadcast(
  tx: Tx,
  { serviceId, companyRegion, id, body, createdAt }: ReceivedBroadcast,
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_customer.broadcast (service_id, company_region, id, body, created_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) on conflict do nothing`,
    [serviceId, companyRegion, id, body, createdAt],
  )
}

export interface SeenBy {
  readonly serviceId: ServiceId
  readonly companyRegion: string
  readonly connectedAt: Instant
}

/** Since the customer connected. */
export async function countBroadcasts(read: Read, { serviceId, companyRegion, connectedAt }: SeenBy): Promise<number> {
  const [row] = await runStatement<{ broadcasts: number }>(
    read,
    `select count(*)::float8 as broadcasts from messages_customer.broadcast
    where service_id = $1 and company_region = $2 and created_at >= to_timestamp($3 / 1000.0)`,
    [serviceId, companyRegion, connectedAt],
  )
  return row?.broadcasts ?? 0
}

/** As items of a thread, newest first. */
export function listBroadcasts(
  read: Read,
  { serviceId, companyRegion, connectedAt }: SeenBy,
  { after, offset, limit }: Slice<MessageId>,
): Promise<readonly ListedMessage[]> {
  return runStatement<ListedMessage & Record<string, unknown>>(
    read,
    `select id, 'company' as sender, body, true as "isBroadcast",
      round(extract(epoch from created_at) * 1000)::float8 as "createdAt", null as "readAt"
    from messages_customer.broadcast where service_id = $1 and company_region = $2 and created_at >= to_timestamp($3 / 1000.0)
      and ($4::uuid is null or id < $4)
    order by id desc offset $5 limit $6`,
    [serviceId, companyRegion, connectedAt, after, offset, limit],
  )
}

export async function deleteBroadcastsOf(tx: Tx, serviceId: ServiceId): Promise<void> {
  await runStatement(tx, 'delete from messages_customer.broadcast where service_id = $1', [serviceId])
}
