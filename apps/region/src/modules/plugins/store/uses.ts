import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { NewUse, PluginId, PluginUse, UseOwner } from '../model.ts'

interface FoundUse extends PluginUse {
  readonly pluginId: PluginId
}

/** By kind and name. */
export async function listUses(
  read: Read,
  companyId: UserId,
  ids: readonly PluginId[],
): Promise<ReadonlyMap<PluginId, readonly PluginUse[]>> {
  const rows = await runStatement<FoundUse & Record<string, unknown>>(
    read,
    `select plugin_id as "pluginId", kind, ref_id as id, name from plugins.use
    where company_id = $1 and plugin_id = any($2::uuid[]) order by kind, name, ref_id`,
    [companyId, [...ids]],
  )
  const uses = new Map<PluginId, PluginUse[]>(ids.map((id) => [id, []]))
  for (const { pluginId, kind, id, name } of rows) uses.get(pluginId)?.push({ kind, id, name })
  return uses
}

export async function deleteUses(tx: Tx, { companyId, kind, ownerId, id }: UseOwner): Promise<void> {
  const sql = `delete from plugins.use where company_id = $1 and kind = $2 and used_by = $3
    and ($4::text is null or ref_id = $4)`
  await runStatement(tx, sql, [companyId, kind, ownerId, id])
}

export async function deleteUsesOf(tx: Tx, companyId: UserId, ownerId: string): Promise<void> {
  await runStatement(tx, 'delete from plugins.use where company_id = $1 and used_by = $2', [companyId, ownerId])
}

export async function insertUses(
  tx: Tx,
  { companyId, kind, ownerId }: UseOwner,
  uses: readonly NewUse[],
): Promise<void> {
  await runStatement(
    tx,
    `insert into plugins.use (company_id, plugin_id, kind, used_by, ref_id, name)
    select $1, u.plugin_id, $2, $3, u.ref_id, u.name
    from unnest($4::uuid[], $5::text[], $6::text[]) as u (plugin_id, ref_id, name)
    on conflict do nothing`,
    [
      companyId,
      kind,
      ownerId,
      uses.map(({ pluginId }) => pluginId),
      uses.map(({ id }) => id),
      uses.map(({ name }) => name),
    ],
  )
}
