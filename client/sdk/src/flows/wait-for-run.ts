import { isSealpostError, NetworkError, UnexpectedAnswerError } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import type { FlowRun } from './run.ts'

export interface WaitOptions extends CallOptions {
  /** Called with the first state, with every other one that is seen, and after a read without an answer. */
  readonly onProgress?: (progress: RunProgress) => void
  /** The shortest time between two reads, 2 by default. It grows to 30 seconds while nothing changes. */
  readonly pollSeconds?: number
}

export type RunProgress =
  | { readonly kind: 'state'; readonly run: FlowRun }
  /** For example a 503: the wait goes on. */
  | { readonly kind: 'no_answer' }

const POLL_SECONDS = 2
const LONGEST_SECONDS = 30
const GROWTH = 1.5

/** Reads the run until the condition holds. Ends by the signal only: give one for a wait that may be long. */
export async function waitForRun(
  wire: Pick<Wire, 'wait'>,
  read: () => Promise<FlowRun>,
  isReached: (run: FlowRun) => boolean | Promise<boolean>,
  { onProgress, pollSeconds = POLL_SECONDS, signal }: WaitOptions,
): Promise<FlowRun> {
  let [state, seconds] = ['', pollSeconds]
  for (;;) {
    signal?.throwIfAborted()
    const run = await readOrNull(read, signal)
    if (run === null) onProgress?.({ kind: 'no_answer' })
    else {
      const next = [run.status, run.current_node, run.updated_at].join(' ')
      const hasChanged = next !== state
      if (hasChanged) onProgress?.({ kind: 'state', run })
      if (await isReached(run)) return run
      seconds = hasChanged ? pollSeconds : Math.min(seconds * GROWTH, Math.max(LONGEST_SECONDS, pollSeconds))
      state = next
    }
    await wire.wait(seconds * 1000, signal)
  }
}

/** Null where a later read may succeed. */
async function readOrNull(read: () => Promise<FlowRun>, signal: AbortSignal | undefined): Promise<FlowRun | null> {
  try {
    return await read()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof NetworkError) return null
    const isAnswer = isSealpostError(error) || error instanceof UnexpectedAnswerError
    if (isAnswer && (error.status >= 500 || error.status === 429)) return null
    throw error
  }
}
