import type { SdkEvent, SdkWarning } from './options.ts'

/** The environment of requests: network, clock, waits, log. */
export interface Wire {
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  readonly maxWaitSeconds: number
  readonly requestTimeoutMs: number
  readonly userAgent: string | null
  readonly log: (event: SdkEvent) => void
  readonly warn: (warning: SdkWarning) => void
}
