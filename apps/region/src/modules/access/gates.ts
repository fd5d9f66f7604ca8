import type { AccessClaims, TokenVerifier } from '@sealpost/access-token'
import type { Call, Gates, LimitState } from '@sealpost/http'
import type { RegionCode } from '@sealpost/kernel'
import { isWrite, type RateClass, refuse } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'
import { type Caller, kindOfClient } from './caller.ts'
import type { ClientState, Guard } from './guard/index.ts'
import type { Quotas } from './limits.ts'
import { mayReach } from './rules.ts'

export interface GateNeeds {
  readonly region: RegionCode
  readonly guard: Guard
  readonly verifier: TokenVerifier
  readonly quotas: Quotas
  readonly limiter: Limiter
  /** Resolves when every process of the region knows the epoch. */
  raiseEpoch(client: ClientState, epoch: number): Promise<void>
  /** The base address of the account's present home. */
  homeOf(claims: AccessClaims): Promise<string>
}

/** The gates of the region, in the order of [Note: order of gates]. */
export function createGates(needs: GateNeeds): Gates<Caller> {
  return {
    checkPlatform() {
      return then(needs.guard.switches(), (switches) => {
        if (switches.outOfOrder) throw refuse('platform.out_of_order')
      })
    },
    authenticate(call) {
      if (call.bearer === null) throw refuse('auth.token_missing')
      return then(needs.verifier.verify(call.bearer), (claims) => identify(needs, claims))
    },
    checkHome(_call, caller) {
      return caller.client === null ? sendHome(needs, caller.claims) : undefined
    },
    checkAccess(call, caller) {
      const patterns = caller.client?.patterns ?? []
      if (!mayReach(call.path, patterns, caller.kind, call.operation.callers)) {
        throw refuse('auth.client_endpoint_forbidden')
      }
    },
    takeFromLimits(call, caller) {
      const policy = call.operation.rate
      return policy === null ? [] : take(needs, policy, limitKey(call, caller))
    },
    checkWrites(call) {
      if (!isWrite(call.operation)) return undefined
      return then(needs.guard.switches(), (switches) => {
        if (switches.writesPaused) throw refuse('db.writes_paused')
      })
    },
    checkLevel({ operation }) {
      throw new Error(`${operation.id} needs a level, and clients do not carry theirs yet`)
    },
    nameOf: (caller) => caller.claims.clientId,
  }
}

function identify(needs: GateNeeds, claims: AccessClaims): Caller | Promise<Caller> {
  const kind = kindOfClient(claims.clientId)
  if (kind === null) throw refuse('auth.token_invalid')
  return then(needs.guard.findClient(claims.clientId, claims.sessionId), (client) => admit(needs, claims, kind, client))
}

/** A client unknown here is somebody else's when its token names another home, and dead when it names this one. */
function admit(
  needs: GateNeeds,
  claims: AccessClaims,
  kind: Caller['kind'],
  client: ClientState | null,
): Caller | Promise<Caller> {
  const isDead = client === null ? claims.region === needs.region : client.epoch > claims.epoch
  if (isDead) throw refuse('auth.token_invalid')
  if (client !== null && client.epoch < claims.epoch) return catchUp(needs, claims, kind, client)
  return { claims, kind, client }
}

/**
 * The directory signed an epoch that we have not heard of: a revocation was cut off half-way, or this database was
 * restored. Its word is good, so the older tokens end here, too.
 */
async function catchUp(
  needs: GateNeeds,
  claims: AccessClaims,
  kind: Caller['kind'],
  client: ClientState,
): Promise<Caller> {
  const { epoch } = claims
  await needs.raiseEpoch(client, epoch)
  return { claims, kind, client: { ...client, epoch } }
}

async function sendHome(needs: GateNeeds, claims: AccessClaims): Promise<never> {
  throw refuse('region.rebase_required', { api_url: await needs.homeOf(claims) })
}

async function take({ limiter, quotas }: GateNeeds, policy: RateClass, key: string): Promise<readonly LimitState[]> {
  const answer = await limiter.take([{ policy, key, ...quotas[policy], failClosed: policy === 'login' }])
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  return answer.states
}

function limitKey(call: Call, caller: Caller | null): string {
  const client = caller?.client
  if (client === undefined || client === null) return `ip:${call.ip}`
  return client.serviceId === null ? `client:${client.clientId}` : `service:${client.serviceId}`
}

/** Goes on at once when a value is there already: a remembered client must not cost a turn of the event loop. */
function then<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
