import type { Clock, Instant } from '@sealpost/kernel'
import { EgressInterruption, type Stage } from './failure.ts'
import type { EgressRequest, Timings } from './request.ts'

/** The state of one call: its stage, and the events that end it. */
export interface Trip {
  /** Created on first use: most calls on a kept connection need none, and one costs as much as signing a body. */
  readonly signal: AbortSignal
  enter(stage: Stage): void
  /** The head of the answer has arrived. */
  isAnswered(): boolean
  timings(): Timings
  /**
   * Calls `listener` when the time is up or the sender cancelled; returns a function that unsubscribes. Throws when
   * that has already happened.
   */
  onOver(listener: (reason: EgressInterruption) => void): () => void
  throwIfOver(): void
  /** Runs one stage; when it takes too long, the call fails as a timeout of that stage. */
  within<T>(stage: Stage, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  end(): void
}

export function startTrip(clock: Clock, request: EgressRequest): Trip {
  const startedAt = clock.now()
  const entered: Partial<Record<Stage, Instant>> = {}
  const listeners = new Set<(reason: EgressInterruption) => void>()
  let controller: AbortController | null = null
  let stage: Stage = 'resolve'
  let over: EgressInterruption | null = null

  const finish = (reason: EgressInterruption): void => {
    if (over !== null) return
    over = reason
    for (const listener of listeners) listener(reason)
    controller?.abort(reason)
  }
  const throwIfOver = (): void => {
    if (over !== null) throw over
  }
  const onOver = (listener: (reason: EgressInterruption) => void): (() => void) => {
    throwIfOver()
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const enter = (next: Stage): void => {
    stage = next
    entered[next] = clock.now()
  }
  const timer = setTimeout(() => finish(timeoutOf(stage)), request.totalTimeoutMs)
  const giveUp = (): void => finish(new EgressInterruption({ kind: 'aborted' }))
  if (request.signal?.aborted === true) giveUp()
  request.signal?.addEventListener('abort', giveUp, { once: true })

  const sinceStart = (from: Stage): number => (entered[from] ?? clock.now()) - startedAt
  return {
    get signal() {
      controller ??= new AbortController()
      if (over !== null) controller.abort(over)
      return controller.signal
    },
    enter,
    isAnswered: () => stage === 'read',
    timings: () => ({
      resolvedMs: sinceStart('connect'),
      connectedMs: sinceStart('wait'),
      answeredMs: sinceStart('read'),
      totalMs: clock.now() - startedAt,
    }),
    onOver,
    throwIfOver,
    within(next, limitMs, work) {
      enter(next)
      return runWithin(limitMs, next, onOver, work)
    },
    end() {
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', giveUp)
    },
  }
}

async function runWithin<T>(
  limitMs: number,
  stage: Stage,
  onOver: Trip['onOver'],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const ended = Promise.withResolvers<never>()
  const fail = (reason: EgressInterruption): void => {
    own.abort(reason)
    ended.reject(reason)
  }
  const stopListening = onOver(fail)
  const timer = setTimeout(() => fail(timeoutOf(stage)), limitMs)
  try {
    return await Promise.race([ended.promise, work(own.signal)])
  } finally {
    clearTimeout(timer)
    stopListening()
  }
}

function timeoutOf(stage: Stage): EgressInterruption {
  return new EgressInterruption({ kind: 'timeout', stage })
}
