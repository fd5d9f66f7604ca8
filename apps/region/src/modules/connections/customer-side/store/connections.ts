import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { Connection, ConnectionName, OpenConnection } from '../model.ts'

const CONNECTION = `c.account_id as "accountId", c.id, c.user_type as "userType", c.state, c.service_id as "serviceId",
  c.company_id as "companyId", c.company_region as "companyRegion", c.company_public_key as "companyPublicKey",
  c.service_public_key as "servicePublicKey", c.display_name as "displayName", c.opened_by as "openedBy",
  c.request_id as "requestId", c.device_record as "deviceRecord", c.rev::float8 as rev,
  round(extract(epoch from c.created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from c.connected_at) * 1000)::float8 as "connectedAt"`

export async function insertConnection(tx: Tx, connection: Connection): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_customer.connection (account_id, id, user_type, state, service_id, company_id,
      company_region, company_public_key, service_public_key, display_name, opened_by, request_id, rev, created_at,
      connected_at, device_record)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14 / 1000.0),
      to_timestamp($15::float8 / 1000.0), $16)`,
    [
      connection.accountId,
      connection.id,
      connection.userType,
      connection.state,
      connection.serviceId,
      connection.companyId,
      connection.companyRegion,
      connection.companyPublicKey,
      connection.servicePublicKey,
      connection.displayName,
      connection.openedBy,
      connection.requestId,
      connection.rev,
      connection.createdAt,
      connection.connectedAt,
      connection.deviceRecord,
    ],
  )
}

export async function setDeviceRecord(tx: Tx, { accountId, id }: ConnectionName, record: string): Promise<void> {
  await runStatement(
    tx,
    'update connections_customer.connection set device_record = $3 where account_id = $1 and id = $2',
    [accountId, id, record],
  )
}

/** In either state. */
export async function findConnection(read: Read, { accountId, id }: ConnectionName): Promise<Connection | null> {
  const [row] = await runStatement<Connection>(
    read,
    `select ${CONNECTION} from connections_customer.connection c where c.account_id = $1 and c.id = $2`,
    [accountId, id],
  )
  return row ?? null
}

export async function findOpenConnection(
  read: Read,
  accountId: UserId,
  serviceId: ServiceId,
): Promise<Connection | null> {
  const [row] = await runStatement<Connection>(
    read,
    `select ${CONNECTION} from connections_customer.connection c
    where c.account_id = $1 and c.service_id = $2 and c.state = 'open'`,
    [accountId, serviceId],
  )
  return row ?? null
}

/** Null for one that is not open yet, and when the service has ended. */
export async function findUsable(read: Read, { accountId, id }: ConnectionName): Promise<OpenConnection | null> {
  const [row] = await runStatement<OpenConnection>(
    read,
    `select ${CONNECTION} from connections_customer.connection c
    join connections_customer.service_card s on s.service_id = c.service_id
    where c.account_id = $1 and c.id = $2 and c.connected_at is not null and not s.is_ended`,
    [accountId, id],
  )
  return row ?? null
}

/** In the order of ids; connections of ended services are left out. */
export function listOpen(
  read: Read,
  accountId: UserId,
  slice: Slice<ConnectionId>,
): Promise<readonly OpenConnection[]> {
  return runStatement<OpenConnection>(
    read,
    `select ${CONNECTION} from connections_customer.connection c
    join connections_customer.service_card s on s.service_id = c.service_id
    where c.account_id = $1 and c.state = 'open' and not s.is_ended and ($2::uuid is null or c.id > $2)
    order by c.id offset $3 limit $4`,
    [accountId, slice.after, slice.offset, slice.limit],
  )
}

/** In the order of ids: see the lock order in README.md. Missing ones are left out. */
export function lockConnections(
  tx: Tx,
  accountId: UserId,
  ids: readonly ConnectionId[],
): Promise<readonly Connection[]> {
  return runStatement<Connection>(
    tx,
    `select ${CONNECTION} from connections_customer.connection c where c.account_id = $1 and c.id = any($2)
    order by c.id for update`,
    [accountId, ids],
  )
}

export async function lockConnection(tx: Tx, { accountId, id }: ConnectionName): Promise<Connection | null> {
  const [row] = await lockConnections(tx, accountId, [id])
  return row ?? null
}

/** All connections of one customer with one service, open or opening. */
export function lockPair(tx: Tx, accountId: UserId, serviceId: ServiceId): Promise<readonly Connection[]> {
  return runStatement<Connection>(
    tx,
    `select ${CONNECTION} from connections_customer.connection c where c.account_id = $1 and c.service_id = $2
    order by c.id for update`,
    [accountId, serviceId],
  )
}

export function lockAllOf(tx: Tx, accountId: UserId): Promise<readonly Connection[]> {
  return runStatement<Connection>(
    tx,
    `select ${CONNECTION} from connections_customer.connection c where c.account_id = $1 order by c.id for update`,
    [accountId],
  )
}

interface ServicePage {
  /** The last connection of the page before. */
  readonly after: ConnectionName | null
  readonly limit: number
}

/** Open connections of all customers of a service. */
export function lockOfService(
  tx: Tx,
  serviceId: ServiceId,
  { after, limit }: ServicePage,
): Promise<readonly Connection[]> {
  return runStatement<Connection>(
    tx,
    `select ${CONNECTION} from connections_customer.connection c
    where c.service_id = $1 and c.state = 'open'
      and ($2::uuid is null or (c.account_id, c.id) > ($2::uuid, $3::uuid))
    order by c.account_id, c.id limit $4 for update`,
    [serviceId, after?.accountId ?? null, after?.id ?? null, limit],
  )
}

export async function markOpen(tx: Tx, { accountId, id }: ConnectionName, connectedAt: Instant): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.connection set state = 'open', connected_at = to_timestamp($3 / 1000.0)
    where account_id = $1 and id = $2`,
    [accountId, id, connectedAt],
  )
}

/**
 * [Note: numbers by time] Returns the last of `count` new numbers for changes of slots. A number is never below the current
 * time in milliseconds, so that a region restored from a backup does not reuse numbers that services have received.
 */
export async function takeRevs(
  tx: Tx,
  { accountId, id }: ConnectionName,
  count: number,
  now: Instant,
): Promise<number> {
  const [row] = await runStatement<{ rev: number }>(
    tx,
    `update connections_customer.connection set rev = greatest(rev, $4) + $3 where account_id = $1 and id = $2
    returning rev::float8 as rev`,
    [accountId, id, count, now],
  )
  if (row === undefined) throw new Error(`connection ${id} was changed without a lock`)
  return row.rev
}

/** Their mappings are deleted by the foreign key. */
export async function deleteConnections(tx: Tx, accountId: UserId, ids: readonly ConnectionId[]): Promise<void> {
  await runStatement(tx, 'delete from connections_customer.connection where account_id = $1 and id = any($2)', [
    accountId,
    ids,
  ])
}

export async function deleteOldOpenings(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from connections_customer.connection where (account_id, id) in (
      select account_id, id from connections_customer.connection
      where state = 'opening' and created_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning id`,
    [before, limit],
  )
  return rows.length
}
