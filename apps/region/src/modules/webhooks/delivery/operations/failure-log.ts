import { createBoundedCache, type UserId, type WebhookId } from '@sealpost/kernel'
import type { Log } from '@sealpost/telemetry'
import type { SendKind } from '../../../feed/index.ts'
import type { Attempt } from '../model.ts'

/** A delivery that failed. Nothing of its content: neither URL nor body, headers or values. */
export interface FailedDelivery {
  readonly name: { readonly companyId: UserId; readonly webhookId: WebhookId }
  /** `field_updated` and its like. */
  readonly event: string
  readonly kind: SendKind
  readonly attempt: Pick<Attempt, 'errorClass' | 'httpStatus'>
}

export interface FailureLog {
  failed(delivery: FailedDelivery): void
  /** The attempts of the webhook are counted anew. */
  delivered(webhookId: WebhookId): void
}

interface Failures {
  /** Failed attempts in a row that this process made. */
  readonly attempts: number
  readonly lineAtMs: number
  /** Since the last line. */
  readonly unlogged: number
}

/** Of one webhook: a receiver that is gone is probed again and again. */
const LINE_EVERY_MS = 60_000
/** Of all webhooks: a network that is gone fails every one of them. */
const LINES_PER_MINUTE = 60
const WEBHOOKS_KNOWN = 10_000

/**
 * One line for the first failure of a webhook and then at most one a minute, with the number of those between. The log of
 * deliveries has every attempt, and `webhook_deliveries_total` counts them.
 */
export function openFailureLog(log: Log, monotonicMs: () => number): FailureLog {
  const known = createBoundedCache<WebhookId, Failures>({ most: WEBHOOKS_KNOWN })
  let minute = { startMs: Number.NEGATIVE_INFINITY, lines: 0 }

  function mayWrite(nowMs: number): boolean {
    if (nowMs - minute.startMs >= LINE_EVERY_MS) minute = { startMs: nowMs, lines: 0 }
    minute = { ...minute, lines: minute.lines + 1 }
    return minute.lines <= LINES_PER_MINUTE
  }

  return {
    failed({ name: { webhookId, companyId }, event, kind, attempt }) {
      const nowMs = monotonicMs()
      const before = known.get(webhookId) ?? { attempts: 0, lineAtMs: Number.NEGATIVE_INFINITY, unlogged: 0 }
      const attempts = before.attempts + 1
      if (nowMs - before.lineAtMs < LINE_EVERY_MS || !mayWrite(nowMs)) {
        known.set(webhookId, { ...before, attempts, unlogged: before.unlogged + 1 })
        return
      }
      known.set(webhookId, { attempts, lineAtMs: nowMs, unlogged: 0 })
      const fields = {
        webhook_id: webhookId,
        company_id: companyId,
        event,
        mode: kind,
        error_class: attempt.errorClass,
        status: attempt.httpStatus,
        attempt: attempts,
        unlogged: before.unlogged,
      }
      log.warn(fields, 'a webhook delivery failed')
    },
    delivered(webhookId) {
      const before = known.get(webhookId)
      // The time of the last line stays: a receiver that fails now and then writes no more lines than one that is gone.
      if (before !== undefined && before.attempts > 0) known.set(webhookId, { ...before, attempts: 0 })
    },
  }
}
