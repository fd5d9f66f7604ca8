import type { BoundCounter, Counter, Telemetry } from '@sealpost/telemetry'
import type { SendKind } from '../../feed/index.ts'
import type { Attempt } from './outcome.ts'

/** Labels name kinds and classes, never a webhook: a label per customer would never stop growing. */
export interface DeliveryMetrics {
  attempted(kind: SendKind, attempt: Attempt): void
  /** Time between an event's commit and the first byte of its live delivery. */
  left(seconds: number): void
  settled(count: number): void
}

export interface LaneCounts {
  readonly live: number
  readonly probes: number
  readonly inFlight: number
}

/** What the whole region has waiting, as last looked at. */
export interface Pending {
  readonly parkedCount: number
  readonly oldestAgeSeconds: number
}

export function deliveryMetrics(
  telemetry: Telemetry,
  counts: () => LaneCounts,
  pending: () => Pending,
): DeliveryMetrics {
  const attempts = telemetry.counter('webhook_deliveries_total', 'Attempts to deliver an event, by kind and outcome')
  const latency = telemetry.histogram(
    'webhook_commit_to_first_byte_seconds',
    'From the commit of an event to the first byte of its live delivery',
  )
  const settled = telemetry.histogram('webhook_settled_together', 'Outcomes that were committed in one transaction')
  telemetry.gauge('webhook_lanes', 'Webhooks that this process serves now', () => counts().live, { lane: 'live' })
  telemetry.gauge('webhook_lanes', 'Webhooks that this process serves now', () => counts().probes, { lane: 'probe' })
  telemetry.gauge('webhook_in_flight', 'Deliveries that wait for their answer', () => counts().inFlight)
  telemetry.gauge('webhook_backlog', 'Parked events of all webhooks of the region', () => pending().parkedCount)
  telemetry.gauge(
    'webhook_oldest_pending_seconds',
    'Age of the oldest event of the region that a webhook still waits for',
    () => pending().oldestAgeSeconds,
  )
  const cells = cellsOf(attempts)
  const latencyCell = latency.bind({})
  const settledCell = settled.bind({})
  return {
    attempted: (kind, { errorClass }) => cells(kind, errorClass ?? 'delivered').add(1),
    left: (seconds) => latencyCell.record(seconds),
    settled: (count) => settledCell.record(count),
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
