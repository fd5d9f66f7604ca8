import { type AccessClaims, isFirstParty, type TokenVerifier } from '@sealpost/access-token'
import type { Call, Gates, LimitState } from '@sealpost/http'
import { type RateClass, refuse } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'

export interface GateNeeds {
  readonly verifier: TokenVerifier
  /** Requests per minute and source address at the token endpoint. */
  readonly tokenQuota: number
  /** Reads per minute, app and person, of what is served here. */
  readonly dataQuota: number
  /** Logins per minute and source address. */
  readonly loginQuota: number
  readonly limiter: Limiter
  /** The base address of the account's home. */
  homeOf(claims: AccessClaims): Promise<string>
}

/**
 * The gates of the front door. It serves nobody's data: a caller with a good token is sent home, so the gates behind
 * `checkHome` are never reached with a caller.
 */
export function createGates(needs: GateNeeds): Gates<AccessClaims> {
  return {
    checkPlatform() {},
    authenticate(call) {
      if (call.bearer === null) throw refuse('auth.token_missing')
      return needs.verifier.verify(call.bearer)
    },
    async checkHome(_call, claims) {
      throw refuse('region.rebase_required', { api_url: await needs.homeOf(claims) })
    },
    checkAccess() {},
    takeFromLimits(call, caller) {
      const { rate } = call.operation
      if (rate === 'data' && caller !== null) {
        const key = `app_user:${caller.clientId}:${caller.subject}`
        return take(needs, { policy: rate, key, quota: needs.dataQuota })
      }
      if (rate === 'login') return take(needs, { policy: rate, key: `ip:${call.ip}`, quota: needs.loginQuota })
      return rate === 'token' ? take(needs, { policy: rate, key: tokenKey(call), quota: needs.tokenQuota }) : []
    },
    checkWrites() {},
    checkLevel() {},
    nameOf: (claims) => (isFirstParty(claims) ? `user:${claims.subject}` : claims.clientId),
  }
}

interface Taken {
  readonly policy: RateClass
  readonly key: string
  readonly quota: number
}

/** Guessing passwords must stay slow whatever breaks: logins fail closed. */
async function take({ limiter }: GateNeeds, taken: Taken): Promise<readonly LimitState[]> {
  const answer = await limiter.take([{ ...taken, windowSeconds: 60, failClosed: taken.policy === 'login' }])
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  return answer.states
}

/** Browsers that renew a session do not take from what the backends of the same address have. */
function tokenKey({ operation, ip }: Call): string {
  return operation.path.startsWith('/api/session') ? `session:ip:${ip}` : `ip:${ip}`
}
