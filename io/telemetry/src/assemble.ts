import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { Metrics } from './metrics.ts'
import { prometheusText } from './prometheus.ts'
import type { Log, Telemetry } from './telemetry.ts'
import type { Tracing } from './tracing.ts'

export interface TelemetryParts {
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly resource: Resource
  readonly close: () => Promise<void>
}

export function assembleTelemetry({ log, metrics, tracing, resource, close }: TelemetryParts): Telemetry {
  let closing: Promise<void> | null = null
  return {
    ...tracing,
    log,
    counter: (name, about) => metrics.counter(name, about),
    histogram: (name, about, boundaries) => metrics.histogram(name, about, boundaries),
    gauge: (name, about, read, attributes) => metrics.observe(name, about, read, attributes),
    prometheus: () => Promise.resolve(prometheusText(metrics, resource)),
    close: () => (closing ??= close()),
  }
}

export interface ProcessNames {
  readonly service: string
  readonly version: string
  /** Distinguishes the processes of one service. */
  readonly instanceId: string
}

export function describeProcess(names: ProcessNames): Resource {
  return resourceFromAttributes({
    'service.name': names.service,
    'service.version': names.version,
    'service.instance.id': names.instanceId,
  })
}
