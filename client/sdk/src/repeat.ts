import { isSealpostError, NetworkError, UnexpectedAnswerError } from './errors.ts'
import type { Wire } from './wire.ts'

/** The repeats that one call has left. */
export interface Repeats {
  left: number
}

export interface RepeatPolicy {
  /** Repeat after no answer: the call may have taken effect, and a repeat does no harm. */
  readonly afterSilence: boolean
  /** Repeat after server errors that do not promise that nothing was written. */
  readonly afterServerError: boolean
}

const MAX_REPEATS = 3
const FIRST_BACKOFF_SECONDS = 0.5

/** Refusals that promise that nothing was written, with their default wait in seconds. */
const NOTHING_WRITTEN: ReadonlyMap<string, number> = new Map([
  ['db.writes_paused', 30],
  ['platform.out_of_order', 300],
  ['region.unreachable', 5],
  ['platform.busy', 1],
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

/** Null when a repeat would not help, or could take effect twice. */
function waitSeconds(error: unknown, policy: RepeatPolicy, backoff: number): number | null {
  if (error instanceof NetworkError) return policy.afterSilence ? backoff : null
  if (!isSealpostError(error) && !(error instanceof UnexpectedAnswerError)) return null
  if (isSealpostError(error)) {
    // The person has too many open challenges: the caller decides whether another one is still wanted.
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
