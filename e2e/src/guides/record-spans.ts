import { writeFileSync } from 'node:fs'
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** Loaded before a program, as its own set-up of OpenTelemetry: writes the finished spans to the file in `SPANS`. */
const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))

// Also after an uncaught error.
process.once('exit', () => {
  const spans = exporter.getFinishedSpans().map(({ name, kind, status, attributes, startTime, endTime, events }) => {
    return { name, kind, status, attributes, startTime, endTime, events }
  })
  writeFileSync(process.env['SPANS'] ?? '', JSON.stringify(spans))
})
