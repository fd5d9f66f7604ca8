import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** As the home of the user tells it. Nothing for a user who never was a delegate of the company. */
export async function putDelegateName(
  tx: Tx,
  companyId: UserId,
  userId: UserId,
  { region, displayName }: { readonly region: string; readonly displayName: string },
): Promise<void> {
  await runStatement(
    tx,
    `insert into account.delegate_name as known (company_id, user_id, user_region, display_name)
    select d.company_id, d.user_id, d.user_region, $4 from account.delegate d
      where d.company_id = $1 and d.user_id = $2 and d.user_region = $3
    on conflict (company_id, user_id) do update set display_name = excluded.display_name
      where known.company_id = $1 and known.user_region = excluded.user_region`,
    [companyId, userId, region, displayName],
  )
}

/** Of those actors of a company's log that are the company itself or were its delegates. */
export async function findUserNames(
  read: Read,
  companyId: UserId,
  actorIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await runStatement<{ id: string; name: string }>(
    read,
    `select n.user_id as id, n.display_name as name from account.delegate_name n
      where n.company_id = $1 and n.user_id::text = any($2::text[])
    union all select a.id, a.display_name from account.account a where a.id = $1`,
    [companyId, actorIds],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** For the tell of the user's home region that the account is erased. */
export async function deleteNamesOf(tx: Tx, userId: UserId, userRegion: string): Promise<void> {
  await runStatement(tx, 'delete from account.delegate_name where user_id = $1 and user_region = $2', [
    userId,
    userRegion,
  ])
}
