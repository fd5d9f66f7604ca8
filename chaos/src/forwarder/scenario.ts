import { atLeastOne, type Figures, hundredths, type Scenario, type ScenarioContext, zero } from '@sealpost/testkit'
import { type Program, startProgram } from '../load-program.ts'
import { compareLatencies, type Latency, latencyOf, measurePair, type Pair, sum, sumOf, watchMemory } from '../pairs.ts'
import { CALLERS_PROGRAM, type CallersReport, HOSTILE_PROGRAM, type HostileReport, hostOf, KINDS } from './plan.ts'
import { type ForwarderSite, openForwarderSite } from './site.ts'

interface Size {
  readonly pairs: number
  readonly callsPerPlugin: number
  readonly perSecond: number
  readonly hostileInFlight: number
}

const HONEST = 9

/**
 * Plugins that send too much, too slowly, without end, malformed, elsewhere, for another key, again, or from an address that
 * changes, beside nine that answer. Pairs of runs with and without them are compared by the latency of the nine.
 */
export const forwarderScenario: Scenario<Size> = {
  name: 'forwarder',
  about: 'hostile plugins do not slow the calls of others, and do not fill the memory of the forwarder',
  sizes: {
    small: { pairs: 1, callsPerPlugin: 60, perSecond: 6, hostileInFlight: 4 },
    full: { pairs: 5, callsPerPlugin: 240, perSecond: 8, hostileInFlight: 8 },
  },
  bars: [
    ...zero('failed', 'private_dials'),
    // Otherwise the run proves nothing about that behaviour.
    ...atLeastOne(...KINDS.map(figureOf)),
    { figure: 'median_ratio', atMost: 1.5, small: 6 },
    { figure: 'p99_ratio', atMost: 3, small: 20 },
    { figure: 'rss_mb', atMost: 300 },
  ],
  async run(context, size) {
    const site = await openForwarderSite(context, HONEST)
    // Warms up caches and connections.
    await measure(context, site, size, false)
    const pairs: Pair<Measured>[] = []
    for (let number = 0; number < size.pairs; number += 1) {
      const pair = await measurePair(number, (isHostile) => measure(context, site, size, isHostile))
      pairs.push(pair)
      context.progress(`pair ${number + 1}: without ${describe(pair.without)}; beside them ${describe(pair.beside)}`)
    }
    return summarize(site, pairs)
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
  { callsPerPlugin, perSecond, hostileInFlight }: Size,
  isHostile: boolean,
): Promise<Measured> {
  const hostile = isHostile ? await startHostile(site, hostileInFlight) : null
  if (hostile !== null) context.onEnd(() => hostile.end())
  await hostile?.started
  const load = startProgram<CallersReport>(CALLERS_PROGRAM, {
    url: `${site.url}/call`,
    pass: await site.peer.pass('flow', site.honest),
    request: site.request,
    plugins: site.honest,
    callsPerPlugin,
    perSecond,
  })
  context.onEnd(() => load.end())
  const watched = watchMemory(site.pid)
  const { latencies, failures } = await load.report.finally(() => watched.stop())
  hostile?.stop()
  return { ...latencyOf(latencies), failures, rssMb: watched.mostMb(), hostile: (await hostile?.report) ?? {} }
}

async function startHostile(site: ForwarderSite, callsInFlight: number): Promise<Program<HostileReport>> {
  const ids = Object.values(site.hostile)
  return startProgram<HostileReport>(HOSTILE_PROGRAM, {
    url: `${site.url}/call`,
    registryUrl: `${site.url}/registry`,
    pass: await site.peer.pass('flow', ids),
    registryPass: await site.peer.pass('registry', ids),
    request: site.request,
    plugins: site.hostile,
    callsInFlight,
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
    ...Object.fromEntries(KINDS.map((kind) => [figureOf(kind), arrived[hostOf(kind)] ?? 0])),
    hostile_answers: sum(pairs, ({ beside }) => sumOf(beside.hostile, '')),
    private_dials: site.privateDials(),
    ...compareLatencies(pairs),
    rss_mb: Math.max(...all.map(({ rssMb }) => rssMb)),
  }
}

function describe({ median: middle, p99, calls, failures, rssMb, hostile }: Measured): string {
  const times = `median ${hundredths(middle)} ms, p99 ${hundredths(p99)} ms of ${calls}, failures ${JSON.stringify(failures)}`
  return Object.keys(hostile).length === 0
    ? `${times}, ${rssMb} MB`
    : `${times}, ${rssMb} MB, ${JSON.stringify(hostile)}`
}
