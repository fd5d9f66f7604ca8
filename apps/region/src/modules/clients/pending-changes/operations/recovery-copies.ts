import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, putRecoveryCopy, sealToRecoveryKey } from '../../../account/index.ts'
import type { ClientsContext } from '../../context.ts'
import type { Client } from '../../model.ts'

/** Null for a company without a recovery key: its secrets cannot be recovered. */
export async function sealForRecovery(
  { database }: ClientsContext,
  companyId: UserId,
  secret: Secret<string>,
): Promise<string | null> {
  const account = await database.read((read) => findAccount(read, companyId))
  const key = account?.recoveryPublicKey ?? null
  return key === null ? null : sealToRecoveryKey(key, secret.reveal())
}

export async function keepRecoveryCopy(
  { clock, ids }: ClientsContext,
  tx: Tx,
  { companyId, clientId, kind }: Client,
  sealed: string,
): Promise<void> {
  await putRecoveryCopy(tx, {
    companyId,
    id: ids.uuid(),
    kind: kind === 'idw' ? 'app_secret' : 'client_secret',
    refId: clientId,
    sealed,
    at: clock.now(),
  })
}
