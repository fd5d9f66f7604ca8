/** What a region process of a fault run is told to do; handed over in the variable `REGION_PLAN`. */
export interface RegionPlan {
  readonly self: 'eu' | 'us'
  readonly databaseUrl: string
  readonly nats: { readonly eu: string; readonly us: string }
  readonly telling: TellingPlan | null
}

export interface TellingPlan {
  readonly to: 'eu' | 'us'
  readonly connections: number
  /** Per connection; a restarted process goes on after what its database holds. */
  readonly tellsEach: number
  /** Marks what was told in this life of the region. */
  readonly life: string
  readonly perSecond: number
}

/** What a region process reports several times a second. */
export interface RegionReport {
  readonly duplicates: number
}

export function parsePlan(text: string | undefined): RegionPlan {
  if (text === undefined) throw new Error('REGION_PLAN is not set: this program is started by `npm run chaos`')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startRegionProcess from this very type
  return JSON.parse(text) as RegionPlan
}
