import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Thread } from '../../model.ts'
import type { ThreadName } from '../model.ts'

const NEW: Thread = { messages: 0, unread: 0, isEnded: false }

/** Null when the connection has no messages and has not ended. */
export async function findThread(read: Read, { accountId, connectionId }: ThreadName): Promise<Thread | null> {
  const [row] = await runStatement<Thread & Record<string, unknown>>(
    read,
    `select messages::float8 as messages, unread::float8 as unread, is_ended as "isEnded"
    from messages_customer.thread where account_id = $1 and connection_id = $2`,
    [accountId, connectionId],
  )
  return row ?? null
}

export async function readThread(read: Read, name: ThreadName): Promise<Thread> {
  return (await findThread(read, name)) ?? NEW
}

/** The number of a new message of the customer; see [Note: numbers by time]. Requires the lock of the connection. */
export async function takeSeq(tx: Tx, { accountId, connectionId }: ThreadName, now: Instant): Promise<number> {
  const [row] = await runStatement<{ seq: number }>(
    tx,
    `insert into messages_customer.thread as t (account_id, connection_id, seq) values ($1, $2, $3)
    on conflict (account_id, connection_id) do update set seq = greatest(t.seq + 1, excluded.seq)
    returning seq::float8 as seq`,
    [accountId, connectionId, now],
  )
  if (row === undefined) throw new Error(`thread ${connectionId} was not written`)
  return row.seq
}

/** Requires the lock of the connection. */
export async function addToThread(
  tx: Tx,
  { accountId, connectionId }: ThreadName,
  { messages, unread }: Pick<Thread, 'messages' | 'unread'>,
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_customer.thread as t (account_id, connection_id, messages, unread) values ($1, $2, $3, $4)
    on conflict (account_id, connection_id) do update set messages = t.messages + $3, unread = t.unread + $4`,
    [accountId, connectionId, messages, unread],
  )
}

/** The row stays, so that later calls learn that the connection has ended. */
export async function markEnded(tx: Tx, { accountId, connectionId }: ThreadName): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_customer.thread (account_id, connection_id, is_ended) values ($1, $2, true)
    on conflict (account_id, connection_id) do update set is_ended = true, messages = 0, unread = 0`,
    [accountId, connectionId],
  )
}

export async function deleteThreadsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from messages_customer.thread where account_id = $1', [accountId])
}
