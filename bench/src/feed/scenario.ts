import type { Figures, Scenario, ScenarioContext } from '@sealpost/testkit'
import { measureAppends } from './append.ts'
import { measureDrained } from './drained.ts'
import { medianRatio, typical } from './figures.ts'
import { measureInTurns, type Rounds } from './rounds.ts'
import { type Family, seedFeeds } from './seed.ts'
import { type FeedRegion, type FeedSite, startFeedSite } from './site.ts'
import { type DrainTarget, openBareDrain, openDrain, PAGE, pickFeeds } from './targets.ts'

interface Size extends Rounds {
  /** Feeds of each family in the large region; the other one has FEW. */
  readonly owners: number
  /** Events that are drained before the table counts as used. */
  readonly drained: number
  readonly edits: number
}

const FEW = 20
const SMALL: Size = { owners: 60, warmUps: 8, rounds: 7, drained: 40_000, edits: 100 }
const FULL: Size = { owners: 10_000, warmUps: 20, rounds: 25, drained: 2_000_000, edits: 500 }
/** Of the large region so many are drained in turn, FEW in each round: far more than the server's own memory holds. */
const PICKED = 100
const FAMILIES: readonly Family[] = ['ids', 'fields']

/**
 * What a page of a feed costs: against the bare statements, among ten thousand feeds whose events lie scattered, and after
 * two million events; and what an event costs whoever appends it. Only ratios are judged: the machine is shared.
 */
export const feedScenario: Scenario = {
  name: 'feed',
  about: 'CPU of pages of a feed against bare SQL, among ten thousand feeds, after two million events; of appending',
  bars: [
    { figure: 'ids_rate_to_bare', atLeast: 0.5 },
    { figure: 'fields_rate_to_bare', atLeast: 0.5 },
    { figure: 'ids_growth', atMost: 1.5 },
    { figure: 'fields_growth', atMost: 1.5 },
    { figure: 'drained_to_fresh', atMost: 1.3 },
    { figure: 'append_to_bare', atMost: 1.5 },
  ],
  smallBars: [
    { figure: 'ids_rate_to_bare', atLeast: 0.3 },
    { figure: 'fields_rate_to_bare', atLeast: 0.3 },
    { figure: 'ids_growth', atMost: 2 },
    { figure: 'fields_growth', atMost: 2 },
    { figure: 'drained_to_fresh', atMost: 2 },
    { figure: 'append_to_bare', atMost: 2.5 },
  ],
  run: (context) => measureFeeds(context, context.isSmall ? SMALL : FULL),
}

export async function measureFeeds(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await startFeedSite(context)
  for (const family of FAMILIES) {
    await seed(context, site.few, family, FEW)
    await seed(context, site.large, family, size.owners)
  }
  const [few, large] = await Promise.all([openDrain(context, site.few, 'few'), openDrain(context, site.large, 'large')])
  const targets: Targets = { few, large, bare: await openBareDrain(context, site.few) }
  const figures: Record<string, number> = { feeds: size.owners }
  for (const family of FAMILIES) Object.assign(figures, await measurePages(context, { site, targets, size, family }))
  const appends = await measureAppends(context, site, size)
  figures['append_us'] = typical(appends.ours)
  figures['append_bare_us'] = typical(appends.bare)
  figures['append_to_bare'] = medianRatio(appends.ours, appends.bare)
  const drained = await measureDrained(context, { site, ...targets, ...size, feeds: FEW })
  return { ...figures, ...drained }
}

interface Targets {
  readonly few: DrainTarget
  readonly large: DrainTarget
  readonly bare: DrainTarget
}

async function measurePages(
  context: ScenarioContext,
  { site, targets, size, family }: { site: FeedSite; targets: Targets; size: Size; family: Family },
): Promise<Readonly<Record<string, number>>> {
  const few = await pickFeeds(site.few, family, { owners: FEW, count: FEW })
  const large = await pickFeeds(site.large, family, { owners: size.owners, count: Math.min(PICKED, size.owners) })
  const [fewCosts = [], largeCosts = [], bareCosts = []] = await measureInTurns(context, family, size, [
    { target: targets.few, region: site.few, feeds: few, atOnce: FEW },
    { target: targets.large, region: site.large, feeds: large, atOnce: FEW },
    { target: targets.bare, region: site.few, feeds: few, atOnce: FEW },
  ])
  return {
    [`${family}_page_us`]: typical(fewCosts),
    [`${family}_bare_us`]: typical(bareCosts),
    [`${family}_rate_to_bare`]: medianRatio(bareCosts, fewCosts),
    [`${family}_growth`]: medianRatio(largeCosts, fewCosts),
  }
}

async function seed(context: ScenarioContext, region: FeedRegion, family: Family, owners: number): Promise<void> {
  const total = owners * PAGE
  let shown = 0
  await seedFeeds(region.databaseUrl, { family, companyId: region.companyId, owners, rows: PAGE }, (done) => {
    if (done < shown + total / 4) return
    shown = done
    context.progress(`${done} of ${total} events (${family}) in ${region.app.name}`)
  })
}
