import type { RateClass } from '@sealpost/protocol'
import { checkBucketSize } from '@sealpost/redis'

export interface Quota {
  readonly quota: number
  readonly windowSeconds: number
}

export type Quotas = Readonly<Record<RateClass, Quota>>

const MINUTE = 60
const HOUR = 3600

export interface QuotaSettings {
  readonly RATE_TOKEN: number
  readonly RATE_CHANGES: number
  readonly RATE_CONNECTIONS: number
  readonly RATE_DATA: number
  readonly RATE_TWOFA: number
  readonly RATE_TWOFA_POLL: number
  readonly RATE_LOGIN_IP: number
  readonly RATE_RESULT: number
  readonly RATE_MESSAGES: number
  readonly RATE_BROADCAST_HOUR: number
}

/** Throws when a quota cannot be kept exactly, so that a bad setting is found at the start. */
export function quotasOf(settings: QuotaSettings): Quotas {
  const quotas: Quotas = {
    token: { quota: settings.RATE_TOKEN, windowSeconds: MINUTE },
    changes: { quota: settings.RATE_CHANGES, windowSeconds: MINUTE },
    connections: { quota: settings.RATE_CONNECTIONS, windowSeconds: MINUTE },
    data: { quota: settings.RATE_DATA, windowSeconds: MINUTE },
    twofa: { quota: settings.RATE_TWOFA, windowSeconds: MINUTE },
    twofa_poll: { quota: settings.RATE_TWOFA_POLL, windowSeconds: MINUTE },
    login: { quota: settings.RATE_LOGIN_IP, windowSeconds: MINUTE },
    result: { quota: settings.RATE_RESULT, windowSeconds: MINUTE },
    messages: { quota: settings.RATE_MESSAGES, windowSeconds: MINUTE },
    broadcast: { quota: settings.RATE_BROADCAST_HOUR, windowSeconds: HOUR },
  }
  Object.values(quotas).forEach(checkBucketSize)
  return quotas
}
