import type { Clock, Instant } from '@sealpost/kernel'
import { EgressInterruption, reasonOf, type Stage } from './failure.ts'
import type { EgressRequest, Timings } from './request.ts'

/** One call on its way: how far it has come, and the signal that ends it wherever it is. */
export interface Trip {
  readonly signal: AbortSignal
  enter(stage: Stage): void
  timings(): Timings
  /** Runs one stage; when it takes too long, the trip goes on to fail as a timeout of that stage. */
  within<T>(stage: Stage, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  end(): void
}

export function startTrip(clock: Clock, request: EgressRequest): Trip {
  const startedAt = clock.now()
  const entered = new Map<Stage, Instant>()
  const controller = new AbortController()
  let stage: Stage = 'resolve'
  const timer = setTimeout(() => controller.abort(timeoutOf(stage)), request.totalTimeoutMs)
  const giveUp = (): void => controller.abort(new EgressInterruption({ kind: 'aborted' }))
  if (request.signal?.aborted === true) giveUp()
  request.signal?.addEventListener('abort', giveUp, { once: true })

  const enter = (next: Stage): void => {
    stage = next
    entered.set(next, clock.now())
  }
  const sinceStart = (from: Stage): number => (entered.get(from) ?? clock.now()) - startedAt
  return {
    signal: controller.signal,
    enter,
    timings: () => ({
      resolvedMs: sinceStart('connect'),
      connectedMs: sinceStart('wait'),
      answeredMs: sinceStart('read'),
      totalMs: clock.now() - startedAt,
    }),
    within(next, limitMs, work) {
      enter(next)
      return runWithin(limitMs, next, controller.signal, work)
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
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(timeoutOf(stage)), limitMs)
  const signal = AbortSignal.any([outer, own.signal])
  try {
    return await Promise.race([aborted(signal), work(signal)])
  } finally {
    clearTimeout(timer)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(reasonOf(signal))
    signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true })
  })
}

function timeoutOf(stage: Stage): EgressInterruption {
  return new EgressInterruption({ kind: 'timeout', stage })
}
