import type { ClientId, RegionCode, UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'

const REGION = columns<{ readonly region: RegionCode }>({ region: 'text' })

/** The home region of an account, or of a client's owner. */
export async function findHome(
  read: Read,
  userId: UserId | null,
  clientId: ClientId | null,
): Promise<RegionCode | null> {
  const [row] = await runStatement(
    read,
    `select a.region from directory.account a
    where a.user_id = coalesce($1, (select c.user_id from directory.client c where c.client_id = $2))`,
    [userId, clientId],
    REGION,
  )
  return row?.region ?? null
}

/** FOR SHARE: the account can neither move nor be erased until the transaction ends. */
export async function lockHome(tx: Tx, userId: UserId): Promise<RegionCode | null> {
  const sql = 'select region from directory.account where user_id = $1 and deleted_at is null for share'
  const [row] = await runStatement(tx, sql, [userId], REGION)
  return row?.region ?? null
}

export async function listRegionsOutOfOrder(read: Read): Promise<readonly RegionCode[]> {
  const rows = await runStatement(read, 'select region from directory.region_switch where out_of_order', [], REGION)
  return rows.map((row) => row.region)
}

export async function isFlagged(read: Read, region: RegionCode): Promise<boolean> {
  const sql = 'select 1 from directory.region_switch where region = $1 and out_of_order'
  const rows = await runStatement(read, sql, [region])
  return rows.length > 0
}

export async function flagRegion(tx: Tx, region: RegionCode, outOfOrder: boolean): Promise<void> {
  await runStatement(
    tx,
    `insert into directory.region_switch (region, out_of_order) values ($1, $2)
    on conflict (region) do update set out_of_order = excluded.out_of_order`,
    [region, outOfOrder],
  )
}
