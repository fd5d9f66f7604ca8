import { type AccessClaims, isCommand, isFirstParty } from '@sealpost/access-token'
import { addressName, type Call, type Gates } from '@sealpost/http'
import { refuse } from '@sealpost/protocol'
import { bucketsOfAddress, takeFromBuckets } from './limits.ts'
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
  const { RATE_TOKEN, RATE_DATA, RATE_LOGIN_IP, RATE_RESULT } = platform.settings
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
    ownerOf: (call, caller) => (caller === null ? addressName(call.ip) : ownerOf(caller)),
    takeFromLimits(call, caller) {
      const { rate } = call.operation
      if (rate === 'data' && caller !== null) {
        return takeFromBuckets(platform, [{ policy: rate, key: ownerOf(caller), quota: RATE_DATA }])
      }
      if (rate === 'login') return takeFromBuckets(platform, bucketsOfAddress(rate, call.ip, RATE_LOGIN_IP))
      if (rate === 'token') {
        return takeFromBuckets(platform, bucketsOfAddress(rate, call.ip, RATE_TOKEN, prefixOf(call)))
      }
      if (rate === 'result') {
        return takeFromBuckets(platform, bucketsOfAddress(rate, call.ip, RATE_RESULT * POLLS_OF_AN_ADDRESS))
      }
      return []
    },
    checkWrites() {},
    checkLevel() {},
    nameOf: nameOfCaller,
  }
}

function nameOfCaller(claims: AccessClaims): string {
  if (isFirstParty(claims)) return `user:${claims.subject}`
  return isCommand(claims) ? `${claims.clientId}/${claims.subject}` : claims.clientId
}

function ownerOf({ clientId, subject }: AccessClaims): string {
  return `app_user:${clientId}:${subject}`
}

/** Browsers have buckets of their own, apart from backends behind the same address. */
function prefixOf({ operation }: Call): string {
  if (operation.path.startsWith('/api/session')) return 'session:'
  return operation.path === '/oauth2/authorize' ? `authorize:${operation.method}:` : ''
}

/** A backend polls for many persons at once. Each state has a limit of its own; this one bounds unknown clients. */
const POLLS_OF_AN_ADDRESS = 50
