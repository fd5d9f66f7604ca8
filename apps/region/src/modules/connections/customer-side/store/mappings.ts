import type { ConnectionId, FieldId, RequestFieldId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ConnectionName, FollowingSlot, Mapping } from '../model.ts'

const MAPPING = `request_field_id as "requestFieldId", state, kind, live, source_field_id as "sourceFieldId",
  rev::float8 as rev, round(extract(epoch from provided_at) * 1000)::float8 as "providedAt",
  encode(decision_sha256, 'hex') as "decisionSha256"`

type ConnectedMapping = Mapping & { readonly connectionId: ConnectionId }

export function listMappings(
  read: Read,
  accountId: UserId,
  connectionIds: readonly ConnectionId[],
): Promise<readonly ConnectedMapping[]> {
  return runStatement<ConnectedMapping>(
    read,
    `select connection_id as "connectionId", ${MAPPING} from connections_customer.mapping
    where account_id = $1 and connection_id = any($2) order by connection_id, request_field_id`,
    [accountId, connectionIds],
  )
}

export async function putMapping(tx: Tx, { accountId, id }: ConnectionName, mapping: Mapping): Promise<void> {
  const answer = mapping.state === 'answered' ? mapping : null
  await runStatement(
    tx,
    `insert into connections_customer.mapping as m (account_id, connection_id, request_field_id, state, kind, live,
      source_field_id, rev, is_stale, provided_at, decision_sha256)
    values ($1, $2, $3, $4, $5, $6, $7, $8, false, to_timestamp($9 / 1000.0), decode($10, 'hex'))
    on conflict (account_id, connection_id, request_field_id) do update set state = excluded.state,
      kind = excluded.kind, live = excluded.live, source_field_id = excluded.source_field_id, rev = excluded.rev,
      provided_at = excluded.provided_at, decision_sha256 = excluded.decision_sha256`,
    [
      accountId,
      id,
      mapping.requestFieldId,
      mapping.state,
      answer?.kind ?? null,
      answer?.live ?? false,
      answer?.sourceFieldId ?? null,
      mapping.rev,
      mapping.providedAt,
      answer?.decisionSha256 ?? null,
    ],
  )
}

export async function setMappingRev(
  tx: Tx,
  { accountId, id }: ConnectionName,
  requestFieldId: RequestFieldId,
  rev: number,
): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.mapping set rev = $4
    where account_id = $1 and connection_id = $2 and request_field_id = $3`,
    [accountId, id, requestFieldId, rev],
  )
}

export async function deleteMappings(
  tx: Tx,
  { accountId, id }: ConnectionName,
  requestFieldIds: readonly RequestFieldId[],
): Promise<void> {
  await runStatement(
    tx,
    `delete from connections_customer.mapping
    where account_id = $1 and connection_id = $2 and request_field_id = any($3)`,
    [accountId, id, requestFieldIds],
  )
}

/** Mappings of removed request rows, at connections that the caller has locked. */
export async function deleteGoneRows(
  tx: Tx,
  locked: readonly ConnectionName[],
  requestFieldIds: readonly RequestFieldId[],
): Promise<void> {
  await runStatement(
    tx,
    `delete from connections_customer.mapping m using unnest($1::uuid[], $2::uuid[]) as h(account_id, id)
    where m.account_id = h.account_id and m.connection_id = h.id and m.request_field_id = any($3)`,
    [locked.map(({ accountId }) => accountId), locked.map(({ id }) => id), requestFieldIds],
  )
}

/** The existing decisions of these connections about these rows. */
export function listDecided(
  read: Read,
  locked: readonly ConnectionName[],
  requestFieldIds: readonly RequestFieldId[],
): Promise<readonly { readonly connectionId: ConnectionId; readonly requestFieldId: RequestFieldId }[]> {
  return runStatement(
    read,
    `select m.connection_id as "connectionId", m.request_field_id as "requestFieldId"
    from unnest($1::uuid[], $2::uuid[]) as h(account_id, id)
    join connections_customer.mapping m on m.account_id = h.account_id and m.connection_id = h.id
    where m.account_id = h.account_id and m.request_field_id = any($3)`,
    [locked.map(({ accountId }) => accountId), locked.map(({ id }) => id), requestFieldIds],
  )
}

export function listFollowing(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly FollowingSlot[]> {
  return runStatement<FollowingSlot>(
    read,
    `select m.connection_id as "connectionId", m.request_field_id as "requestFieldId", r.asked->>'slug' as slug,
      r.asked->>'lane' as lane
    from connections_customer.mapping m
    join connections_customer.connection c on c.account_id = m.account_id and c.id = m.connection_id
    join connections_customer.service_card s on s.service_id = c.service_id
    cross join lateral jsonb_array_elements(s.facts->'rows') as r(asked)
    where m.account_id = $1 and m.source_field_id = $2 and m.live and c.state = 'open' and not s.is_ended
      and r.asked->>'id' = m.request_field_id::text
    order by m.connection_id, m.request_field_id`,
    [accountId, fieldId],
  )
}

/** Connections with a live mapping of this field, opening ones included. */
export async function listFedConnections(
  read: Read,
  accountId: UserId,
  fieldId: FieldId,
): Promise<readonly ConnectionId[]> {
  const rows = await runStatement<{ connectionId: ConnectionId }>(
    read,
    `select distinct connection_id as "connectionId" from connections_customer.mapping
    where account_id = $1 and source_field_id = $2 and live`,
    [accountId, fieldId],
  )
  return rows.map(({ connectionId }) => connectionId)
}

/** See [Note: edits while a connection opens]. */
export async function markStale(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<void> {
  await runStatement(
    tx,
    `update connections_customer.mapping m set is_stale = true from connections_customer.connection c
    where m.account_id = $1 and m.source_field_id = $2 and m.live
      and c.account_id = m.account_id and c.id = m.connection_id and c.state = 'opening'`,
    [accountId, fieldId],
  )
}

/** Returns the request rows of the deleted mappings. */
export async function deleteStale(tx: Tx, { accountId, id }: ConnectionName): Promise<readonly RequestFieldId[]> {
  const rows = await runStatement<{ requestFieldId: RequestFieldId }>(
    tx,
    `delete from connections_customer.mapping where account_id = $1 and connection_id = $2 and is_stale
    returning request_field_id as "requestFieldId"`,
    [accountId, id],
  )
  return rows.map(({ requestFieldId }) => requestFieldId)
}
