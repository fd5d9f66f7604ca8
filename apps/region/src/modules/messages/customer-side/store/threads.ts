import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Thread } from '../../model.ts'
import type { ShownBroadcasts, ThreadName } from '../model.ts'

const THREAD = `messages::float8 as messages, unread::float8 as unread, is_ended as "isEnded",
  round(extract(epoch from cleared_at) * 1000)::float8 as "clearedAt",
  case when ended_at is not null then json_build_object('serviceId', service_id, 'companyRegion', company_region,
    'from', round(extract(epoch from connected_at) * 1000)::float8,
    'until', round(extract(epoch from ended_at) * 1000)::float8) end as lifetime`
const NEW: OwnThread = { messages: 0, unread: 0, isEnded: false, lifetime: null, clearedAt: null }

interface OwnThread extends Thread {
  readonly lifetime: ShownBroadcasts | null
}

/** Null when the connection has no messages and has not ended. */
export async function findThread(read: Read, { accountId, connectionId }: ThreadName): Promise<OwnThread | null> {
  const [row] = await runStatement<OwnThread & Record<string, unknown>>(
    read,
    `select ${THREAD} from messages_customer.thread where account_id = $1 and connection_id = $2`,
    [accountId, connectionId],
  )
  return row ?? null
}

export async function readThread(read: Read, name: ThreadName): Promise<OwnThread> {
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

/** An own connection that ends. */
export interface EndedThread extends ThreadName {
  readonly serviceId: ServiceId
  readonly companyRegion: string
  readonly connectedAt: Instant | null
}

/** The connection has ended: its messages stay readable, and nothing of it waits for an acknowledgement. */
export async function markEnded(tx: Tx, ended: EndedThread, at: Instant): Promise<void> {
  const { accountId, connectionId, serviceId, companyRegion, connectedAt } = ended
  await runStatement(
    tx,
    `insert into messages_customer.thread (account_id, connection_id, is_ended, service_id, company_region, connected_at,
      ended_at)
    values ($1, $2, true, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
    on conflict (account_id, connection_id) do update set is_ended = true, unread = 0, service_id = excluded.service_id,
      company_region = excluded.company_region, connected_at = excluded.connected_at, ended_at = excluded.ended_at`,
    [accountId, connectionId, serviceId, companyRegion, connectedAt ?? at, at],
  )
}

/** After the deletion of its messages. */
export async function markCleared(tx: Tx, { accountId, connectionId }: ThreadName, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into messages_customer.thread (account_id, connection_id, cleared_at) values ($1, $2, to_timestamp($3 / 1000.0))
    on conflict (account_id, connection_id) do update set messages = 0, unread = 0, cleared_at = excluded.cleared_at`,
    [accountId, connectionId, at],
  )
}

/**
 * Deletes the messages of connections that ended before then, of all accounts. The rows of the threads stay, so that later
 * calls learn that the connection has ended. Answers how many threads there were.
 */
export async function deleteKeptThreads(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `with due as (
      select account_id, connection_id from messages_customer.thread where ended_at <= to_timestamp($1 / 1000.0)
      order by ended_at limit $2 for update skip locked),
    gone as (
      delete from messages_customer.message m using due
      where m.account_id = due.account_id and m.connection_id = due.connection_id),
    unread as (
      delete from messages_customer.broadcast_read r using due
      where r.account_id = due.account_id and r.connection_id = due.connection_id)
    update messages_customer.thread t set messages = 0, unread = 0, service_id = null, company_region = null,
      connected_at = null, ended_at = null
    from due where t.account_id = due.account_id and t.connection_id = due.connection_id returning 1`,
    [before, limit],
  )
  return rows.length
}

export async function deleteThreadsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from messages_customer.thread where account_id = $1', [accountId])
}
