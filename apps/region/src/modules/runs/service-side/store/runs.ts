import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { FlowId } from '../../../flows/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { BoundParty, RunId, RunName, RunSummary, StoredRun } from '../model.ts'

const SUMMARY = `service_id as "serviceId", id, flow_id as "flowId", flow_version as "flowVersion", status,
  current_node as "currentNode", connection_id as "connectionId",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt"`
const RUN = `${SUMMARY}, company_id as "companyId", output_mode as "outputMode", reference_date as "referenceDate",
  owner_tag_values as "ownerTagValues", tag_values as "tagValues", private_slugs as "privateSlugs", rev::float8 as rev,
  round(extract(epoch from cancelled_at) * 1000)::float8 as "cancelledAt", cancelled_by as "cancelledBy",
  cancel_reason as "cancelReason", round(extract(epoch from data_deleted_at) * 1000)::float8 as "dataDeletedAt"`
const PARTIES = `select json_agg(json_build_object('partyKey', party_key, 'userId', user_id, 'connectionId', p.connection_id,
    'region', region, 'publicKey', public_key, 'shareCode', share_code, 'isErased', is_erased) order by place)
  from flows_service.participant p where p.service_id = $1 and p.run_id = $2`
const FIND = `select ${RUN}, (${PARTIES}) as participants from flows_service.run where service_id = $1 and id = $2`

type RunRow = Omit<StoredRun, 'parties' | 'ownerTagValues' | 'tagValues'> &
  Record<string, unknown> & {
    readonly ownerTagValues: string | null
    readonly tagValues: string | null
    readonly participants: readonly PartyRow[]
  }

/** `awaitsOwner`: the awaited party is the company. */
export async function insertRun(
  tx: Tx,
  run: StoredRun,
  { awaitsOwner, connectionId }: { readonly awaitsOwner: boolean; readonly connectionId: ConnectionId },
): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.run (service_id, id, company_id, flow_id, flow_version, status, current_node,
      awaits_owner, output_mode, reference_date, connection_id, owner_tag_values, tag_values, private_slugs, rev,
      created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, to_timestamp($16 / 1000.0),
      to_timestamp($16 / 1000.0))`,
    [
      run.serviceId,
      run.id,
      run.companyId,
      run.flowId,
      run.flowVersion,
      run.status,
      run.currentNode,
      awaitsOwner,
      run.outputMode,
      run.referenceDate,
      connectionId,
      run.ownerTagValues === null ? null : JSON.stringify(run.ownerTagValues),
      run.tagValues === null ? null : JSON.stringify(run.tagValues),
      run.privateSlugs,
      run.rev,
      run.createdAt,
    ],
  )
  const customers = run.parties.map(({ customer }) => customer)
  await runStatement(
    tx,
    `insert into flows_service.participant (service_id, run_id, place, party_key, user_id, connection_id, region,
      share_code, public_key)
    select $1, $2, p.place - 1, p.party_key, p.user_id, p.connection_id, p.region, p.share_code, p.public_key
    from unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[]) with ordinality
      as p (party_key, user_id, connection_id, region, share_code, public_key, place)`,
    [
      run.serviceId,
      run.id,
      run.parties.map(({ partyKey }) => partyKey),
      run.parties.map(({ userId }) => userId),
      customers.map((customer) => customer?.connectionId ?? null),
      customers.map((customer) => customer?.region ?? null),
      customers.map((customer) => customer?.shareCode ?? null),
      customers.map((customer) => customer?.publicKey ?? null),
    ],
  )
}

/** Every member that can change. Requires the lock of the row. */
export async function updateRun(tx: Tx, run: StoredRun, awaitsOwner: boolean): Promise<void> {
  await runStatement(
    tx,
    `update flows_service.run set status = $3, current_node = $4, awaits_owner = $5, private_slugs = $6, rev = $7,
      updated_at = to_timestamp($8 / 1000.0), cancelled_at = to_timestamp($9::float8 / 1000.0), cancelled_by = $10,
      cancel_reason = $11, data_deleted_at = to_timestamp($12::float8 / 1000.0),
      tag_values = case when $12::float8 is null then tag_values end
    where service_id = $1 and id = $2`,
    [
      run.serviceId,
      run.id,
      run.status,
      run.currentNode,
      awaitsOwner,
      run.privateSlugs,
      run.rev,
      run.updatedAt,
      run.cancelledAt,
      run.cancelledBy,
      run.cancelReason,
      run.dataDeletedAt,
    ],
  )
}

/** Null for an unknown run and for another service's. */
export async function findRun(read: Read, { serviceId, id }: RunName): Promise<StoredRun | null> {
  const [row] = await runStatement<RunRow>(read, FIND, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

/** Whose awaited party is the company, the longest waiting first. */
export async function listRunsOfOwner(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly (RunName & { readonly since: Instant })[]> {
  return runStatement<RunName & { readonly since: Instant }>(
    read,
    `select service_id as "serviceId", id, round(extract(epoch from updated_at) * 1000)::float8 as since
    from flows_service.run where service_id = any($1::uuid[]) and awaits_owner order by updated_at limit $2`,
    [services, limit],
  )
}

/** FOR UPDATE, after the connections of its participants. */
export async function lockRun(tx: Tx, { serviceId, id }: RunName): Promise<StoredRun | null> {
  const [row] = await runStatement<RunRow>(tx, `${FIND} for update`, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

function readRow({ participants, ownerTagValues, tagValues, ...run }: RunRow): StoredRun {
  return {
    ...run,
    ownerTagValues: ownerTagValues === null ? null : readStored<StoredRun['ownerTagValues']>(ownerTagValues),
    tagValues: tagValues === null ? null : readStored<StoredRun['tagValues']>(tagValues),
    parties: participants.map(readParty),
  }
}

function readStored<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this store
  return JSON.parse(text) as T
}

interface PartyRow {
  readonly partyKey: string
  readonly userId: UserId
  readonly connectionId: ConnectionId | null
  readonly region: string | null
  readonly publicKey: string | null
  readonly shareCode: string | null
  readonly isErased: boolean
}

function readParty({ partyKey, userId, connectionId, region, publicKey, shareCode, isErased }: PartyRow): BoundParty {
  const customer =
    connectionId === null || region === null
      ? null
      : { connectionId, region, publicKey: publicKey ?? '', shareCode, isErased }
  return { partyKey, userId, customer }
}

export interface RunFilter {
  readonly flowId: FlowId | null
  /** Null: all. */
  readonly statuses: readonly string[] | null
  readonly awaitsOwner: boolean
}

/** In the order of ids. `awaiting_company` is the turn of the owner where no party has the key `company`. */
export function listRunRows(
  read: Read,
  serviceId: ServiceId,
  { flowId, statuses, awaitsOwner }: RunFilter,
  { after, offset, limit }: Slice<RunId>,
): Promise<readonly RunSummary[]> {
  return runStatement<RunSummary & Record<string, unknown>>(
    read,
    `select ${SUMMARY} from flows_service.run r
    where service_id = $1 and ($2::uuid is null or flow_id = $2) and ($4::boolean is false or awaits_owner)
      and ($3::text[] is null or status = any($3) or ('awaiting_company' = any($3) and awaits_owner
        and not exists (select 1 from flows_service.participant p
          where p.service_id = $1 and p.run_id = r.id and p.party_key = 'company')))
      and ($5::uuid is null or id > $5)
    order by id offset $6 limit $7`,
    [serviceId, flowId, statuses, awaitsOwner, after, offset, limit],
  )
}

/** Open runs that a connection takes part in, in the order of ids. */
export async function listOpenOf(tx: Tx, serviceId: ServiceId, connectionId: ConnectionId): Promise<readonly RunId[]> {
  const rows = await runStatement<{ id: RunId }>(
    tx,
    `select distinct r.id from flows_service.run r
    join flows_service.participant p on p.service_id = r.service_id and p.run_id = r.id
    where r.service_id = $1 and p.connection_id = $2 and r.status not in ('completed', 'cancelled') order by r.id`,
    [serviceId, connectionId],
  )
  return rows.map(({ id }) => id)
}

/** The account of the customer is deleted. */
export async function markErased(tx: Tx, serviceId: ServiceId, connectionId: ConnectionId): Promise<void> {
  await runStatement(
    tx,
    `update flows_service.participant set is_erased = true, share_code = null
    where service_id = $1 and connection_id = $2`,
    [serviceId, connectionId],
  )
}

export async function deleteRunRow(tx: Tx, { serviceId, id }: RunName): Promise<void> {
  await runStatement(tx, 'delete from flows_service.run where service_id = $1 and id = $2', [serviceId, id])
}

export async function hasRuns(read: Read, serviceId: ServiceId): Promise<boolean> {
  const sql = 'select 1 from flows_service.run where service_id = $1 limit 1'
  return (await runStatement(read, sql, [serviceId])).length > 0
}

/** Runs whose data is not deleted. */
export async function listSomeWithData(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  limit: number,
): Promise<readonly RunId[]> {
  const sql = `select id from flows_service.run
    where company_id = $1 and service_id = $2 and data_deleted_at is null order by id limit $3`
  const rows = await runStatement<{ id: RunId }>(tx, sql, [companyId, serviceId, limit])
  return rows.map(({ id }) => id)
}

export async function listSomeRuns(tx: Tx, { serviceId }: ServiceName, limit: number): Promise<readonly RunId[]> {
  const sql = 'select id from flows_service.run where service_id = $1 order by id limit $2'
  const rows = await runStatement<{ id: RunId }>(tx, sql, [serviceId, limit])
  return rows.map(({ id }) => id)
}

/** Upgrades take the row away; of two dates the earlier one counts. False when an earlier or equal one stands. */
export async function scheduleDeletion(tx: Tx, companyId: UserId, dueAt: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into flows_service.deletion as d (company_id, due_at) values ($1, to_timestamp($2 / 1000.0))
    on conflict (company_id) do update set due_at = excluded.due_at, is_reminded = false where excluded.due_at < d.due_at
    returning company_id`,
    [companyId, dueAt],
  )
  return rows.length > 0
}

/** Runs of the company that have data. */
export async function countWithData(tx: Tx, companyId: UserId): Promise<number> {
  const sql = `select count(*)::float8 as runs from flows_service.run where company_id = $1 and data_deleted_at is null`
  const [row] = await runStatement<{ runs: number }>(tx, sql, [companyId])
  return row?.runs ?? 0
}

/** Marks deletions that are due by then and not yet announced a second time; answers them. */
export function takeReminders(
  tx: Tx,
  before: Instant,
  limit: number,
): Promise<readonly { readonly companyId: UserId; readonly dueAt: Instant }[]> {
  return runStatement<{ readonly companyId: UserId; readonly dueAt: Instant }>(
    tx,
    `update flows_service.deletion set is_reminded = true where company_id in (
      select company_id from flows_service.deletion where due_at <= to_timestamp($1 / 1000.0) and not is_reminded
      order by due_at limit $2 for update skip locked)
    returning company_id as "companyId", round(extract(epoch from due_at) * 1000)::float8 as "dueAt"`,
    [before, limit],
  )
}

export async function unscheduleDeletion(tx: Tx, companyId: UserId): Promise<void> {
  await runStatement(tx, 'delete from flows_service.deletion where company_id = $1', [companyId])
}

/** Whether it is still due: an upgrade may have come in between. FOR SHARE, so that it waits for one. */
export async function isDeletionDue(tx: Tx, companyId: UserId, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `select 1 from flows_service.deletion where company_id = $1 and due_at <= to_timestamp($2 / 1000.0) for share`,
    [companyId, now],
  )
  return rows.length > 0
}

/** Runs of all companies whose data is due; the caller locks each in its own transaction. */
export function listDueRuns(
  read: Read,
  now: Instant,
  limit: number,
): Promise<readonly (RunName & { readonly companyId: UserId })[]> {
  return runStatement<RunName & { readonly companyId: UserId } & Record<string, unknown>>(
    read,
    `select r.service_id as "serviceId", r.id, r.company_id as "companyId" from flows_service.deletion d
    join flows_service.run r on r.company_id = d.company_id and r.data_deleted_at is null and r.created_at <= d.due_at
    where d.due_at <= to_timestamp($1 / 1000.0) order by r.company_id, r.created_at limit $2`,
    [now, limit],
  )
}

/** The keys of the customers among these that are bound in runs of the service. */
export async function listKeysOfRuns(
  read: Read,
  serviceId: ServiceId,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const rows = await runStatement<{ userId: UserId; publicKey: string }>(
    read,
    `select distinct user_id as "userId", public_key as "publicKey" from flows_service.participant
    where service_id = $1 and user_id = any($2::uuid[]) and public_key is not null`,
    [serviceId, users],
  )
  return new Map(rows.map(({ userId, publicKey }) => [userId, publicKey]))
}
