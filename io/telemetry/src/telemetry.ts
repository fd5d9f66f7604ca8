/** The log, the metrics and the traces of one process. Adapters take this interface, so that tests can pass a quiet one. */
export interface Telemetry {
  readonly log: Log
  counter(name: string, about: string): Counter
  histogram(name: string, about: string): Histogram
  /** Read when metrics are collected. */
  gauge(name: string, about: string, read: () => number): void
  /** Runs `work` in a span; a thrown error marks it. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** The metrics in Prometheus' text format. */
  prometheus(): Promise<string>
  close(): Promise<void>
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Log
}

export interface Counter {
  add(amount: number, attributes?: Attributes): void
}

export interface Histogram {
  record(value: number, attributes?: Attributes): void
}
