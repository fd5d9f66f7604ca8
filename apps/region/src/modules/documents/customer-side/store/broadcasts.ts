import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { Broadcast, DocumentId, ServiceAddress, StoredFile } from '../model.ts'

const BROADCAST = `service_id as "serviceId", id, company_id as "companyId", company_region as "companyRegion", facts, file`

export interface PutBroadcast {
  readonly isNew: boolean
  /** The file of the state before. */
  readonly replaced: StoredFile | null
}

/** An older state has no effect. */
export async function putBroadcast(
  tx: Tx,
  { serviceId, id, companyId, companyRegion, facts }: Omit<Broadcast, 'file'>,
): Promise<PutBroadcast> {
  const [before] = await runStatement<{ file: StoredFile | null; rev: number }>(
    tx,
    'select file, rev::float8 as rev from documents_customer.broadcast where service_id = $1 and id = $2 for update',
    [serviceId, id],
  )
  if (before !== undefined && before.rev >= facts.state.rev) return { isNew: false, replaced: null }
  const isSame = before?.file?.sha256 === facts.answer_sha256
  await runStatement(
    tx,
    `insert into documents_customer.broadcast as b (service_id, id, company_id, company_region, facts, rev)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (service_id, id) do update set facts = excluded.facts, rev = excluded.rev,
      file = case when $7 then b.file end where b.company_region = excluded.company_region`,
    [serviceId, id, companyId, companyRegion, JSON.stringify(facts), facts.state.rev, isSame],
  )
  return { isNew: before === undefined, replaced: isSame ? null : (before?.file ?? null) }
}

export async function findBroadcast(read: Read, serviceId: ServiceId, id: DocumentId): Promise<Broadcast | null> {
  const sql = `select ${BROADCAST} from documents_customer.broadcast where service_id = $1 and id = $2`
  const [row] = await runStatement<Broadcast & Record<string, unknown>>(read, sql, [serviceId, id])
  return row ?? null
}

/** In the order of ids. */
export function listBroadcasts(
  read: Read,
  serviceId: ServiceId,
  { after, offset, limit }: Slice<DocumentId>,
): Promise<readonly Broadcast[]> {
  return runStatement<Broadcast & Record<string, unknown>>(
    read,
    `select ${BROADCAST} from documents_customer.broadcast where service_id = $1 and ($2::uuid is null or id > $2)
    order by id offset $3 limit $4`,
    [serviceId, after, offset, limit],
  )
}

/** The newest of each service, without their content. */
export function listNewestBroadcasts(
  read: Read,
  services: readonly ServiceId[],
  limit: number,
): Promise<readonly NewestBroadcast[]> {
  return runStatement<NewestBroadcast & Record<string, unknown>>(
    read,
    `select b.service_id as "serviceId", b.id, b.bytes from unnest($1::uuid[]) as k (id) cross join lateral (
      select service_id, id, coalesce(octet_length(facts->>'value'), 0) as bytes from documents_customer.broadcast
      where service_id = k.id order by id desc limit $2) b`,
    [services, limit],
  )
}

export interface NewestBroadcast {
  readonly serviceId: ServiceId
  readonly id: DocumentId
  readonly bytes: number
}

export async function countBroadcasts(
  read: Read,
  services: readonly ServiceId[],
): Promise<ReadonlyMap<ServiceId, number>> {
  const rows = await runStatement<{ serviceId: ServiceId; count: number }>(
    read,
    `select service_id as "serviceId", count(*)::int as count from documents_customer.broadcast
    where service_id = any($1::uuid[]) group by service_id`,
    [services],
  )
  return new Map(rows.map(({ serviceId, count }) => [serviceId, count]))
}

export function findBroadcasts(
  read: Read,
  services: readonly ServiceId[],
  ids: readonly DocumentId[],
): Promise<readonly Broadcast[]> {
  return runStatement<Broadcast & Record<string, unknown>>(
    read,
    `select ${BROADCAST} from documents_customer.broadcast where service_id = any($1::uuid[]) and id = any($2::uuid[])`,
    [services, ids],
  )
}

/** False when the broadcast changed or a concurrent read stored its file first. */
export async function setBroadcastFile(
  tx: Tx,
  { serviceId, id, facts }: Broadcast,
  file: StoredFile,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update documents_customer.broadcast set file = $3
    where service_id = $1 and id = $2 and rev = $4 and file is null returning 1`,
    [serviceId, id, JSON.stringify(file), facts.state.rev],
  )
  return rows.length === 1
}

type DeletedBroadcast = { readonly file: StoredFile | null } & Record<string, unknown>

/** Only the region of the service may delete it. */
export function deleteBroadcast(
  tx: Tx,
  { serviceId, companyRegion }: ServiceAddress,
  id: DocumentId,
): Promise<readonly DeletedBroadcast[]> {
  return runStatement<DeletedBroadcast>(
    tx,
    `delete from documents_customer.broadcast where service_id = $1 and id = $2 and company_region = $3 returning file`,
    [serviceId, id, companyRegion],
  )
}

export function deleteBroadcastsOf(tx: Tx, serviceId: ServiceId): Promise<readonly DeletedBroadcast[]> {
  const sql = 'delete from documents_customer.broadcast where service_id = $1 returning file'
  return runStatement<DeletedBroadcast>(tx, sql, [serviceId])
}
