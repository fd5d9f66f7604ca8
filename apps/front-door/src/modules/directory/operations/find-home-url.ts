import { type AccessClaims, accountOfToken } from '@sealpost/access-token'
import type { Platform } from '../../../platform/module.ts'
import { findRegion } from '../../../platform/regions.ts'
import { findHome } from '../store/regions.ts'

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
