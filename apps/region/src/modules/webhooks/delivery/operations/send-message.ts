import { describeFailure, type EgressFailure, type EgressStatus } from '@sealpost/egress'
import type { Result } from '@sealpost/kernel'
import type { WebhooksContext } from '../../context.ts'
import type { Attempt, ErrorClass } from '../model.ts'
import type { Message } from './message.ts'

/** An answer is read up to here, so that its connection can be reused, and discarded. */
const READ_BYTES = 16_384

export type SendSettings = Pick<
  WebhooksContext['settings'],
  'WEBHOOK_CAUSES' | 'WEBHOOK_CONNECT_MS' | 'WEBHOOK_TOTAL_MS'
>

export interface SentAttempt extends Attempt {
  readonly durationMs: number
  /** From the call until the connection was ready; null without one. */
  readonly leftAfterMs: number | null
}

/** One POST: no redirect is followed and nothing is retried. */
export async function sendMessage(
  { webhookEgress, clock, settings }: Pick<WebhooksContext, 'webhookEgress' | 'clock'> & { settings: SendSettings },
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
      connectTimeoutMs: settings.WEBHOOK_CONNECT_MS,
      totalTimeoutMs: settings.WEBHOOK_TOTAL_MS,
      maxResponseBytes: READ_BYTES,
      ...(mayLeave === undefined ? {} : { mayLeave }),
    })
    const leftAfterMs = result.ok ? result.value.timings.connectedMs : null
    const sent = { ...readAttempt(result), durationMs: clock.now() - startedAt, leftAfterMs }
    return settings.WEBHOOK_CAUSES === 'all' ? sent : concealCause(url, sent, settings.WEBHOOK_TOTAL_MS)
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

const STANDARD_PORTS: readonly string[] = ['', '80', '443']
const SHOWS_A_PORT: readonly (ErrorClass | null)[] = ['connect', 'tls', 'timeout', 'protocol']

/**
 * [Note: webhooks do not scan ports] Whether a port refuses, drops or speaks another protocol is of no concern to a
 * company that does not own it. At other ports than those of HTTP all causes without an HTTP answer look alike, and last
 * the whole time limit.
 */
export function concealCause<T extends SentAttempt>(url: string, sent: T, totalMs: number): T {
  if (!SHOWS_A_PORT.includes(sent.errorClass) || STANDARD_PORTS.includes(new URL(url).port)) return sent
  const error = 'the endpoint sent no HTTP answer; the cause is shown for ports 80 and 443 only'
  return { ...sent, ...failedAttempt('no_answer', error), durationMs: totalMs }
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
