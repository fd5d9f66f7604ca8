import { type Figures, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { measureAfterDrains } from './after-drains.ts'
import { measureAppends } from './append.ts'
import { type Family, seedFeeds } from './seed.ts'
import { type FeedRegion, type FeedSite, startFeedSite } from './site.ts'
import { type DrainTarget, type Feed, openBareDrain, openDrain, PAGE, pickFeeds, rewind } from './targets.ts'

interface Size {
  /** Feeds of each family in the large region; the other one has FEW. */
  readonly owners: number
  readonly warmUps: number
  readonly samples: number
  /** Events that are drained before the tables count as used. */
  readonly drained: number
  readonly edits: number
}

const FEW = 20
/** Feeds of the large region that are drained in turn, FEW per sample: far more than the server's cache holds. */
const PICKED = 100
const FAMILIES: readonly Family[] = ['ids', 'fields']

/**
 * The cost of a page of a feed: against the bare statements, among ten thousand feeds with interleaved events, and after two
 * million drained events; and the cost of appending an event. The bars are ratios, because the machine is shared.
 */
export const feedScenario: Scenario<Size> = {
  name: 'feed',
  about: 'CPU of pages of a feed against bare SQL, among ten thousand feeds, after two million events; of appending',
  sizes: {
    small: { owners: 60, warmUps: 2, samples: 3, drained: 20_000, edits: 50 },
    full: { owners: 10_000, warmUps: 20, samples: 25, drained: 2_000_000, edits: 500 },
  },
  bars: [
    { figure: 'ids_rate_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'fields_rate_to_bare', atLeast: 0.5, small: 0.3 },
    { figure: 'ids_growth', atMost: 1.5, small: 2 },
    { figure: 'fields_growth', atMost: 1.5, small: 2 },
    { figure: 'drained_to_fresh', atMost: 1.3, small: 2 },
    { figure: 'append_to_bare', atMost: 1.5, small: 2.5 },
  ],
  run: measureFeeds,
}

async function measureFeeds(context: ScenarioContext, size: Size): Promise<Figures> {
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
  figures['append_us'] = Math.round(median(appends.ours))
  figures['append_bare_us'] = Math.round(median(appends.bare))
  figures['append_to_bare'] = medianRatio(appends.ours, appends.bare)
  const drained = await measureAfterDrains(context, { site, ...targets, ...size, feeds: FEW })
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
  const costs = await alternate(
    {
      few: drainInTurn(targets.few, site.few, few),
      large: drainInTurn(targets.large, site.large, large),
      bare: drainInTurn(targets.bare, site.few, few),
    },
    {
      warmUps: size.warmUps,
      samples: size.samples,
      onSample(number, values) {
        const printed = Object.entries(values).map(([name, cost]) => `${name} ${cost.toFixed(0)}`)
        context.progress(`${family}, sample ${number} of ${size.samples}: ${printed.join(', ')} µs a page`)
      },
    },
  )
  return {
    [`${family}_page_us`]: Math.round(median(costs.few)),
    [`${family}_bare_us`]: Math.round(median(costs.bare)),
    [`${family}_rate_to_bare`]: medianRatio(costs.bare, costs.few),
    [`${family}_growth`]: medianRatio(costs.large, costs.few),
  }
}

/** Drains the next FEW feeds at every sample and restores them. */
function drainInTurn(
  target: DrainTarget,
  region: FeedRegion,
  feeds: readonly Feed[],
): (index: number) => Promise<number> {
  return async (index) => {
    const from = (index * FEW) % feeds.length
    const cost = await target.measure(feeds.slice(from, from + FEW))
    await rewind(region)
    return cost
  }
}

async function seed(context: ScenarioContext, region: FeedRegion, family: Family, owners: number): Promise<void> {
  const total = owners * PAGE
  let printed = 0
  await seedFeeds(region.databaseUrl, { family, companyId: region.companyId, owners, rows: PAGE }, (done) => {
    if (done < printed + total / 4) return
    printed = done
    context.progress(`${done} of ${total} events (${family}) in ${region.app.name}`)
  })
}
