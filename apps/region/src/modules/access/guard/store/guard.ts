import type { ClientId, Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ClientState } from '../model.ts'

export const CHANGE_CHANNEL = 'sealpost_access_change'

export interface Switches {
  readonly writesPaused: boolean
  readonly outOfOrder: boolean
}

const FIND_CLIENT = `
  select c.client_id as "clientId", c.kind, c.company_id as "companyId", c.service_id as "serviceId", c.epoch, c.patterns
  from access.client c where c.client_id = $1`

export async function findClientState(read: Read, clientId: ClientId): Promise<ClientState | null> {
  const [row] = await runStatement<ClientState>(read, FIND_CLIENT, [clientId])
  return row ?? null
}

/**
 * Takes the next revision for a change. It is the last statement of its transaction, since all changes of the region
 * lock this row. `subject` is null when no cached state changed (a session, a switch).
 */
export async function recordChange(tx: Tx, subject: string | null, now: Instant): Promise<number> {
  const [row] = await runStatement<{ value: number }>(
    tx,
    `with taken as (update access.revision set value = value + 1 returning value),
      recorded as (insert into access.change (revision, subject, at)
        select value, $1, to_timestamp($2 / 1000.0) from taken),
      notified as (select pg_notify('${CHANGE_CHANNEL}', ''))
    select value::float8 as value from taken, notified`,
    [subject, now],
  )
  if (row === undefined) throw new Error('access.revision has no row')
  return row.value
}

/** Inserts or updates a client; followed by `recordChange`. */
export async function putClientState(tx: Tx, client: ClientState): Promise<void> {
  await runStatement(
    tx,
    `insert into access.client as known (company_id, client_id, kind, service_id, epoch, patterns)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (company_id, client_id) do update set service_id = excluded.service_id, patterns = excluded.patterns,
      epoch = greatest(known.epoch, excluded.epoch)`,
    [client.companyId, client.clientId, client.kind, client.serviceId, client.epoch, client.patterns],
  )
}

/** Ends its tokens; followed by `recordChange`. */
export async function deleteClientState(tx: Tx, companyId: UserId, clientId: ClientId): Promise<void> {
  await runStatement(tx, 'delete from access.client where company_id = $1 and client_id = $2', [companyId, clientId])
}

/** Epochs only rise: a message that arrives late changes nothing. */
export async function setEpoch(tx: Tx, companyId: UserId, clientId: ClientId, epoch: number): Promise<void> {
  await runStatement(
    tx,
    'update access.client set epoch = greatest(epoch, $3) where company_id = $1 and client_id = $2',
    [companyId, clientId, epoch],
  )
}

export async function insertRevokedSessions(
  tx: Tx,
  sessionIds: readonly string[],
  revision: number,
  until: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `insert into access.revoked_session (session_id, revision, until)
    select distinct session_id, $2::bigint, to_timestamp($3 / 1000.0) from unnest($1::text[]) as session_id
    on conflict (session_id) do update set revision = excluded.revision, until = excluded.until`,
    [sessionIds, revision, until],
  )
}

export async function isSessionRevoked(read: Read, sessionId: string): Promise<boolean> {
  const rows = await runStatement(read, 'select 1 from access.revoked_session where session_id = $1', [sessionId])
  return rows.length > 0
}

export async function readSwitches(read: Read): Promise<Switches> {
  const [row] = await runStatement<Switches>(
    read,
    'select writes_paused as "writesPaused", out_of_order as "outOfOrder" from access.switch',
    [],
  )
  if (row === undefined) throw new Error('access.switch has no row')
  return row
}

/** An absent switch stays unchanged. */
export async function setSwitches(tx: Tx, { writesPaused, outOfOrder }: Partial<Switches>): Promise<void> {
  await runStatement(
    tx,
    'update access.switch set writes_paused = coalesce($1, writes_paused), out_of_order = coalesce($2, out_of_order)',
    [writesPaused ?? null, outOfOrder ?? null],
  )
}

export interface News {
  readonly revision: number
  /** Clients and accounts whose state changed. */
  readonly subjects: readonly string[]
  readonly revokedSessions: readonly { readonly sessionId: string; readonly until: Instant }[]
  readonly switches: Switches
}

/** One statement, hence one snapshot: the revision and the changes up to it are consistent. */
export async function readNews(read: Read, since: number): Promise<News> {
  const [row] = await runStatement<News>(
    read,
    `select r.value::float8 as revision,
      coalesce((select json_agg(distinct c.subject) from access.change c
        where c.revision > $1 and c.subject is not null), '[]') as subjects,
      coalesce((select json_agg(json_build_object('sessionId', s.session_id, 'until', extract(epoch from s.until) * 1000))
        from access.revoked_session s where s.revision > $1), '[]') as "revokedSessions",
      json_build_object('writesPaused', w.writes_paused, 'outOfOrder', w.out_of_order) as switches
    from access.revision r, access.switch w`,
    [since],
  )
  if (row === undefined) throw new Error('access.revision has no row')
  return row
}

/**
 * [Note: leases by the database's clock] Several machines compare this time, so it is taken from one clock: the
 * database's.
 */
export async function renewLease(tx: Tx, processId: string, leaseMs: number, seenRevision: number): Promise<void> {
  await runStatement(
    tx,
    `insert into access.guard (process_id, lease_until, seen_revision)
    values ($1, clock_timestamp() + $2 * interval '1 millisecond', $3)
    on conflict (process_id) do update set lease_until = excluded.lease_until, seen_revision = excluded.seen_revision`,
    [processId, leaseMs, seenRevision],
  )
}

/** Ends the wait of `awaitGuards` for this process and revision. */
export async function reportSeen(tx: Tx, processId: string, revision: number): Promise<void> {
  await runStatement(tx, 'update access.guard set seen_revision = $2 where process_id = $1', [processId, revision])
}

export async function endLease(tx: Tx, processId: string): Promise<void> {
  await runStatement(tx, 'delete from access.guard where process_id = $1', [processId])
}

/** Counts the processes that may still decide by an older revision. */
export async function countOutdatedGuards(read: Read, revision: number): Promise<number> {
  const [row] = await runStatement<{ outdated: number }>(
    read,
    `select count(*)::int as outdated from access.guard
    where lease_until > clock_timestamp() and seen_revision < $1`,
    [revision],
  )
  return row?.outdated ?? 0
}

/** Deletes rows that no live process needs. */
export async function prune(tx: Tx, now: Instant): Promise<void> {
  await runStatement(tx, `delete from access.guard where lease_until < clock_timestamp() - interval '1 hour'`, [])
  await runStatement(tx, 'delete from access.revoked_session where until < to_timestamp($1 / 1000.0)', [now])
  await runStatement(tx, `delete from access.change where at < to_timestamp($1 / 1000.0) - interval '1 day'`, [now])
}
