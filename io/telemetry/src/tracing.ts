import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import { AlwaysOnSampler, RandomIdGenerator, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { ATTRIBUTE_VALUE_LIMIT, type Attributes, allowedAttributes } from './attributes.ts'
import type { ActiveSpan, Telemetry } from './telemetry.ts'

export interface Tracing extends Pick<Telemetry, 'trace' | 'span' | 'currentTraceparent' | 'close'> {
  readonly currentTraceId: () => string | null
}

export interface TracingOptions {
  readonly resource: Resource
  /** Whether a trace that begins here is recorded; see [Note: sampling]. */
  readonly sample: () => boolean
  readonly processor: SpanProcessor
}

type Work<T> = (span: ActiveSpan) => Promise<T>

const UNRECORDED: ActiveSpan = { set() {} }

/** No collector: `work` runs as if it had been called directly. */
export const tracingOff: Tracing = {
  trace: (_name, _attributes, work) => work(UNRECORDED),
  span: (_name, _attributes, work) => work(UNRECORDED),
  currentTraceparent: () => null,
  currentTraceId: () => null,
  close: () => Promise.resolve(),
}

/**
 * [Note: sampling] Whether a trace is recorded is decided once, where it begins, and sent along in `traceparent`. A
 * sampled trace is kept in async-local storage; its absence means "not sampled", so an unrecorded request pays for one
 * random number and its inner spans for one lookup. The SDK would build identifiers and contexts first.
 */
export function openTracing(options: TracingOptions): Tracing {
  const provider = new TracerProvider({
    resource: options.resource,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [options.processor],
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_VALUE_LIMIT },
  })
  const tracer = provider.getTracer('sealpost')
  const ids = new RandomIdGenerator()
  const sampled = new AsyncLocalStorage<Span | undefined>()

  function record<T>(name: string, kind: SpanKind, attributes: Attributes, parent: Context, work: Work<T>): Promise<T> {
    const span = startSpan(tracer, name, kind, attributes, parent)
    return sampled.run(span, () => endAfter(span, work))
  }
  return {
    trace(name, attributes, work, traceparent = null) {
      const parent = traceparent === null ? null : parseTraceParent(traceparent)
      if (parent === null ? options.sample() : isSampled(parent)) {
        const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
        return record(name, SpanKind.SERVER, attributes, context, work)
      }
      // A job started from inside a sampled request would otherwise write itself into that trace.
      return sampled.getStore() === undefined ? work(UNRECORDED) : sampled.run(undefined, work, UNRECORDED)
    },
    span(name, attributes, work) {
      const outer = sampled.getStore()
      if (outer === undefined) return work(UNRECORDED)
      return record(name, SpanKind.INTERNAL, attributes, trace.setSpan(ROOT_CONTEXT, outer), work)
    },
    currentTraceparent() {
      const span = sampled.getStore()
      if (span !== undefined) return formatTraceparent(span.spanContext())
      const context = { traceId: ids.generateTraceId(), spanId: ids.generateSpanId(), traceFlags: TraceFlags.NONE }
      return formatTraceparent(context)
    },
    currentTraceId: () => sampled.getStore()?.spanContext().traceId ?? null,
    close: () => provider.shutdown(),
  }
}

function isSampled(context: SpanContext): boolean {
  return (context.traceFlags & TraceFlags.SAMPLED) !== 0
}

function startSpan(tracer: Tracer, name: string, kind: SpanKind, attributes: Attributes, parent: Context): Span {
  return tracer.startSpan(name, { kind, attributes: allowedAttributes(attributes) }, parent)
}

async function endAfter<T>(span: Span, work: Work<T>): Promise<T> {
  try {
    return await work({ set: (attributes) => void span.setAttributes(allowedAttributes(attributes)) })
  } catch (error) {
    // The message may quote user input, so only the kind of error is recorded.
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** The catalog key of a refusal is more specific than its class. */
function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const key: unknown = Reflect.get(error, 'key')
  return typeof key === 'string' && /^[a-z0-9_.]{3,60}$/.test(key) ? key : error.name
}

function formatTraceparent(context: SpanContext): string {
  return `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`
}
