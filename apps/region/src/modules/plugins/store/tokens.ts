import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'
import type { PluginId, PluginName, SealedToken } from '../model.ts'

type TokenRow = PluginName & { readonly token: Buffer; readonly tokenKeyId: string }

export async function listUnderOtherKeys(
  read: Read,
  keyId: string,
  after: PluginId | null,
  limit: number,
): Promise<readonly SealedToken[]> {
  const rows = await runStatement<TokenRow & Record<string, unknown>>(
    read,
    `select company_id as "companyId", id as "pluginId", token, token_key_id as "tokenKeyId" from plugins.plugin
    where token_key_id <> $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [keyId, after, limit],
  )
  return rows.map(({ companyId, pluginId, token, tokenKeyId }) => ({
    companyId,
    pluginId,
    sealed: { keyId: tokenKeyId, bytes: token },
  }))
}

/** False when a concurrent command changed the token or deleted the plugin. */
export async function replaceSealed(
  tx: Tx,
  { companyId, pluginId, sealed }: SealedToken,
  fresh: Sealed,
): Promise<boolean> {
  const replaced = await runStatement(
    tx,
    `update plugins.plugin set token = $4, token_key_id = $5
    where company_id = $1 and id = $2 and token = $3 returning id`,
    [companyId, pluginId, sealed.bytes, fresh.bytes, fresh.keyId],
  )
  return replaced.length > 0
}
