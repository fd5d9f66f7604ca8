import type { Egress } from '@sealpost/egress'
import type { Clock } from '@sealpost/kernel'
import type { Message } from './message.ts'
import { type Attempt, failedAttempt, readAttempt } from './outcome.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** From the first look at the name to the last byte of the answer. */
export const TOTAL_TIMEOUT_MS = 10_000
/** An answer is read so that its connection can be used again, and dropped. */
const READ_BYTES = 16_384

export interface SentAttempt extends Attempt {
  readonly durationMs: number
  /** From the call until the request was on its way; null when it never was. */
  readonly leftAfterMs: number | null
}

/** One POST, once: no redirect is followed and nothing is repeated. */
export async function sendMessage(
  { egress, clock }: { readonly egress: Egress; readonly clock: Clock },
  build: () => Message | Promise<Message>,
  mayLeave?: () => boolean,
): Promise<SentAttempt> {
  const startedAt = clock.now()
  try {
    const { url, headers, body } = await build()
    const result = await egress.sendForStatus({
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
