import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** The number of open connections of a customer. */
export async function countConnections(read: Read, accountId: UserId): Promise<number> {
  const [row] = await runStatement<{ connections: number }>(
    read,
    'select connections::float8 as connections from connections_customer.customer where account_id = $1',
    [accountId],
  )
  return row?.connections ?? 0
}

/** Locks the row: only after the connections, see the lock order in README.md. */
export async function changeCount(tx: Tx, accountId: UserId, by: number): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_customer.customer as c (account_id, connections, name_rev) values ($1, $2, 0)
    on conflict (account_id) do update set connections = c.connections + excluded.connections`,
    [accountId, by],
  )
}

/** Returns the number of the new name; see [Note: numbers by time]. */
export async function raiseNameRev(tx: Tx, accountId: UserId, now: Instant): Promise<number> {
  const [row] = await runStatement<{ rev: number }>(
    tx,
    `insert into connections_customer.customer as c (account_id, connections, name_rev) values ($1, 0, $2)
    on conflict (account_id) do update set name_rev = greatest(c.name_rev + 1, excluded.name_rev)
    returning name_rev::float8 as rev`,
    [accountId, now],
  )
  if (row === undefined) throw new Error(`no row for customer ${accountId}`)
  return row.rev
}

/** The regions of the customer's services. */
export async function listServiceRegions(read: Read, accountId: UserId): Promise<readonly string[]> {
  const rows = await runStatement<{ region: string }>(
    read,
    `select distinct company_region as region from connections_customer.connection
    where account_id = $1 and state = 'open' order by company_region`,
    [accountId],
  )
  return rows.map(({ region }) => region)
}

export async function deleteCustomer(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from connections_customer.customer where account_id = $1', [accountId])
}

/** The account keys of the companies among these that the customer is connected to. */
export async function listCompanyKeys(
  read: Read,
  accountId: UserId,
  companyIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const rows = await runStatement<{ companyId: UserId; publicKey: string }>(
    read,
    `select distinct company_id as "companyId", company_public_key as "publicKey" from connections_customer.connection
    where account_id = $1 and company_id = any($2) and state = 'open' and company_public_key is not null`,
    [accountId, companyIds],
  )
  return new Map(rows.map(({ companyId, publicKey }) => [companyId, publicKey]))
}
