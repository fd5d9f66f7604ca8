import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { type Clock, instant } from '@sealpost/kernel'
import { assembleTelemetry, describeProcess } from './assemble.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import type { Telemetry } from './telemetry.ts'
import { openTracing, tracingOff } from './tracing.ts'

const TEST_PROCESS = { service: 'test', version: '0', instanceId: 'test' }
const EPOCH_CLOCK: Clock = { now: () => instant(0) }

/** Telemetry without log and traces; metrics are kept, because reading them must work. */
export function quietTelemetry(): Telemetry {
  const log = openLog({ ...logBase(), level: 'silent', destination: { write() {}, flush() {} } })
  const resource = describeProcess(TEST_PROCESS)
  return assembleTelemetry({
    log,
    metrics: openMetrics(),
    tracing: tracingOff,
    resource,
    close: () => Promise.resolve(),
  })
}

export interface LogLine {
  readonly level: string
  readonly msg: string
  readonly [field: string]: unknown
}

export interface RecordedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface RecordingTelemetry extends Telemetry {
  lines(): readonly LogLine[]
  /** The lines as they would be written, to check what must not be in them. */
  text(): string
  spans(): readonly RecordedSpan[]
  /** Forgets the lines and spans so far. */
  clear(): void
}

/** Telemetry that keeps everything in memory, every trace included, for tests. */
export function recordingTelemetry(clock: Clock = EPOCH_CLOCK): RecordingTelemetry {
  const kept: string[] = []
  const exporter = new InMemorySpanExporter()
  const resource = describeProcess(TEST_PROCESS)
  const tracing = openTracing({ resource, sample: () => true, processor: new SimpleSpanProcessor({ exporter }) })
  const log = openLog({
    ...logBase(),
    clock,
    level: 'debug',
    currentTraceId: tracing.currentTraceId,
    destination: { write: (line) => void kept.push(line), flush() {} },
  })
  return {
    ...assembleTelemetry({ log, metrics: openMetrics(), tracing, resource, close: () => tracing.close() }),
    lines: () => kept.map(parseLine),
    text: () => kept.join(''),
    spans: () =>
      exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        traceId: span.spanContext().traceId,
        spanId: span.spanContext().spanId,
        parentSpanId: span.parentSpanContext?.spanId ?? null,
        failed: span.status.code === SpanStatusCode.ERROR,
        attributes: span.attributes,
      })),
    clear() {
      kept.length = 0
      exporter.reset()
    },
  }
}

function logBase() {
  return { base: {}, clock: EPOCH_CLOCK, currentTraceId: () => null }
}

function parseLine(line: string): LogLine {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the line was written by the log above
  return JSON.parse(line) as LogLine
}
