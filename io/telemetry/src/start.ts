import type { Clock, Random } from '@sealpost/kernel'
import { assembleTelemetry, describeProcess, type ProcessNames } from './assemble.ts'
import { openLogDestination } from './log-destination.ts'
import { type LogLevel, openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { observeProcess } from './process-metrics.ts'
import { openSampler } from './sampler.ts'
import type { Telemetry } from './telemetry.ts'
import { openTraceExport } from './trace-export.ts'
import { openTracing, type Tracing, tracingOff } from './tracing.ts'

/** One trace in a hundred: tens of traces a second on a busy cell, at a negligible cost per request. */
export const DEFAULT_TRACE_SAMPLE_RATIO = 0.01

export interface TelemetryOptions extends ProcessNames {
  readonly logLevel: LogLevel
  /** `stdout` or the path of a file that is appended to. */
  readonly logDestination: string
  /** The address for OTLP/HTTP traces, e.g. `http://collector:4318/v1/traces`; without it tracing is off. */
  readonly traceExporterUrl?: string | null
  readonly traceSampleRatio?: number
  readonly clock: Clock
  readonly random: Random
}

export function startTelemetry(options: TelemetryOptions): Telemetry {
  const destination = openLogDestination(options.logDestination)
  const metrics = openMetrics()
  const resource = describeProcess(options)
  let tracing: Tracing = tracingOff
  const log = openLog({
    level: options.logLevel,
    base: { service: options.service, version: options.version, instance: options.instanceId },
    clock: options.clock,
    currentTraceId: () => tracing.currentTraceId(),
    destination,
  })
  if (options.traceExporterUrl !== undefined && options.traceExporterUrl !== null) {
    const exported = metrics.counter('trace_spans', 'Spans handed to the collector')
    const processor = openTraceExport(options.traceExporterUrl, log, exported)
    const sample = openSampler(options.traceSampleRatio ?? DEFAULT_TRACE_SAMPLE_RATIO, options.random)
    tracing = openTracing({ resource, sample, processor })
  }
  metrics.observe(
    'log_dropped_lines',
    'Log lines discarded because they could not be written in time',
    () => destination.droppedLines(),
    {},
    true,
  )
  const stopObserving = observeProcess(metrics)
  async function close(): Promise<void> {
    stopObserving()
    await tracing.close()
    await destination.close()
  }
  return assembleTelemetry({ log, metrics, tracing, resource, close })
}
