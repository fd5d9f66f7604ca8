import type { EventOwner, Kind } from './events.ts'

/** What the publisher process is told to do; handed over in the variable `PUBLISHER_PLAN`. */
export interface PublisherPlan {
  readonly databaseUrl: string
  readonly owners: readonly EventOwner[]
  /** In all. */
  readonly events: number
  readonly perSecond: number
  /** Transactions at a time; each writes for services of its own, so that their order is known. */
  readonly writers: number
}

export interface PublishedRow {
  readonly service: number
  readonly id: string
  readonly kind: Kind
  readonly key: string | null
  readonly mark: string | null
}

/** What it reports: one message per transaction, in the order of the commits of each service. */
export type PublisherReport =
  /** `isSure` is false when the connection broke during the commit: whether the rows are there must be looked up. */
  | { readonly kind: 'rows'; readonly rows: readonly PublishedRow[]; readonly isSure: boolean; readonly atMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }

export function parsePublisherPlan(text: string | undefined): PublisherPlan {
  if (text === undefined) throw new Error('PUBLISHER_PLAN is not set: this program is started by `npm run chaos`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startPublisher from this very type
  return JSON.parse(text) as PublisherPlan
}
