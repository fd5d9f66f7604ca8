import type { AccessClaims, TokenVerifier } from '@sealpost/access-token'
import type { Gates } from '@sealpost/http'
import type { RegionCode } from '@sealpost/kernel'
import { type Capability, isWrite, levelError, refuse } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'
import type { Caller } from '../../../platform/caller.ts'
import type { ClientState, Guard } from '../guard/index.ts'
import { isLevelReached, validateAccess } from '../rules/access.ts'
import { missingCapability } from '../rules/capabilities.ts'
import type { Home } from './home.ts'
import { identify, whenKnown } from './identify.ts'
import { ownerOf, type Quotas, takeFromLimits } from './limits.ts'

export interface GateOptions {
  readonly region: RegionCode
  readonly guard: Guard
  readonly verifier: TokenVerifier
  readonly quotas: Quotas
  readonly limiter: Limiter
  /** Resolves when every process of the region knows the epoch. */
  raiseEpoch(client: ClientState, epoch: number): Promise<void>
  /** The account's present home. */
  readonly homeOf: (claims: AccessClaims) => Promise<Home>
}

/** The gates of the region, in the order of [Note: order of gates]. */
export function createGates(options: GateOptions): Gates<Caller> {
  return {
    checkPlatform() {
      return whenKnown(options.guard.switches(), (switches) => {
        if (switches.outOfOrder) throw refuse('platform.out_of_order')
      })
    },
    authenticate(call) {
      if (call.bearer === null) throw refuse('auth.token_missing')
      return whenKnown(options.verifier.verify(call.bearer), (claims) => identify(options, claims))
    },
    // `identify` calls `checkHome` of home.ts for a caller unknown here: no other gate stands between the two.
    checkHome() {},
    checkAccess({ operation, path }, caller) {
      const verdict = validateAccess(caller, { path, operation })
      if (verdict === 'company_data.no_client') throw refuse(verdict)
      if (verdict !== 'granted') throw refuse(verdict, missingOf(caller, path))
    },
    ownerOf: ({ ip }, caller) => ownerOf(ip, caller),
    takeFromLimits: (call, caller) => takeFromLimits(options, call, caller),
    checkWrites(call) {
      if (!isWrite(call.operation) || call.operation.ignoresPause === true) return undefined
      return whenKnown(options.guard.switches(), (switches) => {
        if (switches.writesPaused) throw refuse('db.writes_paused')
      })
    },
    checkLevel({ operation }, caller) {
      const { level } = operation
      if (level === undefined || isLevelReached(caller.level, level)) return
      if (levelError(operation) === 'messages.messaging_not_entitled') throw refuse('messages.messaging_not_entitled')
      throw refuse('account.level_required', { required_level: level })
    },
    nameOf: nameOfCaller,
  }
}

function missingOf({ kind, client }: Caller, path: string): { readonly required_capability?: Capability } {
  const missing = kind === 'account_client' && client !== null ? missingCapability(client.patterns, path) : null
  return missing === null ? {} : { required_capability: missing }
}

/** The caller's name in logs and idempotency records: unique per account, and per user of an app. */
function nameOfCaller({ claims, client, kind, accountId, userId }: Caller): string {
  switch (kind) {
    case 'service_client':
    case 'account_client':
      return client?.clientId ?? claims.clientId
    case 'signin_app':
      return `${claims.clientId}/${claims.subject}`
    case 'portal':
    case 'person':
      return `user:${userId}`
    case 'delegate':
      return `user:${userId}@${accountId}`
  }
}
