import type { Egress } from '@sealpost/egress'
import type { Clock, Ids, Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { FeedNeeds } from '../../feed/index.ts'

/** What one POST takes. */
export interface SendNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly egress: Egress
  readonly headerVendor: string
}

export interface DeliveryNeeds extends SendNeeds {
  readonly database: Database
  readonly feed: FeedNeeds
  readonly dataKey: Keyring
  readonly telemetry: Telemetry
  /** How long a webhook that failed is left alone before it is probed. */
  readonly graceMs: number
  /** While true no delivery starts. */
  readonly isPaused: () => Promise<boolean>
  /** For leases and freshness, which no change of the clock may stretch. */
  readonly monotonicMs: () => number
  readonly limits?: Partial<DeliveryLimits>
}

export interface DeliveryLimits {
  /** Webhooks that are served at once by this process. */
  readonly live: number
  /** Those among them that failed before; counted apart, so that hanging probes take nobody's place. */
  readonly probes: number
  readonly pollEveryMs: number
}

export const DELIVERY_LIMITS: DeliveryLimits = { live: 2_000, probes: 256, pollEveryMs: 50 }
