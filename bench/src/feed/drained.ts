import type { ScenarioContext } from '@sealpost/testkit'
import { hundredths, medianRatio, typical } from './figures.ts'
import { addEvents, withClient } from './seed.ts'
import type { FeedSite } from './site.ts'
import { type DrainTarget, type Feed, PAGE, pickFeeds, rewind } from './targets.ts'

interface Plan {
  readonly site: FeedSite
  readonly few: DrainTarget
  /** Another region, whose tables stay as they are: how fast the machine is at the moment. */
  readonly large: DrainTarget
  readonly feeds: number
  readonly owners: number
  readonly rounds: number
  /** Events in all. */
  readonly drained: number
}

const FAMILY = 'ids'
const WARM_UP_ROUNDS = 2
/** Loaded and drained by so many at a time. */
const STEP_PAGES = 40

/** Pages of what comes now, in tables that little was ever drained from and in the same after very much was. */
export async function measureDrained(context: ScenarioContext, plan: Plan): Promise<Readonly<Record<string, number>>> {
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
  const look = (what: string) => measure(context, what, plan, { feeds, others, add })
  const fresh = await look('a fresh table')
  await drainMuch(context, plan, { few, feeds, add })
  const used = await look(`after ${plan.drained} events`)
  const ratio = medianRatio(used.few, used.large) / medianRatio(fresh.few, fresh.large)
  return {
    drained: plan.drained,
    fresh_page_us: typical(fresh.few),
    drained_page_us: typical(used.few),
    drained_to_fresh: hundredths(ratio),
    channel_and_page_kb: await tableSize(site.few.databaseUrl),
  }
}

interface Ways {
  readonly feeds: readonly Feed[]
  readonly others: readonly Feed[]
  readonly add: (pages: number) => Promise<void>
}

async function measure(
  context: ScenarioContext,
  what: string,
  { site, few, large, rounds }: Plan,
  { feeds, others, add }: Ways,
): Promise<{ readonly few: readonly number[]; readonly large: readonly number[] }> {
  const costs: { readonly few: number[]; readonly large: number[] } = { few: [], large: [] }
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    await add(1)
    const fewCost = await few.measure(feeds)
    const largeCost = await large.measure(others)
    await rewind(site.large)
    if (round < 0) continue
    costs.few.push(fewCost)
    costs.large.push(largeCost)
    context.progress(
      `${what}, round ${round + 1} of ${rounds}: ${fewCost.toFixed(0)}, the other region ${largeCost.toFixed(0)} µs a page`,
    )
  }
  return costs
}

/** Nothing is put back and nothing is cleaned up but by the server itself. */
async function drainMuch(
  context: ScenarioContext,
  { drained, feeds: count }: Plan,
  { few, feeds, add }: Pick<Ways, 'feeds' | 'add'> & { readonly few: DrainTarget },
): Promise<void> {
  const pages = Math.ceil(drained / count / PAGE)
  for (let done = 0; done < pages; done += STEP_PAGES) {
    const step = Math.min(STEP_PAGES, pages - done)
    await add(step)
    for (let page = 0; page < step; page += 1) await few.measure(feeds)
    context.progress(`${(done + step) * count * PAGE} of ${drained} events are drained`)
  }
}

function tableSize(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const sql = `select (pg_total_relation_size('feed.channel') + pg_total_relation_size('feed.page')) / 1024 as kb`
    const { rows } = await client.query<{ kb: string }>(sql)
    return Number(rows[0]?.kb)
  })
}
