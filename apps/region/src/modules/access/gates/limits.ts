import { addressBuckets, addressName, type Call, type LimitState } from '@sealpost/http'
import { type RateClass, refuse } from '@sealpost/protocol'
import { checkBucketSize, type LimitAnswer, type Limiter, type TakeRequest } from '@sealpost/redis'
import type { Caller } from '../../../platform/caller.ts'

export interface Quota {
  readonly quota: number
  readonly windowSeconds: number
}

/** A quota per rate class, and finer buckets: `login_account`, `misses` per account and, per service and
 * person, the others. */
export type Quotas = Readonly<
  Record<RateClass | 'login_account' | 'twofa_person' | 'messages_person' | 'misses', Quota>
>

const MINUTE = 60
const HOUR = 3600

export interface QuotaSettings {
  readonly RATE_TOKEN: number
  readonly RATE_CHANGES: number
  readonly RATE_CONNECTIONS: number
  readonly RATE_DATA: number
  readonly RATE_TWOFA: number
  readonly RATE_TWOFA_PERSON: number
  readonly RATE_TWOFA_POLL: number
  readonly RATE_LOGIN_IP: number
  readonly RATE_LOGIN_ACCOUNT: number
  readonly RATE_RESULT: number
  readonly RATE_MESSAGES: number
  readonly RATE_MESSAGES_PERSON: number
  readonly RATE_BROADCAST_HOUR: number
  readonly RATE_MISSES_HOUR: number
}

/** Throws at start-up if a quota cannot be kept exactly. */
export function quotasOf(settings: QuotaSettings): Quotas {
  const quotas: Quotas = {
    token: { quota: settings.RATE_TOKEN, windowSeconds: MINUTE },
    changes: { quota: settings.RATE_CHANGES, windowSeconds: MINUTE },
    connections: { quota: settings.RATE_CONNECTIONS, windowSeconds: MINUTE },
    data: { quota: settings.RATE_DATA, windowSeconds: MINUTE },
    twofa: { quota: settings.RATE_TWOFA, windowSeconds: MINUTE },
    twofa_person: { quota: settings.RATE_TWOFA_PERSON, windowSeconds: MINUTE },
    twofa_poll: { quota: settings.RATE_TWOFA_POLL, windowSeconds: MINUTE },
    login: { quota: settings.RATE_LOGIN_IP, windowSeconds: MINUTE },
    login_account: { quota: settings.RATE_LOGIN_ACCOUNT, windowSeconds: MINUTE },
    result: { quota: settings.RATE_RESULT, windowSeconds: MINUTE },
    messages: { quota: settings.RATE_MESSAGES, windowSeconds: MINUTE },
    messages_person: { quota: settings.RATE_MESSAGES_PERSON, windowSeconds: MINUTE },
    broadcast: { quota: settings.RATE_BROADCAST_HOUR, windowSeconds: HOUR },
    misses: { quota: settings.RATE_MISSES_HOUR, windowSeconds: HOUR },
  }
  Object.values(quotas).forEach(checkBucketSize)
  return quotas
}

/**
 * Takes from the bucket of the operation's class; attempts at passwords and codes also from the account's bucket, messages
 * from that of their connection, which has one service and one customer.
 */
export async function takeFromLimits(
  { limiter, quotas }: { readonly limiter: Limiter; readonly quotas: Quotas },
  { operation, ip, path }: Pick<Call, 'operation' | 'ip' | 'path'>,
  caller: Caller | null,
): Promise<readonly LimitState[]> {
  const { rate: policy } = operation
  if (policy === null) return []
  // One bucket per challenge: the path names it.
  if (policy === 'twofa_poll') {
    const polled = { policy, key: `${ownerOf(ip, caller)}:${path}`, ...quotas.twofa_poll }
    return statesOf(await limiter.take([polled]))
  }
  const requests = requestsFor(quotas, policy, ip, caller)
  return statesOf(
    await limiter.take(policy === 'messages' ? [...requests, ofThread(quotas, ip, path, caller)] : requests),
  )
}

function statesOf(answer: LimitAnswer<RateClass>): readonly LimitState[] {
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  return answer.states
}

function requestsFor(
  quotas: Quotas,
  policy: RateClass,
  ip: string,
  caller: Caller | null,
): readonly TakeRequest<RateClass>[] {
  const { quota, windowSeconds } = quotas[policy]
  const isByAddress = caller === null || policy === 'token' || policy === 'login'
  if (!isByAddress) return [{ policy, key: ownerOf(ip, caller, policy), quota, windowSeconds }]
  const failClosed = policy === 'login'
  const byAddress = addressBuckets(ip).map(({ key, times }) => ({
    policy,
    key,
    quota: quota * times,
    windowSeconds,
    failClosed,
  }))
  return policy === 'login' ? [...byAddress, ...loginOfAccount(quotas, caller)] : byAddress
}

/** The path names the connection. */
function ofThread(quotas: Quotas, ip: string, path: string, caller: Caller | null): TakeRequest<RateClass> {
  return { policy: 'messages', key: `${ownerOf(ip, caller)}:${path}`, ...quotas.messages_person }
}

function loginOfAccount(quotas: Quotas, caller: Caller | null) {
  if (caller === null) return []
  return [{ policy: 'login' as const, key: `account:${caller.userId}`, ...quotas.login_account, failClosed: true }]
}

/** The owner of the calls and of the quota: a service, a client, a user of an app, a user, or an address. */
export function ownerOf(ip: string, caller: Caller | null, policy: RateClass = 'data'): string {
  if (caller === null) return addressName(ip)
  const { kind, client, accountId, userId } = caller
  // Sign-ins through an app of a service must not use up the quota of the service's backend.
  if (kind === 'signin_app') return `app_user:${caller.claims.clientId}:${userId}`
  if (client !== null && client.serviceId !== null) return `service:${client.serviceId}`
  if (policy === 'changes') return `account:${accountId}`
  return client === null ? `user:${userId}` : `client:${client.clientId}`
}
