import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { hashEmail } from '../hashing/email.ts'
import { updateAccount } from '../store/accounts.ts'
import { isEmailTaken, notHome } from './put-account.ts'

export interface GivenAccountChange {
  readonly userId: UserId
  readonly level?: Level | undefined
  readonly email?: string | undefined
  readonly publicKey?: string | undefined
}

/** Changes nothing, and reports `is_email_taken`, when another account has the address. */
export async function changeAccount(
  { settings, clock }: Pick<Platform, 'settings' | 'clock'>,
  tx: Tx,
  from: RegionCode,
  { userId, email, ...change }: GivenAccountChange,
): Promise<{ is_email_taken: boolean; email_hash: string | null }> {
  const emailHash = email === undefined ? undefined : hashEmail(settings.DIRECTORY_KEY, email)
  if (emailHash !== undefined && (await isEmailTaken(tx, emailHash, userId))) {
    return { is_email_taken: true, email_hash: emailHash }
  }
  const isDone = await updateAccount(tx, { userId, region: from }, { ...change, emailHash }, clock.now())
  if (!isDone) throw notHome()
  return { is_email_taken: false, email_hash: emailHash ?? null }
}
