import { programFile } from '../load-program.ts'

export const OFFER_PROGRAM = programFile<OfferPlan, OfferReport>('offer-program.ts', import.meta.url)

/** Calls that are due at fixed times, however long the answers take. */
export interface OfferPlan {
  readonly apiUrl: string
  readonly tenants: readonly Tenant[]
  readonly perSecond: number
  readonly seconds: number
}

export interface Tenant {
  readonly dataToken: string
  readonly portalToken: string
  readonly connectionId: string
}

export interface OfferReport {
  readonly sent: number
  /** Milliseconds from the due time to the last byte of a success. */
  readonly accepted: readonly number[]
  /** 503 with `Retry-After`. */
  readonly refused: number
  /** Anything else: other statuses, broken connections, no answer in time. */
  readonly wrong: Readonly<Record<string, number>>
}

/** The caller of an answer that comes later has given up. */
export const IN_TIME_MS = 5000
