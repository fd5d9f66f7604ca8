import {
  atLeastOne,
  type Scenario,
  type ScenarioContext,
  startPrivatePostgres,
  waitUntil,
  zero,
} from '@sealpost/testkit'
import { openRegionPair, type RegionPair, STALL_MS, waitUntilConfirmed, waitUntilSent } from '../region/pair.ts'
import { compareSteps } from './verify.ts'

interface Size {
  readonly tells: number
  readonly connections: number
  /** Of the sending region, the receiving region and the NATS server, each. */
  readonly kills: number
}

export const busScenario: Scenario<Size> = {
  name: 'bus',
  about: 'tells between two regions while both and the NATS server are killed, and its store is wiped',
  sizes: {
    small: { tells: 2000, connections: 50, kills: 2 },
    full: { tells: 20_000, connections: 50, kills: 10 },
  },
  bars: [
    ...zero('missing', 'duplicated', 'out_of_order', 'unexpected', 'kills_missing'),
    // Otherwise the run proves nothing about a wiped store.
    ...atLeastOne('wipes'),
  ],
  async run(context, size) {
    const pair = await openPair(context, size)
    const startedMs = performance.now()
    const { kills, wipes } = await killInTurn(context, pair, size)
    await waitUntilSent(pair.eu.reader, size.tells)
    await waitUntilConfirmed(pair.eu.reader)
    const seconds = (performance.now() - startedMs) / 1000
    return {
      tells: size.tells,
      applied: await pair.us.reader.count('received'),
      ...compareSteps(await pair.eu.reader.sent(), await pair.us.reader.received()),
      kills_sender: kills.sender,
      kills_receiver: kills.receiver,
      kills_nats: kills.nats,
      kills_missing: 3 * size.kills - kills.sender - kills.receiver - kills.nats,
      wipes,
      duplicates_suppressed: pair.us.process.duplicates(),
      applied_per_second: Math.round(size.tells / seconds),
    }
  },
}

/** eu sends to us; the link's messages wait at eu's NATS server. */
async function openPair(context: ScenarioContext, { tells, connections }: Size): Promise<RegionPair> {
  const postgres = await startPrivatePostgres()
  context.onEnd(() => postgres.remove())
  const sending = { to: 'us', connections, tellsEach: tells / connections, run: 'only', perSecond: 2000 } as const
  return openRegionPair(context, { eu: postgres, us: postgres }, { eu: sending, us: null })
}

const TARGETS = ['sender', 'receiver', 'nats'] as const
type Target = (typeof TARGETS)[number]

interface Kills {
  readonly kills: Readonly<Record<Target, number>>
  readonly wipes: number
}

/** Kills are spread over the applied tells, not over time, so that every kill hits a region at work on any machine. */
async function killInTurn(context: ScenarioContext, pair: RegionPair, size: Size): Promise<Kills> {
  const kills: Record<Target, number> = { sender: 0, receiver: 0, nats: 0 }
  const total = size.kills * TARGETS.length
  let wipes = 0
  for (let number = 0; number < total; number += 1) {
    const due = Math.floor((size.tells * (number + 1)) / (total + 2))
    await waitUntil(`${due} tells are applied`, STALL_MS, async () => (await pair.us.reader.count('received')) >= due)
    const target = TARGETS[number % TARGETS.length] ?? 'nats'
    const isStoreWiped = target === 'nats' && kills.nats === Math.floor(size.kills / 2)
    await restart(pair, target, isStoreWiped)
    kills[target] += 1
    if (isStoreWiped) wipes += 1
    const applied = await pair.us.reader.count('received')
    context.progress(
      `${applied} of ${size.tells} applied; killed ${target}${isStoreWiped ? ' and wiped its store' : ''}`,
    )
  }
  return { kills, wipes }
}

async function restart({ eu, us }: RegionPair, target: Target, isStoreWiped: boolean): Promise<void> {
  if (target === 'nats') {
    await eu.nats.kill()
    if (isStoreWiped) await eu.nats.wipe()
    await eu.nats.start()
    return
  }
  const { process } = target === 'sender' ? eu : us
  await process.kill()
  process.start()
}
