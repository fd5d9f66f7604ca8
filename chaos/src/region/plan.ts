/** Instructions for a region process of a fault run, passed as JSON in the variable `REGION_PLAN`. */
export interface RegionPlan {
  readonly self: 'eu' | 'us'
  readonly databaseUrl: string
  readonly nats: Readonly<Record<'eu' | 'us', { readonly url: string; readonly key: string }>>
  readonly sending: SendingPlan | null
}

export interface SendingPlan {
  readonly to: 'eu' | 'us'
  readonly connections: number
  /** Per connection; a restarted process continues after the rows in its database. */
  readonly tellsEach: number
  /** Marks the tells of this run of the region. */
  readonly run: string
  readonly perSecond: number
}

/** Sent by a region process several times a second. */
export interface RegionReport {
  readonly duplicates: number
}

export function parsePlan(text: string | undefined): RegionPlan {
  if (text === undefined) throw new Error('REGION_PLAN is not set: this program is started by `npm run chaos`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startRegionProcess from this type
  return JSON.parse(text) as RegionPlan
}
