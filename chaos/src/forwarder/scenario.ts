import { atLeastOne, type Figures, hundredths, type Scenario, type ScenarioContext, zero } from '@sealpost/testkit'
import { type Program, startProgram } from '../load-program.ts'
import { compareLatencies, type Latency, latencyOf, measurePair, type Pair, sum, sumOf, watchMemory } from '../pairs.ts'
import { type Crowd, sendCrowd } from './crowd.ts'
import { CALLERS_PROGRAM, HOSTILE_PROGRAM, type HostileReport, KINDS } from './plan.ts'
import { type ForwarderSite, openForwarderSite } from './site.ts'

interface Size {
  readonly pairs: number
  readonly honestPlugins: number
  readonly callsPerPlugin: number
  readonly hostilePerKind: number
}

/** Under the 60 calls in a minute that a plugin may get. */
const PER_SECOND = 0.9

/**
 * Plugins that send too much, too slowly, without end, malformed, elsewhere, for another key, again, or from an address that
 * changes, each just under its limits of calls, beside others that answer. Pairs of runs with and without them are
 * compared by the latency of the others. Then the largest questions to plugins that do not answer fill the budget of a
 * process.
 */
export const forwarderScenario: Scenario<Size> = {
  name: 'forwarder',
  about: 'hostile plugins do not slow the calls of others, and do not fill the memory of the forwarder',
  sizes: {
    small: { pairs: 1, honestPlugins: 36, callsPerPlugin: 15, hostilePerKind: 1 },
    full: { pairs: 5, honestPlugins: 72, callsPerPlugin: 36, hostilePerKind: 4 },
  },
  bars: [
    ...zero('failed', 'private_dials', 'crowd_unexpected', 'unusable_after_crowd'),
    // A refused call may be reset before it has read the refusal.
    { figure: 'crowd_broken', atMost: 30 },
    // Otherwise the run proves nothing about that behaviour.
    ...atLeastOne(...KINDS.map(figureOf), 'crowd_refused'),
    { figure: 'median_ratio', atMost: 1.5, small: 6 },
    { figure: 'p99_ratio', atMost: 3, small: 20 },
    { figure: 'rss_mb', atMost: 300 },
  ],
  async run(context, size) {
    const site = await openForwarderSite(context, size)
    // Warms up caches and connections.
    await measure(context, site, size, false)
    const pairs: Pair<Measured>[] = []
    for (let number = 0; number < size.pairs; number += 1) {
      const pair = await measurePair(number, (isHostile) => measure(context, site, size, isHostile))
      pairs.push(pair)
      context.progress(`pair ${number + 1}: without ${describe(pair.without)}; beside them ${describe(pair.beside)}`)
    }
    const crowd = await sendCrowd(context, site)
    context.progress(`the largest questions at once: ${JSON.stringify(crowd)}`)
    return { ...(await summarize(site, pairs)), ...figuresOfCrowd(crowd) }
  },
}

function figureOf(kind: string): string {
  return `hostile_${kind.replace('-', '_')}`
}

interface Measured extends Latency {
  readonly failures: Readonly<Record<string, number>>
  readonly rssMb: number
  readonly hostile: HostileReport
}

async function measure(
  context: ScenarioContext,
  site: ForwarderSite,
  { callsPerPlugin }: Size,
  isHostile: boolean,
): Promise<Measured> {
  const hostile = isHostile ? await startHostile(site) : null
  if (hostile !== null) context.onEnd(() => hostile.end())
  await hostile?.started
  const load = startProgram(CALLERS_PROGRAM, {
    url: `${site.url}/call`,
    pass: await site.peer.pass('flow', site.honest),
    request: site.request,
    plugins: site.honest,
    callsPerPlugin,
    perSecond: PER_SECOND,
  })
  context.onEnd(() => load.end())
  const watched = watchMemory(site.pid)
  const { latencies, failures } = await load.report.finally(() => watched.stop())
  hostile?.stop()
  return { ...latencyOf(latencies), failures, rssMb: watched.mostMb(), hostile: (await hostile?.report) ?? {} }
}

async function startHostile(site: ForwarderSite): Promise<Program<HostileReport>> {
  const ids = site.hostile.map(({ id }) => id)
  return startProgram(HOSTILE_PROGRAM, {
    url: `${site.url}/call`,
    registryUrl: `${site.url}/registry`,
    pass: await site.peer.pass('flow', ids),
    registryPass: await site.peer.pass('registry', ids),
    request: site.request,
    plugins: site.hostile,
  })
}

async function summarize(site: ForwarderSite, pairs: readonly Pair<Measured>[]): Promise<Figures> {
  const all = pairs.flatMap(({ without, beside }) => [without, beside])
  const arrived = await site.stopHostile()
  return {
    pairs: pairs.length,
    calls: sum(all, ({ calls }) => calls),
    failed: sum(all, ({ failures }) => sumOf(failures, '')),
    // Counted at the servers, which answered so.
    ...Object.fromEntries(KINDS.map((kind) => [figureOf(kind), arrived[kind] ?? 0])),
    hostile_answers: sum(pairs, ({ beside }) => sumOf(beside.hostile, '')),
    private_dials: site.privateDials(),
    ...compareLatencies(pairs),
    rss_mb: Math.max(...all.map(({ rssMb }) => rssMb)),
  }
}

function figuresOfCrowd({ refused, unanswered, broken, unexpected, isUsable, rssMb }: Crowd): Figures {
  return {
    crowd_refused: refused,
    crowd_unanswered: unanswered,
    crowd_broken: broken,
    crowd_unexpected: unexpected,
    unusable_after_crowd: isUsable ? 0 : 1,
    crowd_rss_mb: rssMb,
  }
}

function describe({ median: middle, p99, calls, failures, rssMb, hostile }: Measured): string {
  const times = `median ${hundredths(middle)} ms, p99 ${hundredths(p99)} ms of ${calls}, failures ${JSON.stringify(failures)}`
  return Object.keys(hostile).length === 0
    ? `${times}, ${rssMb} MB`
    : `${times}, ${rssMb} MB, ${JSON.stringify(hostile)}`
}
