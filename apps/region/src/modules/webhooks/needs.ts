import type { Clock, EventId, Ids, Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Endpoint } from './delivery/endpoint.ts'

export interface TestOutcome {
  readonly eventId: EventId
  readonly httpStatus: number | null
  readonly durationMs: number
  readonly errorClass: string | null
}

export interface WebhooksNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  /** Seals the secrets. */
  readonly dataKey: Keyring
  /** `Platform` of `X-Platform-Signature`, or as the installation calls it. */
  readonly headerVendor: string
  /** Outside of any transaction. */
  readonly sendTest: (endpoint: Endpoint) => Promise<TestOutcome>
}
