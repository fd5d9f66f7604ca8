import type { ServiceChange } from '@sealpost/sdk'
import { LIMIT_SECONDS, post, type PostOutcome } from '../local/post.ts'
import { signEvent, type Signing } from '../local/signing.ts'
import type { Terminal } from '../terminal.ts'

/** How long one event waits for a target that is down, and how often it is tried. */
const PATIENCE_MS = 60_000
const TRY_EVERY_MS = 2000

export interface Forwarded {
  readonly outcome: PostOutcome
  readonly durationMs: number
}

/**
 * Posts one event, and waits for its end. Whatever is answered, it is over: that is for the developer to see. A target
 * that is down has not seen the event, or not whole; a minute is enough to start it again, or to mend what crashes it.
 */
export async function forward(
  { terminal, target, signing }: { readonly terminal: Terminal; readonly target: URL; readonly signing: Signing },
  event: ServiceChange,
  signal: AbortSignal,
): Promise<Forwarded> {
  const { clock } = terminal
  const giveUpAt = clock.now() + PATIENCE_MS
  for (let tries = 1; ; tries += 1) {
    const signed = await signEvent(signing, event)
    const startedAt = clock.now()
    const outcome = await post(target, signed, signal)
    const now = clock.now()
    if (outcome.kind !== 'down' || now >= giveUpAt) return { outcome, durationMs: now - startedAt }
    if (tries === 1) {
      terminal.tell(
        `${target.origin} cannot be reached (${outcome.reason}); ${event.event} ${event.id} waits up to a minute for it`,
      )
    }
    await terminal.wait(TRY_EVERY_MS, signal)
  }
}

/** One line for people: when, what, which, and what the target said. */
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
