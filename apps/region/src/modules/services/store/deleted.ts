import type { PassphraseWrap } from '@sealpost/crypto'
import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { DeletedService, ServiceName } from '../model.ts'
import { SERVICE } from './services.ts'

const DELETED = `${SERVICE}, round(extract(epoch from deleted_at) * 1000)::float8 as "deletedAt"`

/** Copies the row of the service; does nothing when the copy is there. */
export async function keepService(tx: Tx, { companyId, serviceId }: ServiceName, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into services.deleted_service (company_id, id, name, share_code, admin_email, audience, number_matching,
      require_2fa, public_key, encrypted_private_key, rev, created_at, deleted_at)
    select s.company_id, s.id, s.name, s.share_code, s.admin_email, s.audience, s.number_matching, s.require_2fa,
      s.public_key, s.encrypted_private_key, s.rev, s.created_at, to_timestamp($3 / 1000.0)
    from services.service s where s.company_id = $1 and s.id = $2
    on conflict do nothing`,
    [companyId, serviceId, at],
  )
}

/** Null for an unknown service, another company's, and one that is not deleted. */
export async function findDeletedService(read: Read, companyId: UserId, id: ServiceId): Promise<DeletedService | null> {
  const sql = `select ${DELETED} from services.deleted_service where company_id = $1 and id = $2`
  const [row] = await runStatement<DeletedService & Record<string, unknown>>(read, sql, [companyId, id])
  return row ?? null
}

/** FOR UPDATE: deletions of its documents and runs follow each other, and one of them finds nothing left. */
export async function lockDeletedService(tx: Tx, { companyId, serviceId }: ServiceName): Promise<boolean> {
  const sql = 'select 1 from services.deleted_service where company_id = $1 and id = $2 for update'
  return (await runStatement(tx, sql, [companyId, serviceId])).length === 1
}

export async function findDeletedPrivateKey(
  read: Read,
  { companyId, serviceId }: ServiceName,
): Promise<PassphraseWrap | null> {
  const sql = `select encrypted_private_key as wrap from services.deleted_service where company_id = $1 and id = $2`
  const [row] = await runStatement<{ wrap: PassphraseWrap }>(read, sql, [companyId, serviceId])
  return row?.wrap ?? null
}

/** Oldest first; `only` null: all deleted services of the company. */
export function listDeletedRows(
  read: Read,
  companyId: UserId,
  only: readonly ServiceId[] | null,
  { after, offset, limit }: Slice,
): Promise<readonly DeletedService[]> {
  return runStatement<DeletedService & Record<string, unknown>>(
    read,
    `select ${DELETED} from services.deleted_service where company_id = $1
      and ($2::uuid[] is null or id = any($2)) and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [companyId, only, after, offset, limit],
  )
}

export async function forgetDeletedService(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  const sql = 'delete from services.deleted_service where company_id = $1 and id = $2'
  await runStatement(tx, sql, [companyId, serviceId])
}

/** Of all deleted services of the company; answers their ids. */
export async function forgetDeletedServices(tx: Tx, companyId: UserId): Promise<readonly ServiceId[]> {
  const sql = 'delete from services.deleted_service where company_id = $1 returning id'
  return (await runStatement<{ id: ServiceId }>(tx, sql, [companyId])).map(({ id }) => id)
}
