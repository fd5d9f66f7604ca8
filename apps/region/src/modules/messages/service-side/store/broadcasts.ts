import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { Lifetime, ListedMessage, MessageId } from '../../model.ts'
import type { StoredBroadcast } from '../model.ts'

export async function insertBroadcast(
  tx: Tx,
  serviceId: ServiceId,
  { id, body, recipients, createdAt }: StoredBroadcast,
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.broadcast (service_id, id, body, recipients, created_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))`,
    [serviceId, id, body, recipients, createdAt],
  )
}

const OF_LIFETIME = `created_at >= to_timestamp($2 / 1000.0)
  and ($3::float8 is null or created_at <= to_timestamp($3::float8 / 1000.0))`

export async function countBroadcasts(read: Read, serviceId: ServiceId, { from, until }: Lifetime): Promise<number> {
  const [row] = await runStatement<{ broadcasts: number }>(
    read,
    `select count(*)::float8 as broadcasts from messages_service.broadcast
    where service_id = $1 and ${OF_LIFETIME}`,
    [serviceId, from, until],
  )
  return row?.broadcasts ?? 0
}

/** As items of a thread, newest first. */
export function listBroadcasts(
  read: Read,
  serviceId: ServiceId,
  { from, until }: Lifetime,
  { after, offset, limit }: Slice<MessageId>,
): Promise<readonly ListedMessage[]> {
  return runStatement<ListedMessage & Record<string, unknown>>(
    read,
    `select id, 'company' as sender, body, true as "isBroadcast",
      round(extract(epoch from created_at) * 1000)::float8 as "createdAt", null as "readAt"
    from messages_service.broadcast where service_id = $1 and ${OF_LIFETIME}
      and ($4::uuid is null or id < $4)
    order by id desc offset $5 limit $6`,
    [serviceId, from, until, after, offset, limit],
  )
}

/** One step of the deletion of a service. */
export async function deleteSomeBroadcasts(tx: Tx, serviceId: ServiceId, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from messages_service.broadcast where service_id = $1 and id in (
      select id from messages_service.broadcast where service_id = $1 limit $2) returning 1`,
    [serviceId, limit],
  )
  return rows.length
}
