import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId } from '../../model.ts'
import type { ReceivedBroadcast, ShownBroadcasts, ThreadName } from '../model.ts'

/** False when it is stored already. */
export async function putBroadcast(
  tx: Tx,
  { serviceId, companyRegion, id, body, createdAt }: ReceivedBroadcast,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into messages_customer.broadcast (service_id, company_region, id, body, created_at, has_receipts)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), true) on conflict do nothing returning 1`,
    [serviceId, companyRegion, id, body, createdAt],
  )
  return rows.length === 1
}

/** A connection, which sees the broadcasts since it began. */
export interface SeenBy {
  readonly accountId: UserId
  /** Of the connection. */
  readonly id: ConnectionId
  readonly serviceId: ServiceId
  readonly companyRegion: string
  readonly connectedAt: Instant
}

const SHOWN = `service_id = $1 and company_region = $2 and created_at >= to_timestamp($3 / 1000.0)
  and ($4::float8 is null or created_at <= to_timestamp($4::float8 / 1000.0))`

export async function countBroadcasts(
  read: Read,
  { serviceId, companyRegion, from, until }: ShownBroadcasts,
): Promise<number> {
  const [row] = await runStatement<{ broadcasts: number }>(
    read,
    `select count(*)::float8 as broadcasts from messages_customer.broadcast
    where ${SHOWN}`,
    [serviceId, companyRegion, from, until],
  )
  return row?.broadcasts ?? 0
}

export async function hasBroadcast(
  read: Read,
  { serviceId, companyRegion, connectedAt }: SeenBy,
  id: MessageId,
): Promise<boolean> {
  const rows = await runStatement(
    read,
    `select 1 from messages_customer.broadcast
    where service_id = $1 and company_region = $2 and id = $4 and created_at >= to_timestamp($3 / 1000.0)`,
    [serviceId, companyRegion, connectedAt, id],
  )
  return rows.length === 1
}

/** `upTo` null: of all. */
export async function countUnreadBroadcasts(
  read: Read,
  { accountId, id: connectionId, serviceId, companyRegion, connectedAt }: SeenBy,
  upTo: MessageId | null,
): Promise<number> {
  const [row] = await runStatement<{ unread: number }>(
    read,
    `select count(*)::float8 as unread from messages_customer.broadcast b
    where b.service_id = $1 and b.company_region = $2 and b.created_at >= to_timestamp($3 / 1000.0) and b.has_receipts
      and ($4::uuid is null or b.id <= $4)
      and b.id > coalesce((select r.up_to from messages_customer.broadcast_read r
        where r.account_id = $5 and r.connection_id = $6 order by r.up_to desc limit 1), '00000000-0000-0000-0000-000000000000')`,
    [serviceId, companyRegion, connectedAt, upTo, accountId, connectionId],
  )
  return row?.unread ?? 0
}

export async function putBroadcastRead(
  tx: Tx,
  { accountId, id: connectionId }: Pick<SeenBy, 'accountId' | 'id'>,
  upTo: MessageId,
  readAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_customer.broadcast_read (account_id, connection_id, up_to, read_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0)) on conflict do nothing`,
    [accountId, connectionId, upTo, readAt],
  )
}

export async function deleteBroadcastReads(tx: Tx, { accountId, connectionId }: ThreadName): Promise<void> {
  const sql = 'delete from messages_customer.broadcast_read where account_id = $1 and connection_id = $2'
  await runStatement(tx, sql, [accountId, connectionId])
}

export async function deleteBroadcastReadsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from messages_customer.broadcast_read where account_id = $1', [accountId])
}

/** As items of a thread, newest first. */
export function listBroadcasts(
  read: Read,
  { accountId, connectionId }: ThreadName,
  { serviceId, companyRegion, from, until }: ShownBroadcasts,
  { after, offset, limit }: Slice<MessageId>,
): Promise<readonly ListedMessage[]> {
  return runStatement<ListedMessage & Record<string, unknown>>(
    read,
    `select b.id, 'company' as sender, b.body, true as "isBroadcast",
      round(extract(epoch from b.created_at) * 1000)::float8 as "createdAt",
      round(extract(epoch from case when b.has_receipts then (
        select r.read_at from messages_customer.broadcast_read r
        where r.account_id = $8 and r.connection_id = $9 and r.up_to >= b.id order by r.up_to limit 1)
      else b.created_at end) * 1000)::float8 as "readAt"
    from messages_customer.broadcast b where ${SHOWN} and ($5::uuid is null or b.id < $5)
    order by b.id desc offset $6 limit $7`,
    [serviceId, companyRegion, from, until, after, offset, limit, accountId, connectionId],
  )
}

/** The service has ended; threads of its customers may still show them. */
export async function markBroadcastsEnded(tx: Tx, serviceId: ServiceId, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `update messages_customer.broadcast set ended_at = to_timestamp($2 / 1000.0)
    where service_id = $1 and ended_at is null`,
    [serviceId, at],
  )
}

/** Of services that ended before then. */
export async function deleteEndedBroadcasts(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from messages_customer.broadcast where (service_id, company_region, id) in (
      select service_id, company_region, id from messages_customer.broadcast
      where ended_at <= to_timestamp($1 / 1000.0) limit $2) returning 1`,
    [before, limit],
  )
  return rows.length
}
