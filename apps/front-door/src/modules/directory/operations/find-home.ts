import { type AccessClaims, accountOfToken } from '@sealpost/access-token'
import { type Party, parseParty } from '@sealpost/bus'
import type { RegionCode, UserId } from '@sealpost/kernel'
import { type Kdf, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { findRegion } from '../../../platform/regions.ts'
import { hashEmail } from '../hashing/email.ts'
import { pointOfCost, pretendAccount } from '../hashing/pretended-account.ts'
import { findAccountByEmail, findKdfAfter } from '../store/accounts.ts'
import { findHome, isFlagged } from '../store/regions.ts'

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
  // The cost is also drawn for a known address, so that both take the same time.
  const { found, cost } = await database.read(async (read) => ({
    found: await findAccountByEmail(read, emailHash),
    cost: await findKdfAfter(read, pointOfCost(settings, emailHash)),
  }))
  const pretended = pretendAccount(settings, emailHash, cost)
  const { userId, region, kdf } = found ?? pretended
  return { emailHash, userId, region, kdf, isKnown: found !== null }
}

/** The address of the account's home region. For an account that is gone, the region that its token names. */
export async function findHomeUrl(
  platform: Pick<Platform, 'settings' | 'database'>,
  claims: AccessClaims,
): Promise<string> {
  const account = accountOfToken(claims)
  const clientId = account === null ? claims.clientId : null
  const home = await platform.database.read((read) => findHome(read, account, clientId))
  return findRegion(platform, home ?? claims.region)?.apiUrl ?? platform.settings.PUBLIC_URL
}

/** The region as a party to ask. Refuses while it is out of order, without waiting for an ask to time out. */
export async function openParty({ database }: Pick<Platform, 'database'>, region: RegionCode): Promise<Party> {
  if (await database.read((read) => isFlagged(read, region))) throw refuse('platform.out_of_order')
  return parseParty(region)
}
