import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Counter, Log } from './telemetry.ts'

const QUEUED_SPANS = 4_096
const SPANS_PER_REQUEST = 512
const SEND_EVERY_MS = 2_000
/** Also how long an unreachable collector may delay the end of a process. */
const SEND_TIMEOUT_MS = 3_000

/** Sends spans in the background; spans that cannot be sent are dropped and counted, and no request waits for them. */
export function openTraceExport(url: string, log: Log, exported: Counter): SpanProcessor {
  const collector = new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS, concurrencyLimit: 2 })
  return new BatchSpanProcessor({
    exporter: reporting(collector, log, exported),
    maxQueueSize: QUEUED_SPANS,
    maxExportBatchSize: SPANS_PER_REQUEST,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  })
}

function reporting(collector: SpanExporter, log: Log, exported: Counter): SpanExporter {
  let isReachable = true
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      collector.export(spans, (result) => {
        const succeeded = result.code === ExportResultCode.SUCCESS
        exported.add(spans.length, { outcome: succeeded ? 'sent' : 'dropped' })
        if (succeeded !== isReachable) {
          isReachable = succeeded
          if (succeeded) log.info({}, 'traces reach the collector again')
          else log.warn({ err: result.error }, 'traces do not reach the collector and are dropped: check its address')
        }
        // The processor passes failures to a process-wide handler; this one was already reported.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => collector.shutdown(),
    forceFlush: () => collector.forceFlush?.() ?? Promise.resolve(),
  }
}
