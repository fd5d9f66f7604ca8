import { createCryptoPlatform, generateWebhookSecret } from '@sealpost/crypto'
import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, putRecoveryCopy, sealToRecoveryKey } from '../../account/index.ts'
import type { WebhookName } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'

const platform = createCryptoPlatform(globalThis)

export interface GeneratedSecret {
  readonly secret: Secret<string>
  /** Null for a company without a recovery key: its secrets are answered once and cannot be recovered. */
  readonly recoveryCopy: string | null
}

/** Runs before the transaction that may use it: sealing takes too long inside one. */
export async function generateSecret(
  { database }: Pick<WebhooksContext, 'database'>,
  companyId: UserId,
): Promise<GeneratedSecret> {
  const secret = generateWebhookSecret(platform)
  const account = await database.read((read) => findAccount(read, companyId))
  const key = account?.recoveryPublicKey ?? null
  return { secret, recoveryCopy: key === null ? null : await sealToRecoveryKey(key, secret.reveal()) }
}

export async function storeRecoveryCopy(
  { clock, ids }: Pick<WebhooksContext, 'clock' | 'ids'>,
  tx: Tx,
  { companyId, webhookId }: WebhookName,
  { recoveryCopy: sealed }: GeneratedSecret,
): Promise<void> {
  if (sealed === null) return
  const copy = { companyId, id: ids.uuid(), kind: 'webhook_secret', refId: webhookId, sealed } as const
  await putRecoveryCopy(tx, { ...copy, at: clock.now() })
}
