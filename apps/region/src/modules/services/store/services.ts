import type { PassphraseWrap } from '@sealpost/crypto'
import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { Service, ServiceKeys, ServiceName } from '../model.ts'

export const SERVICE = `company_id as "companyId", id, name, share_code as "shareCode", admin_email as "adminEmail", audience,
  number_matching as "numberMatching", require_2fa as "require2fa", public_key as "publicKey", rev::float8 as rev,
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`
const FIND = `select ${SERVICE} from services.service where company_id = $1 and id = $2 and state = 'active'`

/** Null for an unknown service, another company's, and one that is being deleted. */
export async function findService(read: Read, companyId: UserId, id: ServiceId): Promise<Service | null> {
  const [row] = await runStatement<Service>(read, FIND, [companyId, id])
  return row ?? null
}

export async function findServiceByCode(read: Read, companyId: UserId, code: string): Promise<Service | null> {
  const sql = `select ${SERVICE} from services.service where company_id = $1 and share_code = $2 and state = 'active'`
  const [row] = await runStatement<Service>(read, sql, [companyId, code])
  return row ?? null
}

/**
 * [Note: held services] A transaction that adds a connection or writes to one of its slots locks the service FOR SHARE, so
 * that its rows stay unchanged until the transaction ends: a later job that removes rows, or the service, then finds
 * everything that was written. A transaction that changes the service locks it FOR UPDATE.
 */
export async function lockServiceForShare(tx: Tx, companyId: UserId, id: ServiceId): Promise<Service | null> {
  const [row] = await runStatement<Service>(tx, `${FIND} for share`, [companyId, id])
  return row ?? null
}

/** FOR UPDATE: see [Note: held services]. */
export async function lockService(tx: Tx, companyId: UserId, id: ServiceId): Promise<Service | null> {
  const [row] = await runStatement<Service>(tx, `${FIND} for update`, [companyId, id])
  return row ?? null
}

export async function ownsServices(read: Read, companyId: UserId, ids: readonly ServiceId[]): Promise<boolean> {
  return (await pickServices(read, companyId, ids)).size === new Set(ids).size
}

/** The ids of those that are services of the company. */
export async function pickServices(
  read: Read,
  companyId: UserId,
  ids: readonly ServiceId[],
): Promise<ReadonlySet<ServiceId>> {
  const sql = `select id from services.service where company_id = $1 and id = any($2::uuid[]) and state = 'active'`
  const rows = await runStatement<{ id: ServiceId }>(read, sql, [companyId, [...new Set(ids)]])
  return new Set(rows.map(({ id }) => id))
}

export type InsertedService = Service & ServiceKeys

/** False when the id, the code or the key is taken. */
export async function insertService(tx: Tx, service: InsertedService): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into services.service (company_id, id, name, share_code, admin_email, audience, number_matching, require_2fa,
      public_key, encrypted_private_key, rev, state, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', to_timestamp($12 / 1000.0))
    on conflict do nothing returning id`,
    [
      service.companyId,
      service.id,
      service.name,
      service.shareCode,
      service.adminEmail,
      service.audience,
      service.numberMatching,
      service.require2fa,
      service.publicKey,
      service.encryptedPrivateKey,
      service.rev,
      service.createdAt,
    ],
  )
  return rows.length === 1
}

/** Including the codes of services that are being deleted. */
export async function listCodes(read: Read, companyId: UserId): Promise<readonly string[]> {
  const sql = `select share_code as code from services.service where company_id = $1`
  return (await runStatement<{ code: string }>(read, sql, [companyId])).map(({ code }) => code)
}

/** True also when a service that is being deleted, or a deleted one with evidence, has the key. */
export async function isKeyTaken(read: Read, companyId: UserId, publicKey: string): Promise<boolean> {
  const sql = `select 1 from services.service where company_id = $1 and public_key = $2
    union all select 1 from services.deleted_service where company_id = $1 and public_key = $2`
  return (await runStatement(read, sql, [companyId, publicKey])).length > 0
}

export async function findPrivateKey(
  read: Read,
  { companyId, serviceId }: ServiceName,
): Promise<PassphraseWrap | null> {
  const [row] = await runStatement<{ wrap: PassphraseWrap }>(
    read,
    `select encrypted_private_key as wrap from services.service
    where company_id = $1 and id = $2 and state = 'active'`,
    [companyId, serviceId],
  )
  return row?.wrap ?? null
}

export type Changeable = Pick<
  Service,
  'name' | 'audience' | 'shareCode' | 'adminEmail' | 'numberMatching' | 'require2fa' | 'rev'
>

/** False when another service of the company has the code. */
export async function updateService(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  { name, audience, shareCode, adminEmail, numberMatching, require2fa, rev }: Changeable,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update services.service s set name = $3, audience = $4, share_code = $5, admin_email = $6, number_matching = $7,
      require_2fa = $8, rev = $9
    where s.company_id = $1 and s.id = $2 and not exists (
      select 1 from services.service o where o.company_id = $1 and o.share_code = $5 and o.id <> $2)
    returning s.id`,
    [companyId, serviceId, name, audience, shareCode, adminEmail, numberMatching, require2fa, rev],
  )
  return rows.length === 1
}

/** See [Note: numbers by time]. */
export async function raiseRev(tx: Tx, { companyId, serviceId }: ServiceName, now: Instant): Promise<void> {
  const sql = 'update services.service set rev = greatest(rev + 1, $3::bigint) where company_id = $1 and id = $2'
  await runStatement(tx, sql, [companyId, serviceId, now])
}

/** Oldest first; `only` null: all services of the company. */
export function listServiceRows(
  read: Read,
  companyId: UserId,
  only: readonly ServiceId[] | null,
  { after, offset, limit }: Slice,
): Promise<readonly Service[]> {
  return runStatement<Service>(
    read,
    `select ${SERVICE} from services.service where company_id = $1 and state = 'active'
      and ($2::uuid[] is null or id = any($2)) and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [companyId, only, after, offset, limit],
  )
}

/** FOR UPDATE, in the order of their ids. */
export function lockServicesOf(tx: Tx, companyId: UserId): Promise<readonly Service[]> {
  const sql = `select ${SERVICE} from services.service where company_id = $1 and state = 'active' order by id for update`
  return runStatement<Service>(tx, sql, [companyId])
}

export async function markDeleting(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  const sql = `update services.service set state = 'deleting' where company_id = $1 and id = $2`
  await runStatement(tx, sql, [companyId, serviceId])
}

/** Those of a delegate, or all. None that is being deleted. */
export async function listServiceIds(
  read: Read,
  companyId: UserId,
  only: readonly ServiceId[] | null,
): Promise<readonly ServiceId[]> {
  const rows = await runStatement<{ id: ServiceId }>(
    read,
    `select id from services.service where company_id = $1 and state = 'active' and ($2::uuid[] is null or id = any($2))`,
    [companyId, only],
  )
  return rows.map(({ id }) => id)
}

export async function countServices(read: Read, companyId: UserId): Promise<number> {
  const sql = 'select services from services.company where company_id = $1'
  const [row] = await runStatement<{ services: number }>(read, sql, [companyId])
  return row?.services ?? 0
}

/** Also locks the counter row of the company. */
export async function changeCount(tx: Tx, companyId: UserId, by: number): Promise<void> {
  await runStatement(
    tx,
    `insert into services.company as c (company_id, services) values ($1, greatest($2::integer, 0))
    on conflict (company_id) do update set services = c.services + $2`,
    [companyId, by],
  )
}

/** Whether the job of its deletion has not ended. */
export async function isDeleting(tx: Tx, { companyId, serviceId }: ServiceName): Promise<boolean> {
  const sql = `select 1 from services.service where company_id = $1 and id = $2 and state = 'deleting'`
  return (await runStatement(tx, sql, [companyId, serviceId])).length > 0
}

/** Deletes all rows of the service except its log, its jobs and the copy that `keepService` made. */
export async function deleteServiceRows(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  const owner = [companyId, serviceId]
  await runStatement(tx, 'delete from services.request_row where company_id = $1 and service_id = $2', owner)
  await runStatement(tx, 'delete from services.share_field where company_id = $1 and service_id = $2', owner)
  await runStatement(tx, 'delete from services.share_photo where company_id = $1 and service_id = $2', owner)
  await runStatement(tx, 'delete from services.service where company_id = $1 and id = $2', owner)
}
