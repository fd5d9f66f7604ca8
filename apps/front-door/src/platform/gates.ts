import { type AccessClaims, isFirstParty } from '@sealpost/access-token'
import type { Call, Gates } from '@sealpost/http'
import { refuse } from '@sealpost/protocol'
import { takeFromBuckets } from './limits.ts'
import type { Platform } from './module.ts'

/**
 * The gates of the front door. It serves no account's data: `checkHome` sends every caller with a valid token to the
 * home region, so the gates after it are reached only by routes that override it.
 */
export function createGates(
  platform: Pick<Platform, 'settings' | 'limiter' | 'verifier'>,
  /** The base address of the account's home region. */
  homeOf: (claims: AccessClaims) => Promise<string>,
): Gates<AccessClaims> {
  const { RATE_TOKEN, RATE_DATA, RATE_LOGIN_IP } = platform.settings
  return {
    checkPlatform() {},
    authenticate(call) {
      if (call.bearer === null) throw refuse('auth.token_missing')
      return platform.verifier.verify(call.bearer)
    },
    async checkHome(_call, claims) {
      throw refuse('region.rebase_required', { api_url: await homeOf(claims) })
    },
    checkAccess() {},
    takeFromLimits(call, caller) {
      const { rate } = call.operation
      if (rate === 'data' && caller !== null) {
        const key = `app_user:${caller.clientId}:${caller.subject}`
        return takeFromBuckets(platform, [{ policy: rate, key, quota: RATE_DATA }])
      }
      if (rate === 'login') {
        return takeFromBuckets(platform, [{ policy: rate, key: `ip:${call.ip}`, quota: RATE_LOGIN_IP }])
      }
      if (rate === 'token') {
        return takeFromBuckets(platform, [{ policy: rate, key: tokenKey(call), quota: RATE_TOKEN }])
      }
      return []
    },
    checkWrites() {},
    checkLevel() {},
    nameOf: (claims) => (isFirstParty(claims) ? `user:${claims.subject}` : claims.clientId),
  }
}

/** Session refreshes of browsers have a bucket of their own, apart from backends behind the same address. */
function tokenKey({ operation, ip }: Call): string {
  return operation.path.startsWith('/api/session') ? `session:ip:${ip}` : `ip:${ip}`
}
