import type { RegionCode, UserId } from '@sealpost/kernel'
import type { Kdf } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { hashEmail } from '../hashing/email.ts'
import { pretendAccount } from '../hashing/pretended-account.ts'
import { findAccountByEmail } from '../store/accounts.ts'

/** The account of an e-mail address, or a pretended one: see [Note: pretended accounts]. */
export interface Addressee {
  readonly emailHash: string
  readonly userId: UserId
  readonly region: RegionCode
  readonly kdf: Kdf
  /** Must not show in an answer. The home region needs it to mail that the address is taken. */
  readonly isKnown: boolean
}

export async function findAddressee(
  { settings, database }: Pick<Platform, 'settings' | 'database'>,
  email: string,
): Promise<Addressee> {
  const emailHash = hashEmail(settings.DIRECTORY_KEY, email)
  const found = await database.read((read) => findAccountByEmail(read, emailHash))
  // Also for a known address, so that both take the same time.
  const pretended = pretendAccount(settings, emailHash)
  const { userId, region, kdf } = found ?? pretended
  return { emailHash, userId, region, kdf, isKnown: found !== null }
}
