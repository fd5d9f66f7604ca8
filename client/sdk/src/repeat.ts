import type { Wire } from './caller.ts'
import { isSealpostError, NetworkError, UnexpectedAnswerError } from './errors.ts'

/** How often one call may still be repeated after a refusal that passes with time. */
export interface Repeats {
  left: number
}

export interface RepeatPolicy {
  /** No answer came: the act may or may not have happened, and doing it again does no harm. */
  readonly afterSilence: boolean
  /** Server errors other than those that promise that nothing was written. */
  readonly afterServerError: boolean
}

const MAX_REPEATS = 3
const FIRST_BACKOFF_SECONDS = 0.5

/** Refusals that promise that nothing was written, with the wait that is meant when `Retry-After` cannot be read. */
const NOTHING_WRITTEN: ReadonlyMap<string, number> = new Map([
  ['db.writes_paused', 30],
  ['platform.out_of_order', 300],
  ['region.unreachable', 5],
])

export function allowRepeats(): Repeats {
  return { left: MAX_REPEATS }
}

/** Returns once the call may be repeated, otherwise throws the error it was given. */
export async function waitToRepeat(
  wire: Wire,
  repeats: Repeats,
  error: unknown,
  policy: RepeatPolicy,
  signal: AbortSignal | undefined,
): Promise<void> {
  const seconds = repeats.left > 0 ? waitSeconds(error, policy, backoffSeconds(repeats)) : null
  if (seconds === null || seconds > wire.maxWaitSeconds) throw error
  repeats.left -= 1
  wire.log({ kind: 'waiting', seconds, reason: reasonOf(error) })
  await wire.wait(seconds * 1000, signal)
}

/** Null: repeating would not help, or could act twice. */
function waitSeconds(error: unknown, policy: RepeatPolicy, backoff: number): number | null {
  if (error instanceof NetworkError) return policy.afterSilence ? backoff : null
  if (!isSealpostError(error) && !(error instanceof UnexpectedAnswerError)) return null
  if (isSealpostError(error)) {
    // A person has too many open challenges: only the caller knows whether another one still makes sense.
    if (error.key === 'twofa.pending_cap') return null
    const promised = NOTHING_WRITTEN.get(error.key)
    if (promised !== undefined) return error.retryAfterSeconds ?? promised
  }
  const canRepeat = error.status === 429 || (error.status >= 500 && policy.afterServerError)
  return canRepeat ? (error.retryAfterSeconds ?? backoff) : null
}

function backoffSeconds(repeats: Repeats): number {
  return FIRST_BACKOFF_SECONDS * 2 ** (MAX_REPEATS - repeats.left)
}

function reasonOf(error: unknown): string {
  if (isSealpostError(error)) return error.key
  return error instanceof NetworkError ? 'no answer' : 'unexpected answer'
}
