import type { ServiceChange } from '@sealpost/sdk'
import { LIMIT_SECONDS, post, type PostOutcome } from '../local/post.ts'
import { signEvent, type Signing } from '../local/signing.ts'
import type { Terminal } from '../terminal.ts'

/** An event is retried this long, and this often, while the target is down. */
const RETRY_FOR_MS = 60_000
const RETRY_EVERY_MS = 2000

export interface Forwarded {
  readonly outcome: PostOutcome
  readonly durationMs: number
}

/**
 * Posts one event and waits for the answer. Any status ends it: the developer sees it. A target that is down has not
 * received the whole event; a minute is enough to restart it or to fix a crash.
 */
export async function forward(
  { terminal, target, signing }: { readonly terminal: Terminal; readonly target: URL; readonly signing: Signing },
  event: ServiceChange,
  signal: AbortSignal,
): Promise<Forwarded> {
  const { clock } = terminal
  const giveUpAt = clock.now() + RETRY_FOR_MS
  for (let tries = 1; ; tries += 1) {
    const signed = await signEvent(signing, event)
    const startedAt = clock.now()
    const outcome = await post(target, signed, signal)
    const now = clock.now()
    if (outcome.kind !== 'down' || now >= giveUpAt) return { outcome, durationMs: now - startedAt }
    if (tries === 1) {
      terminal.log(
        `${target.origin} cannot be reached (${outcome.reason}); ${event.event} ${event.id} is retried for a minute`,
      )
    }
    await terminal.wait(RETRY_EVERY_MS, signal)
  }
}

/** One line: time, event, id, the target's answer and its duration. */
export function lineOf({ at, event, id }: ServiceChange, { outcome, durationMs }: Forwarded): string {
  return [at, event, id, wordsOf(outcome), `${durationMs} ms`].join('  ')
}

export function jsonOf({ at, event, id }: ServiceChange, { outcome, durationMs }: Forwarded): string {
  const status = outcome.kind === 'answered' ? outcome.httpStatus : null
  return JSON.stringify({ at, event, id, http_status: status, duration_ms: durationMs, outcome: outcome.kind })
}

export function wordsOf(outcome: PostOutcome): string {
  if (outcome.kind === 'silent') return `no answer within ${LIMIT_SECONDS} s`
  if (outcome.kind === 'down') return `given up: cannot be reached (${outcome.reason})`
  return outcome.httpStatus === 200 ? '200' : `${outcome.httpStatus} (a webhook is parked by anything but 200)`
}
