import { hundredths, median, medianRatio, type ScenarioContext, withClient } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { addEvents } from './seed.ts'
import type { FeedSite } from './site.ts'
import { type DrainTarget, type Feed, PAGE, pickFeeds, rewind } from './targets.ts'

interface Plan {
  readonly site: FeedSite
  readonly few: DrainTarget
  /** Another region, whose tables do not change: how fast the machine is at the moment. */
  readonly large: DrainTarget
  readonly feeds: number
  readonly owners: number
  readonly samples: number
  /** The total number of events. */
  readonly drained: number
}

const FAMILY = 'ids'
const WARM_UPS = 2
/** Pages of a feed that are loaded and drained at a time. */
const BATCH_PAGES = 40

/** Compares pages of new events in fresh tables with the same after millions of events were drained. */
export async function measureAfterDrains(
  context: ScenarioContext,
  plan: Plan,
): Promise<Readonly<Record<string, number>>> {
  const { site, few, feeds: count, owners } = plan
  await rewind(site.few)
  const feeds = await pickFeeds(site.few, FAMILY, { owners: count, count })
  const others = await pickFeeds(site.large, FAMILY, { owners, count })
  await few.measure(feeds)
  let next = PAGE + 1
  const add = async (pages: number): Promise<void> => {
    const { companyId, databaseUrl } = site.few
    await addEvents(databaseUrl, { family: FAMILY, companyId, owners: count, rows: pages * PAGE }, next)
    next += pages * PAGE
  }
  const measurePages = (title: string) => measure(context, title, plan, { feeds, others, add })
  const fresh = await measurePages('a fresh table')
  await drainMuch(context, plan, { few, feeds, add })
  const used = await measurePages(`after ${plan.drained} events`)
  const ratio = medianRatio(used.few, used.large) / medianRatio(fresh.few, fresh.large)
  return {
    drained: plan.drained,
    fresh_page_us: Math.round(median(fresh.few)),
    drained_page_us: Math.round(median(used.few)),
    drained_to_fresh: hundredths(ratio),
    channel_and_page_kb: await tableSize(site.few.databaseUrl),
  }
}

interface Feeds {
  readonly feeds: readonly Feed[]
  readonly others: readonly Feed[]
  readonly add: (pages: number) => Promise<void>
}

function measure(
  context: ScenarioContext,
  title: string,
  { site, few, large, samples }: Plan,
  { feeds, others, add }: Feeds,
): Promise<{ readonly few: readonly number[]; readonly large: readonly number[] }> {
  const measures = {
    async few() {
      await add(1)
      return few.measure(feeds)
    },
    async large() {
      const cost = await large.measure(others)
      await rewind(site.large)
      return cost
    },
  }
  return alternate(measures, {
    samples,
    warmUps: WARM_UPS,
    onSample(number, costs) {
      const printed = `${costs.few.toFixed(0)}, the other region ${costs.large.toFixed(0)} µs a page`
      context.progress(`${title}, sample ${number} of ${samples}: ${printed}`)
    },
  })
}

/** Nothing is restored, and only the server itself cleans up. */
async function drainMuch(
  context: ScenarioContext,
  { drained, feeds: count }: Plan,
  { few, feeds, add }: Pick<Feeds, 'feeds' | 'add'> & { readonly few: DrainTarget },
): Promise<void> {
  const pages = Math.ceil(drained / count / PAGE)
  for (let done = 0; done < pages; done += BATCH_PAGES) {
    const batch = Math.min(BATCH_PAGES, pages - done)
    await add(batch)
    for (let page = 0; page < batch; page += 1) await few.measure(feeds)
    context.progress(`${(done + batch) * count * PAGE} of ${drained} events are drained`)
  }
}

function tableSize(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const sql = `select (pg_total_relation_size('feed.channel') + pg_total_relation_size('feed.page')) / 1024 as kb`
    const { rows } = await client.query<{ kb: string }>(sql)
    return Number(rows[0]?.kb)
  })
}
