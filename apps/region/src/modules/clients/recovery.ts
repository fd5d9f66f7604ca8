import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, putRecoveryCopy, sealToRecoveryKey } from '../account/index.ts'
import type { Client } from './client.ts'
import type { ClientsNeeds } from './needs.ts'

/** Null for a company without a recovery key: its secrets are shown once and never again. */
export async function sealForRecovery(
  { database }: Pick<ClientsNeeds, 'database'>,
  companyId: UserId,
  secret: Secret<string>,
): Promise<string | null> {
  const account = await database.read((read) => findAccount(read, companyId))
  const key = account?.recoveryPublicKey ?? null
  return key === null ? null : sealToRecoveryKey(key, secret.reveal())
}

export async function keepRecoveryCopy(
  tx: Tx,
  { clock, ids }: Pick<ClientsNeeds, 'clock' | 'ids'>,
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
