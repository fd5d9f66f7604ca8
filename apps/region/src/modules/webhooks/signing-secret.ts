import { createCryptoPlatform, generateWebhookSecret } from '@sealpost/crypto'
import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, putRecoveryCopy, sealToRecoveryKey } from '../account/index.ts'
import type { OutletName } from '../feed/index.ts'
import type { WebhooksNeeds } from './needs.ts'

const platform = createCryptoPlatform(globalThis)

export interface MadeSecret {
  readonly secret: Secret<string>
  /** Null for a company without a recovery key: its secrets are shown once and never again. */
  readonly recoveryCopy: string | null
}

/** Before the transaction that may use it: sealing to a key is no work for one. */
export async function makeSecret(
  { database }: Pick<WebhooksNeeds, 'database'>,
  companyId: UserId,
): Promise<MadeSecret> {
  const secret = generateWebhookSecret(platform)
  const account = await database.read((read) => findAccount(read, companyId))
  const key = account?.recoveryPublicKey ?? null
  return { secret, recoveryCopy: key === null ? null : await sealToRecoveryKey(key, secret.reveal()) }
}

export async function keepRecoveryCopy(
  tx: Tx,
  { clock, ids }: Pick<WebhooksNeeds, 'clock' | 'ids'>,
  { companyId, webhookId }: OutletName,
  { recoveryCopy: sealed }: MadeSecret,
): Promise<void> {
  if (sealed === null) return
  const copy = { companyId, id: ids.uuid(), kind: 'webhook_secret', refId: webhookId, sealed } as const
  await putRecoveryCopy(tx, { ...copy, at: clock.now() })
}
