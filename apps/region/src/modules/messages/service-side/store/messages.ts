import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId, Receipt, Sender, StoredMessage } from '../../model.ts'
import type { ThreadName } from '../model.ts'

/** False when it is stored already. */
export async function insertMessage(
  tx: Tx,
  { serviceId, connectionId }: ThreadName,
  { id, sender, seq, body, createdAt }: StoredMessage,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into messages_service.message (service_id, connection_id, id, sender, seq, body, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0)) on conflict do nothing returning 1`,
    [serviceId, connectionId, id, sender, seq, body, createdAt],
  )
  return rows.length === 1
}

/** The number of a message of the customer; null for any other id. */
export async function findReceivedSeq(
  read: Read,
  { serviceId, connectionId }: ThreadName,
  id: MessageId,
): Promise<number | null> {
  const [row] = await runStatement<{ seq: number }>(
    read,
    `select seq::float8 as seq from messages_service.message
    where service_id = $1 and connection_id = $2 and id = $3 and sender = 'person'`,
    [serviceId, connectionId, id],
  )
  return row?.seq ?? null
}

/** Answers how many messages of the sender became read. */
export async function markRead(
  tx: Tx,
  { serviceId, connectionId }: ThreadName,
  sender: Sender,
  { upToSeq, readAt }: Receipt,
): Promise<number> {
  const rows = await runStatement(
    tx,
    `update messages_service.message set read_at = to_timestamp($5 / 1000.0)
    where service_id = $1 and connection_id = $2 and sender = $3 and seq <= $4 and read_at is null returning 1`,
    [serviceId, connectionId, sender, upToSeq, readAt],
  )
  return rows.length
}

/** Newest first. */
export function listRows(
  read: Read,
  { serviceId, connectionId }: ThreadName,
  { after, offset, limit }: Slice<MessageId>,
): Promise<readonly ListedMessage[]> {
  return runStatement<ListedMessage & Record<string, unknown>>(
    read,
    `select id, sender, body, false as "isBroadcast",
      round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
      round(extract(epoch from read_at) * 1000)::float8 as "readAt"
    from messages_service.message where service_id = $1 and connection_id = $2 and ($3::uuid is null or id < $3)
    order by id desc offset $4 limit $5`,
    [serviceId, connectionId, after, offset, limit],
  )
}

export async function deleteMessages(tx: Tx, { serviceId, connectionId }: ThreadName): Promise<void> {
  const sql = 'delete from messages_service.message where service_id = $1 and connection_id = $2'
  await runStatement(tx, sql, [serviceId, connectionId])
}

/** One step of the deletion of a service. */
export async function deleteSomeMessages(tx: Tx, serviceId: ServiceId, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from messages_service.message where service_id = $1 and (connection_id, id) in (
      select connection_id, id from messages_service.message where service_id = $1 limit $2) returning 1`,
    [serviceId, limit],
  )
  return rows.length
}
