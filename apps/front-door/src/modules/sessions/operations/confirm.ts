import type { RegionCode, Secret } from '@sealpost/kernel'
import { confirmRegistrationAsk } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { sha256 } from '../../../platform/sha256.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import type { RegisteredAccount } from '../model.ts'
import { findPendingRegion } from '../store/registrations.ts'
import { invalid } from './register.ts'

/** How a caller confirms: the code came by mail, the token with the answer to the registration. */
export interface Confirmation {
  readonly email: string
  readonly code: string
  readonly token: Secret<string>
}

/**
 * Asks the region that mailed the code of this registration. Its tries are counted there, per token: tries of others
 * do not use up the owner's.
 */
export async function confirm(platform: Platform, given: Confirmation): Promise<RegisteredAccount> {
  const { emailHash } = await findAddressee(platform, given.email)
  const name = { tokenHash: sha256(given.token.reveal()), emailHash }
  const now = platform.clock.now()
  const region = await platform.database.read((read) => findPendingRegion(read, name, now))
  const account = region === null ? null : await confirmIn(platform, region, name, given.code)
  if (account !== null) return account
  throw invalid('/code', 'is not the code that was mailed for this registration, or has expired: register again')
}

async function confirmIn(
  platform: Platform,
  region: RegionCode,
  { tokenHash, emailHash }: { readonly tokenHash: string; readonly emailHash: string },
  code: string,
): Promise<RegisteredAccount | null> {
  const { account } = await platform.bus.ask(confirmRegistrationAsk, {
    to: await openParty(platform, region),
    body: { token_hash: tokenHash, email_hash: emailHash, code },
  })
  if (account === null) return null
  return { id: account.user_id, user_type: account.user_type, share_code: account.share_code, region }
}
