import { SealpostError, NetworkError, UnexpectedAnswerError } from './errors.ts'
import type { Wire } from './options.ts'

/** How often one call may still be repeated after a refusal that passes with time. */
export interface Repeats {
  left: number
}

const MAX_REPEATS = 3
const FIRST_BACKOFF_SECONDS = 0.5

/** Refusals that promise that nothing was written, with the wait that is meant when `Retry-After` cannot be read. */
const NOTHING_WRITTEN: Readonly<Record<string, number>> = {
  'db.writes_paused': 30,
  'platform.out_of_order': 300,
  'region.unreachable': 5,
}

export function allowRepeats(): Repeats {
  return { left: MAX_REPEATS }
}

/**
 * Returns once the call may be repeated, otherwise throws the error it was given.
 * `isHarmless`: repeating cannot act twice, so that an unknown outcome may be repeated too.
 */
export async function waitToRepeat(
  wire: Wire,
  repeats: Repeats,
  error: unknown,
  isHarmless: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const seconds = repeats.left > 0 ? waitSeconds(error, isHarmless, backoffSeconds(repeats)) : null
  if (seconds === null || seconds > wire.maxWaitSeconds) throw error
  repeats.left -= 1
  wire.log({ kind: 'waiting', seconds, reason: reasonOf(error) })
  await wire.wait(seconds * 1000, signal)
}

/** Null: repeating would not help, or could act twice. */
function waitSeconds(error: unknown, isHarmless: boolean, backoff: number): number | null {
  if (error instanceof NetworkError) return isHarmless ? backoff : null
  if (error instanceof SealpostError) {
    // A person has too many open challenges: only the caller knows whether another one still makes sense.
    if (error.key === 'twofa.pending_cap') return null
    const promised = NOTHING_WRITTEN[error.key]
    if (promised !== undefined) return error.retryAfterSeconds ?? promised
  }
  if (!(error instanceof SealpostError || error instanceof UnexpectedAnswerError)) return null
  const canRepeat = error.status === 429 || (error.status >= 500 && isHarmless)
  return canRepeat ? (error.retryAfterSeconds ?? backoff) : null
}

function backoffSeconds(repeats: Repeats): number {
  return FIRST_BACKOFF_SECONDS * 2 ** (MAX_REPEATS - repeats.left)
}

function reasonOf(error: unknown): string {
  if (error instanceof SealpostError) return error.key
  return error instanceof NetworkError ? 'no answer' : 'unexpected answer'
}
