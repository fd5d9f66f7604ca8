import type { ClientId, UserId } from '@sealpost/kernel'
import { ApiError } from '@sealpost/protocol'
import type { JWK } from 'jose'
import type { AccessContext } from '../context.ts'
import { applyEpoch } from '../guard/index.ts'
import { listStoredKeys, replaceStoredKeys } from '../store/signing-keys.ts'

/** The directory's published keys; while it cannot be reached, the stored copy of the last ones. */
export async function loadSigningKeys({
  database,
  directory,
  log,
}: Pick<AccessContext, 'database' | 'directory' | 'log'>): Promise<readonly JWK[]> {
  try {
    const keys = await directory.listSigningKeys()
    await database.transaction((tx) => replaceStoredKeys(tx, keys))
    return keys
  } catch (error) {
    const stored = await database.read(listStoredKeys)
    if (!(error instanceof ApiError) || stored.length === 0) throw error
    log.warn({ error_key: error.key }, 'the directory cannot be reached: tokens are verified with the stored keys')
    return stored
  }
}

/** Ends all tokens of a client. Resolves when no process of the home region accepts one. */
export async function revokeClientTokens(access: AccessContext, companyId: UserId, clientId: ClientId): Promise<void> {
  const { epoch } = await access.directory.raiseEpoch({ clientId, userId: companyId })
  await applyEpoch(access, companyId, clientId, epoch)
}
