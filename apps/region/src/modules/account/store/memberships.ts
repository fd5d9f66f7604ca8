import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { Membership } from '../model.ts'

/** Nothing when the user is erased here, or when another region has told of the same company. */
export async function putMembership(tx: Tx, userId: UserId, membership: Membership): Promise<void> {
  const { companyId, region, displayName, role, services } = membership
  await runStatement(
    tx,
    `insert into account.membership as known (user_id, company_id, region, display_name, role, services)
    select a.id, $2, $3, $4, $5, $6 from account.account a where a.id = $1 for key share
    on conflict (user_id, company_id) do update
      set display_name = excluded.display_name, role = excluded.role, services = excluded.services
      where known.region = excluded.region`,
    [userId, companyId, region, displayName, role, services],
  )
}

/** A region ends memberships of its own companies only. */
export async function deleteMembership(tx: Tx, userId: UserId, companyId: UserId, region: string): Promise<void> {
  await runStatement(tx, 'delete from account.membership where user_id = $1 and company_id = $2 and region = $3', [
    userId,
    companyId,
    region,
  ])
}

/** The companies of all regions for which the user may act, in the order of their ids. */
export function listCompanies(
  read: Read,
  userId: UserId,
): Promise<readonly Pick<Membership, 'companyId' | 'region'>[]> {
  return runStatement<Pick<Membership, 'companyId' | 'region'>>(
    read,
    'select company_id as "companyId", region from account.membership where user_id = $1 order by company_id',
    [userId],
  )
}

/** In the order of the companies' ids. */
export function listMemberships(
  read: Read,
  userId: UserId,
  { after, offset, limit }: Slice,
): Promise<readonly Membership[]> {
  return runStatement<Membership>(
    read,
    `select company_id as "companyId", region, display_name as "displayName", role, services
    from account.membership where user_id = $1 and ($2::uuid is null or company_id > $2)
    order by company_id offset $3 limit $4`,
    [userId, after, offset, limit],
  )
}
