import type { Ids } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import type { IdempotencyStore } from './idempotency/port.ts'

export interface ServerOptions {
  readonly telemetry: Telemetry
  readonly ids: Ids
  /** The word in `X-<Vendor>-Api-Version`. */
  readonly headerVendor: string
  readonly apiVersion: string
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins of the web apps; all others get no CORS headers. */
  readonly appOrigins: readonly string[]
  /** Required as soon as a bound operation creates something. */
  readonly idempotency?: IdempotencyStore
  /** For operations without a limit of their own; 1 MiB by default. */
  readonly maxBodyBytes?: number
  /** How long a caller may take to send a request; 120 s by default. */
  readonly requestTimeoutMs?: number
  /**
   * For tests: an answer that the operation does not declare becomes a 500 that says so. See [Note: strict contract].
   */
  readonly strictContract?: boolean
}
