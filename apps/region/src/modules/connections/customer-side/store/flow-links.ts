import type { ConnectionId, FieldId, Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ConnectionName, FlowLink, FollowingLink } from '../model.ts'

const LINK = `connection_id as "connectionId", flow_id as "flowId", slug, rev::float8 as rev, type,
  source_field_id as "sourceFieldId", lane, is_open as "isOpen", is_stale as "isStale",
  round(extract(epoch from linked_at) * 1000)::float8 as "linkedAt"`

export async function insertFlowLink(tx: Tx, accountId: UserId, link: FlowLink): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_customer.flow_link (account_id, connection_id, flow_id, slug, rev, type, source_field_id, lane,
      is_open, is_stale, linked_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, to_timestamp($10 / 1000.0))`,
    [
      accountId,
      link.connectionId,
      link.flowId,
      link.slug,
      link.rev,
      link.type,
      link.sourceFieldId,
      link.lane,
      link.isOpen,
      link.linkedAt,
    ],
  )
}

export async function findFlowLink(
  read: Read,
  { accountId, id }: ConnectionName,
  flowId: string,
  slug: string,
): Promise<FlowLink | null> {
  const [row] = await runStatement<FlowLink & Record<string, unknown>>(
    read,
    `select ${LINK} from connections_customer.flow_link
    where account_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4 and is_open`,
    [accountId, id, flowId, slug],
  )
  return row ?? null
}

/** Announced links that no turn has confirmed yet, by their numbers. */
export function listAnnounced(
  tx: Tx,
  { accountId, id }: ConnectionName,
  revs: readonly number[],
): Promise<readonly FlowLink[]> {
  return runStatement<FlowLink & Record<string, unknown>>(
    tx,
    `select ${LINK} from connections_customer.flow_link
    where account_id = $1 and connection_id = $2 and rev = any($3::bigint[]) and not is_open order by rev`,
    [accountId, id, revs],
  )
}

export async function openFlowLink(tx: Tx, { accountId, id }: ConnectionName, rev: number): Promise<void> {
  await runStatement(
    tx,
    'update connections_customer.flow_link set is_open = true where account_id = $1 and connection_id = $2 and rev = $3',
    [accountId, id, rev],
  )
}

export async function setFlowLinkRev(
  tx: Tx,
  { accountId, id }: ConnectionName,
  { flowId, slug }: Pick<FlowLink, 'flowId' | 'slug'>,
  rev: number,
): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.flow_link set rev = $5
    where account_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4 and is_open`,
    [accountId, id, flowId, slug, rev],
  )
}

export async function deleteOpenLink(
  tx: Tx,
  { accountId, id }: ConnectionName,
  { flowId, slug }: Pick<FlowLink, 'flowId' | 'slug'>,
): Promise<void> {
  await runStatement(
    tx,
    `delete from connections_customer.flow_link
    where account_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4 and is_open`,
    [accountId, id, flowId, slug],
  )
}

export async function deleteAnnounced(
  tx: Tx,
  { accountId, id }: ConnectionName,
  revs: readonly number[],
): Promise<void> {
  await runStatement(
    tx,
    `delete from connections_customer.flow_link
    where account_id = $1 and connection_id = $2 and rev = any($3::bigint[]) and not is_open`,
    [accountId, id, revs],
  )
}

/** Open links of open connections whose services exist. */
export function listFollowingLinks(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly FollowingLink[]> {
  return runStatement<FollowingLink & Record<string, unknown>>(
    read,
    `select l.connection_id as "connectionId", l.flow_id as "flowId", l.slug, l.lane, l.type
    from connections_customer.flow_link l
    join connections_customer.connection c on c.account_id = l.account_id and c.id = l.connection_id
    join connections_customer.service_card s on s.service_id = c.service_id
    where l.account_id = $1 and l.source_field_id = $2 and l.is_open and c.state = 'open' and not s.is_ended
    order by l.connection_id, l.flow_id, l.slug`,
    [accountId, fieldId],
  )
}

/** Connections with a link of this field, announced ones included. */
export async function listLinkedConnections(
  read: Read,
  accountId: UserId,
  fieldId: FieldId,
): Promise<readonly ConnectionId[]> {
  const rows = await runStatement<{ connectionId: ConnectionId }>(
    read,
    `select distinct connection_id as "connectionId" from connections_customer.flow_link
    where account_id = $1 and source_field_id = $2`,
    [accountId, fieldId],
  )
  return rows.map(({ connectionId }) => connectionId)
}

/** The field has changed since the device sealed the answers of these links. */
export async function markLinksStale(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.flow_link set is_stale = true
    where account_id = $1 and source_field_id = $2 and not is_open`,
    [accountId, fieldId],
  )
}

export async function deleteOldAnnounced(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from connections_customer.flow_link where (account_id, connection_id, rev) in (
      select account_id, connection_id, rev from connections_customer.flow_link
      where not is_open and linked_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning rev`,
    [before, limit],
  )
  return rows.length
}
