import type { Ids } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import type { AdmissionLimits } from './admission.ts'
import type { IdempotencyStore } from './idempotency/port.ts'
import type { InflightLimits } from './inflight.ts'
import type { IntakeLimits } from './intake.ts'
import type { ReaderLimit } from './reader-limit.ts'
import type { SocketLimits } from './sockets.ts'

export interface ServerOptions {
  readonly telemetry: Telemetry
  readonly ids: Ids
  /** The word in `X-<Vendor>-Api-Version`. */
  readonly headerVendor: string
  readonly apiVersion: string
  /** The address of the page about errors, at the front door. */
  readonly errorsUrl: string
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins of the web apps; all others get no CORS headers. */
  readonly appOrigins: readonly string[]
  /**
   * For a server that takes neither cookies nor tokens: pages of every origin may read its answers, without
   * credentials.
   */
  readonly isOpenToAllOrigins?: boolean
  /** Required as soon as a bound operation creates something. */
  readonly idempotency?: IdempotencyStore
  /** For operations without a limit of their own; 1 MiB by default. */
  readonly maxBodyBytes?: number
  readonly sockets?: Partial<SocketLimits>
  readonly inflight?: Partial<InflightLimits>
  readonly intake?: Partial<IntakeLimits>
  readonly admission?: Partial<AdmissionLimits>
  /** Whether calls wait for an engine that every call needs. */
  readonly isCrowded?: () => boolean
  /** The size at which a page of a list ends; 8 MB by default. See [Note: lists in pieces]. */
  readonly pageBytes?: number
  /** How slowly an answer may be read; 16 KB in two minutes by default. */
  readonly readers?: ReaderLimit
  /**
   * For tests: an answer that the operation does not declare becomes a 500 that says so. See [Note: strict contract].
   */
  readonly strictContract?: boolean
}
