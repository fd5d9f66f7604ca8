import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement } from '@sealpost/postgres'

/** The objects that the vault refers to; across accounts, in the order of keys, for commands of an operator. */
export async function listVaultObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    read,
    `(select object_key as key from vault.value where object_key > $1 order by 1 limit $2)
    union all (select object_key from vault.staged_share where object_key > $1 order by 1 limit $2)
    union all (select full_key from vault.photo where full_key > $1 order by 1 limit $2)
    union all (select card_key from vault.photo where card_key > $1 order by 1 limit $2)
    order by 1 limit $2`,
    [after, limit],
  )
  return rows.map(({ key }) => key)
}
