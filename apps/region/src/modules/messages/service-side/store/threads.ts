import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Thread } from '../../model.ts'
import type { ThreadName } from '../model.ts'

const NEW: Thread = { messages: 0, unread: 0, isEnded: false }

/** Null when the connection has no messages and has not ended. */
export async function findThread(read: Read, { serviceId, connectionId }: ThreadName): Promise<Thread | null> {
  const [row] = await runStatement<Thread & Record<string, unknown>>(
    read,
    `select messages::float8 as messages, unread::float8 as unread, is_ended as "isEnded"
    from messages_service.thread where service_id = $1 and connection_id = $2`,
    [serviceId, connectionId],
  )
  return row ?? null
}

export async function readThread(read: Read, name: ThreadName): Promise<Thread> {
  return (await findThread(read, name)) ?? NEW
}

/** The number of a new message of the service; see [Note: numbers by time]. Requires the lock of the connection. */
export async function takeSeq(tx: Tx, { serviceId, connectionId }: ThreadName, now: Instant): Promise<number> {
  const [row] = await runStatement<{ seq: number }>(
    tx,
    `insert into messages_service.thread as t (service_id, connection_id, seq) values ($1, $2, $3)
    on conflict (service_id, connection_id) do update set seq = greatest(t.seq + 1, excluded.seq)
    returning seq::float8 as seq`,
    [serviceId, connectionId, now],
  )
  if (row === undefined) throw new Error(`thread ${connectionId} was not written`)
  return row.seq
}

/** Requires the lock of the connection. */
export async function addToThread(
  tx: Tx,
  { serviceId, connectionId }: ThreadName,
  { messages, unread }: Pick<Thread, 'messages' | 'unread'>,
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.thread as t (service_id, connection_id, messages, unread) values ($1, $2, $3, $4)
    on conflict (service_id, connection_id) do update set messages = t.messages + $3, unread = t.unread + $4`,
    [serviceId, connectionId, messages, unread],
  )
}

/** The row stays, so that later calls learn that the connection has ended. */
export async function markEnded(tx: Tx, { serviceId, connectionId }: ThreadName): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.thread (service_id, connection_id, is_ended) values ($1, $2, true)
    on conflict (service_id, connection_id) do update set is_ended = true, messages = 0, unread = 0`,
    [serviceId, connectionId],
  )
}

export async function deleteThread(tx: Tx, { serviceId, connectionId }: ThreadName): Promise<void> {
  const sql = 'delete from messages_service.thread where service_id = $1 and connection_id = $2'
  await runStatement(tx, sql, [serviceId, connectionId])
}

/** One step of the deletion of a service. */
export async function deleteSomeThreads(tx: Tx, { serviceId }: Pick<ThreadName, 'serviceId'>, limit: number) {
  const rows = await runStatement(
    tx,
    `delete from messages_service.thread where service_id = $1 and connection_id in (
      select connection_id from messages_service.thread where service_id = $1 limit $2) returning 1`,
    [serviceId, limit],
  )
  return rows.length
}
