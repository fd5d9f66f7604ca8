import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { PluginDescription, RefreshError } from '@sealpost/protocol'
import type { Sealed } from '@sealpost/sealing'
import type { Slice } from '../../../platform/page.ts'
import type { Plugin, PluginId, PluginName } from '../model.ts'

const COLUMNS = `company_id as "companyId", id as "pluginId", base_url as "baseUrl", builtin_key as "builtinKey", token,
  token_key_id as "tokenKeyId", description, round(extract(epoch from refreshed_at) * 1000)::float8 as "refreshedAt",
  last_error as "lastError", round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`

type PluginRow = Omit<Plugin, 'token'> & { readonly token: Buffer | null; readonly tokenKeyId: string | null }

/** False when the company already has a plugin at the address, or the built-in is on. */
export async function insertPlugin(tx: Tx, plugin: Plugin): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into plugins.plugin (company_id, id, base_url, builtin_key, token, token_key_id, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0)) on conflict do nothing returning id`,
    [
      plugin.companyId,
      plugin.pluginId,
      plugin.baseUrl,
      plugin.builtinKey,
      plugin.token?.bytes ?? null,
      plugin.token?.keyId ?? null,
      plugin.createdAt,
    ],
  )
  return rows.length === 1
}

/** Null for an unknown plugin and for another company's. */
export async function findPlugin(read: Read, { companyId, pluginId }: PluginName): Promise<Plugin | null> {
  const sql = `select ${COLUMNS} from plugins.plugin where company_id = $1 and id = $2`
  const [row] = await runStatement<PluginRow & Record<string, unknown>>(read, sql, [companyId, pluginId])
  return row === undefined ? null : toPlugin(row)
}

/** Against changes and deletion until the end of the transaction. */
export async function lockPlugin(tx: Tx, { companyId, pluginId }: PluginName): Promise<Plugin | null> {
  const sql = `select ${COLUMNS} from plugins.plugin where company_id = $1 and id = $2 for update`
  const [row] = await runStatement<PluginRow & Record<string, unknown>>(tx, sql, [companyId, pluginId])
  return row === undefined ? null : toPlugin(row)
}

const PICK = `select ${COLUMNS} from plugins.plugin
  where company_id = $1 and ($2::uuid[] is null or id = any($2)) order by id`

/** Those of the given plugins that the company has; null for all of them. */
export async function pickPlugins(
  read: Read,
  companyId: UserId,
  ids: readonly PluginId[] | null,
): Promise<readonly Plugin[]> {
  const given = ids === null ? null : [...ids]
  const rows = await runStatement<PluginRow & Record<string, unknown>>(read, PICK, [companyId, given])
  return rows.map(toPlugin)
}

/** The same; none of them is deleted or refreshed before the end of the transaction. */
export async function lockPluginsForShare(
  tx: Tx,
  companyId: UserId,
  ids: readonly PluginId[] | null,
): Promise<readonly Plugin[]> {
  const given = ids === null ? null : [...ids]
  const rows = await runStatement<PluginRow & Record<string, unknown>>(tx, `${PICK} for share`, [companyId, given])
  return rows.map(toPlugin)
}

/** Oldest first. */
export async function listPluginRows(
  read: Read,
  companyId: UserId,
  { after, offset, limit }: Slice<PluginId>,
): Promise<readonly Plugin[]> {
  const rows = await runStatement<PluginRow & Record<string, unknown>>(
    read,
    `select ${COLUMNS} from plugins.plugin where company_id = $1 and ($2::uuid is null or id > $2)
    order by id offset $3 limit $4`,
    [companyId, after, offset, limit],
  )
  return rows.map(toPlugin)
}

export async function listBuiltinKeys(read: Read, companyId: UserId): Promise<ReadonlySet<string>> {
  const sql = 'select builtin_key as key from plugins.plugin where company_id = $1 and builtin_key is not null'
  const rows = await runStatement<{ key: string }>(read, sql, [companyId])
  return new Set(rows.map(({ key }) => key))
}

export async function replaceToken(tx: Tx, { companyId, pluginId }: PluginName, token: Sealed | null): Promise<void> {
  const sql = 'update plugins.plugin set token = $3, token_key_id = $4 where company_id = $1 and id = $2'
  await runStatement(tx, sql, [companyId, pluginId, token?.bytes ?? null, token?.keyId ?? null])
}

export async function storeDescription(
  tx: Tx,
  { companyId, pluginId }: PluginName,
  description: PluginDescription,
  at: number,
): Promise<void> {
  await runStatement(
    tx,
    `update plugins.plugin set description = $3, refreshed_at = to_timestamp($4 / 1000.0), last_error = null
    where company_id = $1 and id = $2`,
    [companyId, pluginId, JSON.stringify(description), at],
  )
}

export async function storeLastError(tx: Tx, { companyId, pluginId }: PluginName, error: RefreshError): Promise<void> {
  const sql = 'update plugins.plugin set last_error = $3 where company_id = $1 and id = $2'
  await runStatement(tx, sql, [companyId, pluginId, error])
}

export async function deletePluginRow(tx: Tx, { companyId, pluginId }: PluginName): Promise<void> {
  await runStatement(tx, 'delete from plugins.plugin where company_id = $1 and id = $2', [companyId, pluginId])
}

export async function deletePluginsOf(tx: Tx, companyId: UserId): Promise<void> {
  await runStatement(tx, 'delete from plugins.use where company_id = $1', [companyId])
  await runStatement(tx, 'delete from plugins.plugin where company_id = $1', [companyId])
}

function toPlugin({ token, tokenKeyId, ...row }: PluginRow): Plugin {
  return { ...row, token: token === null || tokenKeyId === null ? null : { keyId: tokenKeyId, bytes: token } }
}
