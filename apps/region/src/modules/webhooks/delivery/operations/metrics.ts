import type { BoundCounter, Counter, Telemetry } from '@sealpost/telemetry'
import type { SendKind } from '../../../feed/index.ts'
import type { Attempt } from '../model.ts'

/** Labels are kinds and classes, never a webhook: a label per customer would grow without limit. */
export interface DeliveryMetrics {
  attempted(kind: SendKind, attempt: Attempt): void
  /** The time from an event's commit to the first byte of its live delivery. */
  left(seconds: number): void
  /** Outcomes that were written in one transaction. */
  written(count: number): void
}

export interface SenderCounts {
  readonly live: number
  readonly probes: number
  readonly inFlight: number
}

/** The backlog of the region at the last measurement. */
export interface BacklogMeasure {
  readonly parkedCount: number
  readonly oldestAgeSeconds: number
}

export function deliveryMetrics(
  telemetry: Telemetry,
  counts: () => SenderCounts,
  backlog: () => BacklogMeasure,
): DeliveryMetrics {
  const attempts = telemetry.counter('webhook_deliveries_total', 'Attempts to deliver an event, by kind and outcome')
  const latency = telemetry.histogram(
    'webhook_commit_to_first_byte_seconds',
    'From the commit of an event to the first byte of its live delivery',
  )
  const written = telemetry.histogram('webhook_outcomes_per_commit', 'Outcomes that were written in one transaction')
  telemetry.gauge('webhook_senders', 'Webhooks that this process sends to', () => counts().live, { mode: 'live' })
  telemetry.gauge('webhook_senders', 'Webhooks that this process sends to', () => counts().probes, { mode: 'probe' })
  telemetry.gauge('webhook_in_flight', 'Deliveries that wait for their answer', () => counts().inFlight)
  telemetry.gauge('webhook_backlog', 'Parked events of all webhooks of the region', () => backlog().parkedCount)
  telemetry.gauge(
    'webhook_oldest_pending_seconds',
    'Age of the oldest pending event of all webhooks of the region',
    () => backlog().oldestAgeSeconds,
  )
  const cells = cellsOf(attempts)
  const latencyCell = latency.bind({})
  const writtenCell = written.bind({})
  return {
    attempted: (kind, { errorClass }) => cells(kind, errorClass ?? 'delivered').add(1),
    left: (seconds) => latencyCell.record(seconds),
    written: (count) => writtenCell.record(count),
  }
}

function cellsOf(counter: Counter): (mode: SendKind, outcome: string) => BoundCounter {
  const known = new Map<string, BoundCounter>()
  return (mode, outcome) => {
    const key = `${mode} ${outcome}`
    const cell = known.get(key) ?? counter.bind({ mode, outcome })
    known.set(key, cell)
    return cell
  }
}
