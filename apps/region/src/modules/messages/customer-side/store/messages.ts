import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId, Receipt, Sender, StoredMessage } from '../../model.ts'
import type { ThreadName } from '../model.ts'

/** False when it is stored already. */
export async function insertMessage(
  tx: Tx,
  { accountId, connectionId }: ThreadName,
  { id, sender, seq, body, createdAt }: StoredMessage,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into messages_customer.message (account_id, connection_id, id, sender, seq, body, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0)) on conflict do nothing returning 1`,
    [accountId, connectionId, id, sender, seq, body, createdAt],
  )
  return rows.length === 1
}

/** The number of a message of the service; null for any other id. */
export async function findReceivedSeq(
  read: Read,
  { accountId, connectionId }: ThreadName,
  id: MessageId,
): Promise<number | null> {
  const [row] = await runStatement<{ seq: number }>(
    read,
    `select seq::float8 as seq from messages_customer.message
    where account_id = $1 and connection_id = $2 and id = $3 and sender = 'company'`,
    [accountId, connectionId, id],
  )
  return row?.seq ?? null
}

/** The number of the newest message of the service before this id; null when there is none. */
export async function findSeqBefore(
  read: Read,
  { accountId, connectionId }: ThreadName,
  id: MessageId,
): Promise<number | null> {
  const [row] = await runStatement<{ seq: number }>(
    read,
    `select seq::float8 as seq from messages_customer.message
    where account_id = $1 and connection_id = $2 and id < $3 and sender = 'company' order by id desc limit 1`,
    [accountId, connectionId, id],
  )
  return row?.seq ?? null
}

/** Answers how many messages of the sender became read. */
export async function markRead(
  tx: Tx,
  { accountId, connectionId }: ThreadName,
  sender: Sender,
  { upToSeq, readAt }: Receipt,
): Promise<number> {
  const rows = await runStatement(
    tx,
    `update messages_customer.message set read_at = to_timestamp($5 / 1000.0)
    where account_id = $1 and connection_id = $2 and sender = $3 and seq <= $4 and read_at is null returning 1`,
    [accountId, connectionId, sender, upToSeq, readAt],
  )
  return rows.length
}

/** Newest first. */
export function listRows(
  read: Read,
  { accountId, connectionId }: ThreadName,
  { after, offset, limit }: Slice<MessageId>,
): Promise<readonly ListedMessage[]> {
  return runStatement<ListedMessage & Record<string, unknown>>(
    read,
    `select id, sender, body, false as "isBroadcast",
      round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
      round(extract(epoch from read_at) * 1000)::float8 as "readAt"
    from messages_customer.message where account_id = $1 and connection_id = $2 and ($3::uuid is null or id < $3)
    order by id desc offset $4 limit $5`,
    [accountId, connectionId, after, offset, limit],
  )
}

export async function deleteMessages(tx: Tx, { accountId, connectionId }: ThreadName): Promise<void> {
  const sql = 'delete from messages_customer.message where account_id = $1 and connection_id = $2'
  await runStatement(tx, sql, [accountId, connectionId])
}

export async function deleteMessagesOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from messages_customer.message where account_id = $1', [accountId])
}
