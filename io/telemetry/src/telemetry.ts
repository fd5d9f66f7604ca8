import type { Attributes } from './attributes.ts'

/**
 * The log, the metrics and the traces of one process. Adapters take this interface, so that tests can pass a quiet one.
 */
export interface Telemetry {
  readonly log: Log
  counter(name: string, about: string): Counter
  /** Seconds when the name ends in `_seconds`, otherwise plain amounts; the default boundaries follow from that. */
  histogram(name: string, about: string, boundaries?: readonly number[]): Histogram
  /** Read when metrics are collected. */
  gauge(name: string, about: string, read: () => number, attributes?: Attributes): void
  /**
   * Runs `work` as the first span of a trace: at the edge of a process, where a request, a message or a job comes in.
   * `parent` is the `traceparent` of another process of ours, whose sampling decision then applies; without one the
   * sample ratio decides. Never pass an external caller's header: it would decide what we record.
   */
  trace<T>(
    name: string,
    attributes: Attributes,
    work: (span: ActiveSpan) => Promise<T>,
    parent?: string | null,
  ): Promise<T>
  /** Runs `work` in a span of the current trace; outside of a sampled trace it only runs `work`. */
  span<T>(name: string, attributes: Attributes, work: (span: ActiveSpan) => Promise<T>): Promise<T>
  /** The `traceparent` to send to another process of ours; null while tracing is off. */
  currentTraceparent(): string | null
  /** The metrics in Prometheus' text format. */
  prometheus(): Promise<string>
  /** Sends the remaining buffer and stops. */
  close(): Promise<void>
}

/** The span that `work` runs in; a thrown error marks it automatically. */
export interface ActiveSpan {
  set(attributes: Attributes): void
}

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Log
}

export interface Counter {
  add(amount: number, attributes?: Attributes): void
  /** The same counter with its attributes looked up once, for code that runs on every request. */
  bind(attributes: Attributes): BoundCounter
}

export interface BoundCounter {
  add(amount: number): void
}

export interface Histogram {
  record(value: number, attributes?: Attributes): void
  bind(attributes: Attributes): BoundHistogram
}

export interface BoundHistogram {
  record(value: number): void
}
