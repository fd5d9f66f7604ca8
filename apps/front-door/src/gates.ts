import type { AccessClaims, TokenVerifier } from '@sealpost/access-token'
import type { Gates, LimitState } from '@sealpost/http'
import { refuse } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'

export interface GateNeeds {
  readonly verifier: TokenVerifier
  /** Requests per minute and source address at the token endpoint. */
  readonly tokenQuota: number
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
    takeFromLimits(call) {
      return call.operation.rate === 'token' ? takeToken(needs, call.ip) : []
    },
    checkWrites() {},
    checkLevel() {},
    nameOf: (claims) => claims.clientId,
  }
}

async function takeToken({ limiter, tokenQuota }: GateNeeds, ip: string): Promise<readonly LimitState[]> {
  const answer = await limiter.take([{ policy: 'token', key: `ip:${ip}`, quota: tokenQuota, windowSeconds: 60 }])
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  return answer.states
}
