import { isSealpostError, NetworkError, UnexpectedAnswerError } from '../errors.ts'
import type { ChangeBuffer } from './buffer.ts'
import type { DeadLetter, Identified, PumpAttempt, Waiting } from './journal.ts'
import type { PumpOptions, PumpPlan, PumpResult } from './pump-options.ts'
import type { PumpSource } from './pump-source.ts'

export interface PumpRun<Change extends Identified> {
  readonly source: PumpSource<Change>
  readonly options: PumpOptions<Change>
  readonly plan: PumpPlan
  readonly buffer: ChangeBuffer<Change>
  bind(owner: string): Promise<void>
}

interface Tally {
  handled: number
  deadLettered: number
  duplicates: number
}

/** The platform keeps the page of an attempt for this long. */
const PAGE_KEPT_MS = 300_000
const LONGEST_PAUSE_MS = 60_000
const FIRST_PAUSE_MS = 1000
const LONGEST_ERROR_TEXT = 2000

export async function pumpChanges<Change extends Identified>(run: PumpRun<Change>): Promise<PumpResult> {
  const tally: Tally = { handled: 0, deadLettered: 0, duplicates: 0 }
  try {
    await retrying(run, async (signal) => run.bind(await run.source.owner(signal)))
    for (let isDrained = false; ;) {
      await handleWaiting(run, tally)
      if (isDrained && run.options.follow !== true) return tally
      if (isDrained) await pause(run, run.plan.pollEveryMs)
      // Before an attempt is stored: a stored attempt that was never sent would look like a loss later.
      if (isAborted(run)) return tally
      isDrained = !(await takePage(run, tally))
    }
  } catch (error) {
    // A requested end; unfinished changes are in the store.
    if (isAborted(run) && error === run.options.signal?.reason) return tally
    throw error
  }
}

async function takePage<Change extends Identified>(run: PumpRun<Change>, tally: Tally): Promise<boolean> {
  const { buffer, options, source } = run
  // True for an attempt of an earlier run whose answer was lost, and after a failed request of this run.
  let isRepeat = buffer.attempt !== null
  const attempt = buffer.attempt ?? (await storeAttempt(run))
  const page = await retrying(run, (signal) => {
    const { listener, webhookId } = options
    const channel = {
      ...(listener === undefined ? {} : { listener }),
      ...(webhookId === undefined ? {} : { webhookId }),
    }
    const answer = source.readPage(attempt.id, { limit: attempt.limit, ...channel, ...signal })
    return answer.catch((error: unknown) => {
      isRepeat = true
      throw error
    })
  })
  if (mayBeLate(source.now() - attempt.askedAtMs, isRepeat)) {
    await options.onPossibleLoss?.({ askedAtMs: attempt.askedAtMs })
  }
  const fresh = new Map(page.changes.filter(({ id }) => !buffer.isKnown(id)).map((change) => [change.id, change]))
  tally.duplicates += page.changes.length - fresh.size
  await buffer.write({ k: 'page', changes: [...fresh.values()] })
  return page.has_more
}

/**
 * The client repeats calls, so the page of a first attempt can be late as well. If the clock went back meanwhile, the
 * elapsed time is unknown.
 */
function mayBeLate(passedMs: number, isRepeat: boolean): boolean {
  return passedMs > PAGE_KEPT_MS || (isRepeat && passedMs < 0)
}

async function storeAttempt<Change extends Identified>({
  buffer,
  plan,
  source,
}: PumpRun<Change>): Promise<PumpAttempt> {
  const attempt = { id: crypto.randomUUID(), limit: plan.limit, askedAtMs: source.now() }
  await buffer.write({ k: 'asked', attempt })
  return attempt
}

async function handleWaiting<Change extends Identified>(run: PumpRun<Change>, tally: Tally): Promise<void> {
  const { buffer, options } = run
  for (let entry = buffer.first(); entry !== null && !isAborted(run); entry = buffer.first()) {
    const { change, failures } = entry
    try {
      await options.handle(change, { failures, signal: options.signal })
    } catch (error) {
      await recordFailure(run, tally, entry, error)
      continue
    }
    await buffer.write({ k: 'done', id: change.id })
    tally.handled += 1
  }
}

async function recordFailure<Change extends Identified>(
  run: PumpRun<Change>,
  tally: Tally,
  entry: Waiting<Change>,
  error: unknown,
): Promise<void> {
  // A handler that ended because of the signal has not failed.
  if (isAborted(run)) return
  const { buffer, options, plan, source } = run
  const failures = entry.failures + 1
  if (failures < plan.maxFailures) {
    await buffer.write({ k: 'failed', id: entry.change.id, failures })
    const waitMs = Math.min(plan.firstRetryMs * 2 ** (failures - 1), LONGEST_PAUSE_MS)
    options.onTrouble?.({ during: 'handling', error, waitMs })
    await pause(run, waitMs)
    return
  }
  const letter: DeadLetter<Change> = {
    change: entry.change,
    failures,
    error: describe(error),
    diedAtMs: source.now(),
  }
  await buffer.write({ k: 'dead', letter })
  tally.deadLettered += 1
  await options.onDeadLetter?.(letter)
}

function describe(error: unknown): DeadLetter<unknown>['error'] {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: String(error) }
  return { name, message: message.slice(0, LONGEST_ERROR_TEXT) }
}

/** In follow mode, retries temporary failures without end; the client itself has already repeated the call a few times. */
async function retrying<Change extends Identified, T>(
  run: PumpRun<Change>,
  ask: (options: { readonly signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { follow, signal } = run.options
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask(signal === undefined ? {} : { signal })
    } catch (error) {
      if (follow !== true || isAborted(run) || !isTemporary(error)) throw error
      const waitMs = Math.max(pauseMs, (retryAfterSecondsOf(error) ?? 0) * 1000)
      run.options.onTrouble?.({ during: 'reading', error, waitMs })
      await pause(run, waitMs)
      signal?.throwIfAborted()
    }
  }
}

/** Wrong credentials or a deleted webhook, for example, are permanent. */
function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof UnexpectedAnswerError) return true
  if (!isSealpostError(error)) return false
  return error.status >= 500 || error.status === 429 || error.key === 'region.rebase_required'
}

function retryAfterSecondsOf(error: unknown): number | undefined {
  const hasAnswer = isSealpostError(error) || error instanceof UnexpectedAnswerError
  return hasAnswer ? error.retryAfterSeconds : undefined
}

/** Ends early, without an error, when the run is aborted. */
async function pause<Change extends Identified>(run: PumpRun<Change>, ms: number): Promise<void> {
  if (isAborted(run)) return
  try {
    await run.source.wait(ms, run.options.signal)
  } catch (error) {
    if (!isAborted(run)) throw error
  }
}

function isAborted<Change extends Identified>({ options }: PumpRun<Change>): boolean {
  return options.signal?.aborted === true
}
