import type { RegionCode } from '@sealpost/kernel'
import { ApiError, confirmRegistrationAsk } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import type { RegisteredAccount } from '../model.ts'
import { listRegistrations } from '../store/registrations.ts'
import { invalid } from './register.ts'
import { takeFromAccount } from './take-from-account.ts'

/** Asks every region that mailed a code to this address lately; for an address without a code, its pretended home. */
export async function confirm(platform: Platform, email: string, code: string): Promise<RegisteredAccount> {
  const { emailHash, region: pretended } = await findAddressee(platform, email)
  await takeFromAccount(platform, emailHash)
  const now = platform.clock.now()
  const mailed = await platform.database.read((read) => listRegistrations(read, emailHash, now))
  const failures: ApiError[] = []
  for (const region of mailed.length === 0 ? [pretended] : mailed) {
    try {
      const account = await confirmIn(platform, region, emailHash, code)
      if (account !== null) return account
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push(error)
    }
  }
  throw failures[0] ?? invalid('/code', 'is not the code of the newest mail, or has expired: request a new one')
}

async function confirmIn(
  platform: Platform,
  region: RegionCode,
  emailHash: string,
  code: string,
): Promise<RegisteredAccount | null> {
  const body = { email_hash: emailHash, code }
  const { account } = await platform.bus.ask(confirmRegistrationAsk, { to: await openParty(platform, region), body })
  if (account === null) return null
  return { id: account.user_id, user_type: account.user_type, share_code: account.share_code, region }
}
