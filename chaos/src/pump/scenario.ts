import { readdirSync } from 'node:fs'
import { openDatabase } from '@sealpost/postgres'
import { atLeastOne, type Figures, type Scenario, type ScenarioContext, waitUntil, zero } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { openFeedReader } from '../delivery/feed-reader.ts'
import { type GatedLoad, injectFaults } from '../inject-faults.ts'
import { type Felt, killInTurn, planFaults } from './faults.ts'
import { readHandled } from './handled.ts'
import { type Judgement, judge } from './judge.ts'
import { type ChangeLoad, startLoad } from './load.ts'
import { openPosition, type Position, STALL_MS } from './position.ts'
import { type PumpSite, startPumpSite } from './site.ts'

interface Size {
  readonly changes: number
  readonly perSecond: number
  /** Of each of the four processes. */
  readonly kills: number
  /** Each has one fault of every kind. */
  readonly rounds: number
}

const SEED = 1
/** What was passed over may still come, which would be out of order instead of lost. */
const LATE_MS = 10_000
const CHAINS = ['pump', 'receiver', 'listen'] as const

/**
 * Three consumers of one service handle the same changes: the SDK's pump, the SDK's receiver of webhooks, and `sealpost
 * listen` with a receiver behind it. All are killed at random, their disk gets full, their clocks jump, their secret is
 * replaced, readers of the feed are set back, and front door, API and worker are killed. Each must handle exactly the
 * changes that the region acknowledged.
 */
export const pumpScenario: Scenario<Size> = {
  name: 'pump',
  about:
    'consumers with the pump, the webhook receiver and `sealpost listen` are killed: no change is lost or repeated',
  sizes: {
    small: { changes: 1200, perSecond: 150, kills: 4, rounds: 1 },
    full: { changes: 50_000, perSecond: 300, kills: 50, rounds: 5 },
  },
  bars: [
    ...zero('lost', 'unexpected', 'out_of_order', 'unexplained_repeats', 'dead_letters'),
    ...zero('left_in_feed', 'left_files', 'unfelt', 'kills_missing'),
    ...atLeastOne('interrupted'),
  ],
  run: runPump,
}

async function runPump(context: ScenarioContext, size: Size): Promise<Figures> {
  const site = await startPumpSite(context)
  context.progress('the consumers run')
  const load = await openLoad(context, site, size.perSecond)
  const felt: Felt = { count: 0 }
  const positions = positionsOf(site, load)
  const faults = planFaults(site, size.rounds, felt, positions)
  const killing = killAll(site, size, positions)
  killing.catch(() => {})
  const gated = gatedLoad(load, size, felt, positions)
  const unfelt = await injectFaults(context, faults, gated)
  await killing
  await untilHandled(site, load, positions)
  context.progress(`all is handled; ${gated.describe()}`)
  await load.end()
  const { pump, receiver, listen, target } = site
  const consumers = [pump, receiver, listen, target]
  await Promise.all(consumers.map((one) => one.end()))
  const judged = CHAINS.map((chain) => judge(load.acknowledged, readHandled(site.effects[chain])))
  const sum = (figure: keyof Judgement): number => judged.reduce((all, one) => all + one[figure], 0)
  const total = (of: (one: (typeof consumers)[number]) => number): number =>
    consumers.reduce((all, one) => all + of(one), 0)
  return {
    changes: load.acknowledged.length,
    ...Object.fromEntries(CHAINS.map((chain, at) => [`handled_by_${chain}`, judged[at]?.handled ?? 0])),
    lost: sum('lost'),
    unexpected: sum('unexpected'),
    out_of_order: sum('outOfOrder'),
    repeated: sum('repeated'),
    unexplained_repeats: sum('unexplained'),
    left_in_feed: await countWaiting(site),
    left_files: site.stores.flatMap(filesLeft).length,
    kills: total(({ counts }) => counts.kills),
    kills_missing: consumers.filter(({ counts }) => counts.kills < size.kills).length,
    exits: total(({ counts }) => counts.exits),
    starts: total(({ counts }) => counts.starts),
    interrupted: countInterrupted(site, load),
    faults: faults.length,
    full_disk: site.disk === null ? 'cannot be had here' : 'yes',
    unfelt,
    dead_letters: total((one) => one.printed(/dead letter|was not posted/)),
    possible_losses: pump.printed(/possible loss/),
    refused_deliveries: receiver.printed(/answered 401/),
  }
}

async function openLoad(context: ScenarioContext, { site, service }: PumpSite, perSecond: number): Promise<ChangeLoad> {
  const database = openDatabase({ url: site.databaseUrl, poolSize: 1, applicationName: 'chaos-load' })
  context.onEnd(() => database.close())
  const { number, companyId, serviceId } = service
  const owner = { number, companyId, serviceId, slot: null, personIds: [companyId] }
  const load = startLoad(database, owner, perSecond)
  context.onEnd(() => load.end())
  return load
}

export type Positions = Readonly<Record<(typeof CHAINS)[number], Position>>

function positionsOf({ effects }: PumpSite, { acknowledged }: ChangeLoad): Positions {
  const open = (chain: keyof Positions): Position => openPosition(effects[chain], acknowledged, () => performance.now())
  return { pump: open('pump'), receiver: open('receiver'), listen: open('listen') }
}

function gatedLoad(load: ChangeLoad, { changes }: Size, felt: Felt, positions: Positions): GatedLoad {
  return {
    total: changes,
    allow: (count) => load.allow(count),
    begun: () => load.acknowledged.length,
    done: () => Math.min(...CHAINS.map((chain) => positions[chain].settled())),
    troubles: () => felt.count,
    describe: () => `${load.acknowledged.length} acknowledged, reached: ${describePositions(positions)}`,
  }
}

function describePositions(positions: Positions): string {
  return CHAINS.map((chain) => `${chain} ${positions[chain].reached()}`).join(', ')
}

async function killAll(site: PumpSite, { changes, kills }: Size, positions: Positions): Promise<void> {
  const { pump, receiver, listen, target } = site
  const victims = [
    { consumer: pump, chain: 'pump' },
    { consumer: receiver, chain: 'receiver' },
    { consumer: listen, chain: 'listen' },
    { consumer: target, chain: 'listen' },
  ] as const
  await Promise.all(
    victims.map(({ consumer, chain }, at) =>
      killInTurn({ consumer, handled: () => positions[chain].settled(), kills, changes }, openDice(SEED + at)),
    ),
  )
}

/** Until every consumer has passed the last change, or gets no further; what it has not handled then is lost. */
async function untilHandled(site: PumpSite, { acknowledged }: ChangeLoad, positions: Positions): Promise<void> {
  const isPassed = (): boolean => CHAINS.every((chain) => positions[chain].settled() >= acknowledged.length)
  await waitUntil('the last change is passed', 2 * STALL_MS, isPassed)
  const isHandled = (): boolean =>
    CHAINS.every((chain) => new Set(readHandled(site.effects[chain]).flat()).size >= acknowledged.length)
  await waitUntil('every change is handled', LATE_MS, isHandled).catch(() => {})
}

/** Processes that ended after they had handled some of the changes, and not all. */
function countInterrupted(site: PumpSite, { acknowledged }: ChangeLoad): number {
  return CHAINS.flatMap((chain) => readHandled(site.effects[chain]).slice(0, -1)).filter(
    (handled) => handled.length > 0 && handled.at(-1) !== acknowledged.at(-1),
  ).length
}

/** Drafts of processes that were killed while they wrote them are removed after a minute. */
function filesLeft(store: string): readonly string[] {
  return readdirSync(store).filter((name) => name !== 'journal.jsonl' && !name.startsWith('new-'))
}

async function countWaiting({ site, service, webhookId }: PumpSite): Promise<number> {
  const reader = await openFeedReader(site.databaseUrl)
  try {
    const { webhooks, plain } = await reader.queued()
    return (webhooks.get(webhookId)?.size ?? 0) + (plain.get(service.serviceId)?.size ?? 0)
  } finally {
    await reader.close()
  }
}
