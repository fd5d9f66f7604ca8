import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Thread } from '../../model.ts'
import type { ThreadName } from '../model.ts'

const THREAD = `messages::float8 as messages, unread::float8 as unread, is_ended as "isEnded",
  round(extract(epoch from cleared_at) * 1000)::float8 as "clearedAt",
  case when ended_at is not null then json_build_object(
    'from', round(extract(epoch from connected_at) * 1000)::float8,
    'until', round(extract(epoch from ended_at) * 1000)::float8) end as lifetime`
const NEW: Thread = { messages: 0, unread: 0, isEnded: false, lifetime: null, clearedAt: null }

/** Null when the connection has no messages and has not ended. */
export async function findThread(read: Read, { serviceId, connectionId }: ThreadName): Promise<Thread | null> {
  const [row] = await runStatement<Thread & Record<string, unknown>>(
    read,
    `select ${THREAD} from messages_service.thread where service_id = $1 and connection_id = $2`,
    [serviceId, connectionId],
  )
  return row ?? null
}

export async function readThread(read: Read, name: ThreadName): Promise<Thread> {
  return (await findThread(read, name)) ?? NEW
}

/** With messages that the company has not acknowledged, the longest waiting first; `since` is the oldest of them. */
export async function listUnreadThreads(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly (ThreadName & { readonly since: Instant })[]> {
  return runStatement<ThreadName & { readonly since: Instant }>(
    read,
    `select t.service_id as "serviceId", t.connection_id as "connectionId",
      round(extract(epoch from first.created_at) * 1000)::float8 as since
    from messages_service.thread t cross join lateral (
      select m.created_at from messages_service.message m
      where m.service_id = t.service_id and m.connection_id = t.connection_id and m.sender = 'person'
        and m.read_at is null
      order by m.seq limit 1) as first
    where t.service_id = any($1::uuid[]) and t.unread > 0 and not t.is_ended
    order by first.created_at limit $2`,
    [services, limit],
  )
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

/** The connection has ended: its messages stay readable, and nothing of it waits for an acknowledgement. */
export async function markEnded(
  tx: Tx,
  { serviceId, connectionId }: ThreadName,
  { connectedAt, endedAt }: { readonly connectedAt: Instant; readonly endedAt: Instant },
): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.thread (service_id, connection_id, is_ended, connected_at, ended_at)
    values ($1, $2, true, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0))
    on conflict (service_id, connection_id) do update set is_ended = true, unread = 0,
      connected_at = excluded.connected_at, ended_at = excluded.ended_at`,
    [serviceId, connectionId, connectedAt, endedAt],
  )
}

/** After the deletion of its messages. */
export async function markCleared(tx: Tx, { serviceId, connectionId }: ThreadName, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_service.thread (service_id, connection_id, cleared_at) values ($1, $2, to_timestamp($3 / 1000.0))
    on conflict (service_id, connection_id) do update set messages = 0, unread = 0, cleared_at = excluded.cleared_at`,
    [serviceId, connectionId, at],
  )
}

/**
 * Deletes the messages of connections that ended before then, of all services. The rows of the threads stay, so that later
 * calls learn that the connection has ended. Answers how many threads there were.
 */
export async function deleteKeptThreads(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `with due as (
      select service_id, connection_id from messages_service.thread where ended_at <= to_timestamp($1 / 1000.0)
      order by ended_at limit $2 for update skip locked),
    gone as (
      delete from messages_service.message m using due
      where m.service_id = due.service_id and m.connection_id = due.connection_id)
    update messages_service.thread t set messages = 0, unread = 0, connected_at = null, ended_at = null
    from due where t.service_id = due.service_id and t.connection_id = due.connection_id returning 1`,
    [before, limit],
  )
  return rows.length
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
