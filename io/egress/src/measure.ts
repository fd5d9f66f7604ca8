import type { Clock, Result } from '@sealpost/kernel'
import type { BoundCounter, BoundHistogram, Telemetry } from '@sealpost/telemetry'
import type { EgressFailure } from './failure.ts'
import type { EgressRequest } from './request.ts'

export type Observe = <T>(
  request: EgressRequest,
  work: () => Promise<Result<T, EgressFailure>>,
) => Promise<Result<T, EgressFailure>>

/** Counts outcomes by class only: customers choose the targets, and a label per host would grow without bound. */
export function measure(clock: Clock, telemetry: Telemetry | undefined): Observe {
  if (telemetry === undefined) return (_request, work) => work()
  const requests = telemetry.counter('egress_requests_total', 'Outbound HTTP requests by outcome')
  const duration = telemetry.histogram('egress_request_duration_seconds', 'Time from the call to the end of the answer')
  const cells = new Map<string, { readonly count: BoundCounter; readonly time: BoundHistogram }>()
  const cellOf = (outcome: string) => {
    const known = cells.get(outcome) ?? { count: requests.bind({ outcome }), time: duration.bind({ outcome }) }
    cells.set(outcome, known)
    return known
  }
  return (request, work) =>
    telemetry.span('egress', { 'http.request.method': request.method }, async (span) => {
      const startedAt = clock.now()
      const result = await work()
      const outcome = result.ok ? 'answered' : result.refusal.kind
      span.set({ outcome })
      const { count, time } = cellOf(outcome)
      count.add(1)
      time.record((clock.now() - startedAt) / 1_000)
      return result
    })
}
