import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { DelegateRole } from '@sealpost/protocol'
import type { Slice } from '../../../platform/page.ts'
import type { Delegate, DelegateId, DelegateRow } from '../model.ts'

const SERVICES = `coalesce((select array_agg(s.service_id order by s.service_id) from account.delegate_service s
  where s.company_id = d.company_id and s.delegate_id = d.id), '{}')`
const KEYED = `coalesce((select array_agg(s.service_id order by s.service_id) from account.delegate_service s
  where s.company_id = d.company_id and s.delegate_id = d.id and s.sealed is not null), '{}')`
const ROW = `d.id, d.user_id as "userId", d.user_region as "userRegion", d.share_code as "shareCode", d.public_key as "publicKey", d.role,
  (select n.display_name from account.delegate_name n
    where n.company_id = d.company_id and n.user_id = d.user_id) as "displayName",
  ${SERVICES} as services, ${KEYED} as "keyedServices", (extract(epoch from d.created_at) * 1000)::float8 as "createdAt"`

const FIND_DELEGATE = `select d.id, d.role, ${SERVICES} as services
  from account.delegate d where d.company_id = $1 and d.user_id = $2`

/** Read at every call of a delegate, so that a removal takes effect at once. */
export async function findDelegate(read: Read, companyId: UserId, userId: UserId): Promise<Delegate | null> {
  const [row] = await runStatement<Delegate>(read, FIND_DELEGATE, [companyId, userId])
  return row ?? null
}

export async function findDelegateRow(read: Read, companyId: UserId, id: DelegateId): Promise<DelegateRow | null> {
  const sql = `select ${ROW} from account.delegate d where d.company_id = $1 and d.id = $2`
  const [row] = await runStatement<DelegateRow>(read, sql, [companyId, id])
  return row ?? null
}

/** Oldest first. */
export function listDelegateRows(
  read: Read,
  companyId: UserId,
  { after, offset, limit }: Slice,
): Promise<readonly DelegateRow[]> {
  return runStatement<DelegateRow>(
    read,
    `select ${ROW} from account.delegate d where d.company_id = $1 and ($2::uuid is null or d.id > $2)
    order by d.id offset $3 limit $4`,
    [companyId, after, offset, limit],
  )
}

export interface NewDelegate {
  readonly companyId: UserId
  readonly id: DelegateId
  readonly userId: UserId
  readonly userRegion: string
  readonly shareCode: string
  readonly publicKey: string | null
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
  readonly createdAt: Instant
}

/** False when the user is a delegate of the company already. */
export async function insertDelegate(tx: Tx, delegate: NewDelegate): Promise<boolean> {
  const { companyId, id, services } = delegate
  const rows = await runStatement(
    tx,
    `insert into account.delegate (company_id, id, user_id, user_region, share_code, public_key, role, created_at, is_told)
    values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0), true) on conflict do nothing returning id`,
    [
      companyId,
      id,
      delegate.userId,
      delegate.userRegion,
      delegate.shareCode,
      delegate.publicKey,
      delegate.role,
      delegate.createdAt,
    ],
  )
  if (rows.length === 0) return false
  await runStatement(
    tx,
    `insert into account.delegate_service (company_id, delegate_id, service_id)
    select distinct $1::uuid, $2::uuid, service_id from unnest($3::uuid[]) as service_id`,
    [companyId, id, services],
  )
  return true
}

/** FOR UPDATE: two changes of a delegate are told in the order of their commits. Null when there is none. */
export async function lockDelegateRow(tx: Tx, companyId: UserId, id: DelegateId): Promise<DelegateRow | null> {
  const sql = 'select d.id from account.delegate d where d.company_id = $1 and d.id = $2 for update'
  const rows = await runStatement(tx, sql, [companyId, id])
  return rows.length === 0 ? null : findDelegateRow(tx, companyId, id)
}

/** FOR UPDATE, all of a company. */
export async function lockDelegateRows(tx: Tx, companyId: UserId): Promise<readonly DelegateRow[]> {
  const sql = 'select d.id from account.delegate d where d.company_id = $1 order by d.id for update'
  if ((await runStatement(tx, sql, [companyId])).length === 0) return []
  return runStatement<DelegateRow>(tx, `select ${ROW} from account.delegate d where d.company_id = $1 order by d.id`, [
    companyId,
  ])
}

/** Services that stay keep the passphrase that was handed over. */
export async function updateDelegate(
  tx: Tx,
  companyId: UserId,
  id: DelegateId,
  { role, services }: Pick<NewDelegate, 'role' | 'services'>,
): Promise<void> {
  const of = [companyId, id]
  await runStatement(tx, 'update account.delegate set role = $3, is_told = true where company_id = $1 and id = $2', [
    ...of,
    role,
  ])
  await runStatement(
    tx,
    `delete from account.delegate_service
    where company_id = $1 and delegate_id = $2 and service_id <> all($3::uuid[])`,
    [...of, services],
  )
  await runStatement(
    tx,
    `insert into account.delegate_service (company_id, delegate_id, service_id)
    select distinct $1::uuid, $2::uuid, service_id from unnest($3::uuid[]) as service_id on conflict do nothing`,
    [...of, services],
  )
}

/** Of all companies, for the chore that tells what an earlier release did not. */
export async function takeUntold(tx: Tx, limit: number): Promise<readonly { companyId: UserId; id: DelegateId }[]> {
  return runStatement<{ companyId: UserId; id: DelegateId }>(
    tx,
    `update account.delegate d set is_told = true
    where (d.company_id, d.id) in (select u.company_id, u.id from account.delegate u where not u.is_told
      order by u.company_id, u.id limit $1 for update skip locked)
    returning d.company_id as "companyId", d.id`,
    [limit],
  )
}

export async function deleteDelegateRow(tx: Tx, companyId: UserId, id: DelegateId): Promise<void> {
  await runStatement(tx, 'delete from account.delegate where company_id = $1 and id = $2', [companyId, id])
}

/** All of a company. */
export async function deleteDelegatesOf(tx: Tx, companyId: UserId): Promise<void> {
  await runStatement(tx, 'delete from account.delegate where company_id = $1', [companyId])
}

/** For the tell of the user's home region that the account is erased. */
export async function deleteDelegations(tx: Tx, userId: UserId, userRegion: string): Promise<void> {
  await runStatement(tx, 'delete from account.delegate where user_id = $1 and user_region = $2', [userId, userRegion])
}

/** False when the delegate has no access to that service. */
export async function storeDelegateKey(
  tx: Tx,
  companyId: UserId,
  id: DelegateId,
  serviceId: ServiceId,
  sealed: string,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update account.delegate_service set sealed = $4
    where company_id = $1 and delegate_id = $2 and service_id = $3 returning service_id`,
    [companyId, id, serviceId, sealed],
  )
  return rows.length === 1
}

/** The passphrase of a service, sealed to this delegate; null until it was handed over. */
export async function findDelegateKey(
  read: Read,
  companyId: UserId,
  userId: UserId,
  serviceId: ServiceId,
): Promise<string | null> {
  const [row] = await runStatement<{ sealed: string | null }>(
    read,
    `select s.sealed from account.delegate d
      join account.delegate_service s on s.company_id = d.company_id and s.delegate_id = d.id
    where d.company_id = $1 and d.user_id = $2 and s.service_id = $3`,
    [companyId, userId, serviceId],
  )
  return row?.sealed ?? null
}

/** Answers the delegates that had access to it. */
export async function deleteDelegatedService(
  tx: Tx,
  companyId: UserId,
  serviceId: ServiceId,
): Promise<readonly DelegateId[]> {
  const rows = await runStatement<{ id: DelegateId }>(
    tx,
    `delete from account.delegate_service where company_id = $1 and service_id = $2 returning delegate_id as id`,
    [companyId, serviceId],
  )
  return rows.map(({ id }) => id)
}

/** The home region of a delegate; null for any other user. */
export async function findDelegateRegion(read: Read, companyId: UserId, userId: UserId): Promise<string | null> {
  const [row] = await runStatement<{ region: string }>(
    read,
    'select user_region as region from account.delegate where company_id = $1 and user_id = $2',
    [companyId, userId],
  )
  return row?.region ?? null
}
