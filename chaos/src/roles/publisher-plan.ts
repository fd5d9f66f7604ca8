import type { EventOwner, Kind } from './events.ts'

/** Instructions for the publisher process, passed as JSON in the variable `PUBLISHER_PLAN`. */
export interface PublisherPlan {
  readonly databaseUrl: string
  readonly owners: readonly EventOwner[]
  /** The total over all services. */
  readonly events: number
  readonly perSecond: number
  /** Concurrent transactions; each writer has its own services, so that the order of their commits is known. */
  readonly writers: number
}

export interface PublishedRow {
  readonly service: number
  readonly id: string
  readonly kind: Kind
  readonly key: string | null
  readonly mark: string | null
}

/** One message per transaction, in the order of the commits of each service. */
export type PublisherReport =
  /** `isSure` is false when the connection broke during the commit: only the database knows whether the rows exist. */
  | { readonly kind: 'rows'; readonly rows: readonly PublishedRow[]; readonly isSure: boolean; readonly atMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }

export function parsePublisherPlan(text: string | undefined): PublisherPlan {
  if (text === undefined) throw new Error('PUBLISHER_PLAN is not set: this program is started by `npm run chaos`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startPublisher from this type
  return JSON.parse(text) as PublisherPlan
}
