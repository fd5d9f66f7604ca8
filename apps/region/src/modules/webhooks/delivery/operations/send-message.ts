import { describeFailure, type EgressFailure, type EgressStatus } from '@sealpost/egress'
import type { Result } from '@sealpost/kernel'
import type { WebhooksContext } from '../../context.ts'
import type { Attempt, ErrorClass } from '../model.ts'
import type { Message } from './message.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** From the DNS query to the last byte of the answer. */
export const TOTAL_TIMEOUT_MS = 10_000
/** An answer is read up to here, so that its connection can be reused, and discarded. */
const READ_BYTES = 16_384

export interface SentAttempt extends Attempt {
  readonly durationMs: number
  /** From the call until the connection was ready; null without one. */
  readonly leftAfterMs: number | null
}

/** One POST: no redirect is followed and nothing is retried. */
export async function sendMessage(
  { webhookEgress, clock }: Pick<WebhooksContext, 'webhookEgress' | 'clock'>,
  build: () => Message | Promise<Message>,
  mayLeave?: () => boolean,
): Promise<SentAttempt> {
  const startedAt = clock.now()
  try {
    const { url, headers, body } = await build()
    const result = await webhookEgress.sendForStatus({
      method: 'POST',
      url,
      headers,
      body,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      maxResponseBytes: READ_BYTES,
      ...(mayLeave === undefined ? {} : { mayLeave }),
    })
    const leftAfterMs = result.ok ? result.value.timings.connectedMs : null
    return { ...readAttempt(result), durationMs: clock.now() - startedAt, leftAfterMs }
  } catch (error) {
    const attempt = failedAttempt('internal', 'the delivery could not be made; the operator of this platform is told')
    return { ...attempt, cause: error, durationMs: clock.now() - startedAt, leftAfterMs: null }
  }
}

const DELIVERED = { isDelivered: true, httpStatus: 200, errorClass: null, error: null } as const

/** Only 200 counts; the body of the answer is ignored. */
export function readAttempt(result: Result<Pick<EgressStatus, 'status'>, EgressFailure>): Attempt {
  if (!result.ok) return failedAttempt(CLASS_OF[result.refusal.kind], describeFailure(result.refusal))
  const { status } = result.value
  if (status === 200) return DELIVERED
  return { isDelivered: false, httpStatus: status, errorClass: 'status', error: `answered ${status}` }
}

export function failedAttempt(errorClass: ErrorClass, error: string): Attempt {
  return { isDelivered: false, httpStatus: null, errorClass, error }
}

const CLASS_OF = {
  refused: 'refused',
  dns: 'dns',
  connect: 'connect',
  tls: 'tls',
  timeout: 'timeout',
  too_large: 'protocol',
  protocol: 'protocol',
  aborted: 'aborted',
} as const satisfies Record<EgressFailure['kind'], ErrorClass>
