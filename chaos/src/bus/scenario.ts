import {
  type Bar,
  type Scenario,
  type ScenarioContext,
  startPrivateNats,
  startPrivatePostgres,
  waitUntil,
} from '@sealpost/testkit'
import { type Books, createRegionDatabase, openBooks } from '../region/books.ts'
import { startRegionProcess } from '../region/process.ts'
import { compareSteps } from './verify.ts'

interface Size {
  readonly tells: number
  readonly connections: number
  /** Of the sending region, the receiving region and the NATS server, each. */
  readonly kills: number
}

const FULL: Size = { tells: 20_000, connections: 50, kills: 10 }
const SMALL: Size = { tells: 2000, connections: 50, kills: 2 }

const bars: readonly Bar[] = [
  { figure: 'missing', atMost: 0 },
  { figure: 'doubled', atMost: 0 },
  { figure: 'disordered', atMost: 0 },
  { figure: 'invented', atMost: 0 },
  { figure: 'kills_short', atMost: 0 },
  { figure: 'wipes', atLeast: 1 },
]

const STALL_MS = 120_000

/** Who is killed, in turn. */
interface Victim {
  readonly name: 'sender' | 'receiver' | 'nats'
  kill(withStore: boolean): Promise<void>
}

export const busScenario: Scenario = {
  name: 'bus',
  about: 'tells between two regions while both and the NATS server are killed, and its store is wiped',
  bars,
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await openSite(context, size)
    const startedMs = performance.now()
    const kills = await killAlongTheWay(context, site, size)
    await waitForAll(context, site.us, site.eu, size.tells)
    const seconds = (performance.now() - startedMs) / 1000
    const verdict = compareSteps(await site.eu.told(), await site.us.heard())
    return {
      tells: size.tells,
      applied: await site.us.count('heard'),
      ...verdict,
      kills_sender: kills.sender,
      kills_receiver: kills.receiver,
      kills_nats: kills.nats,
      kills_short: 3 * size.kills - kills.sender - kills.receiver - kills.nats,
      wipes: site.wipes(),
      duplicates_suppressed: site.duplicates(),
      applied_per_second: Math.round(size.tells / seconds),
    }
  },
}

interface Site {
  readonly eu: Books
  readonly us: Books
  readonly victims: readonly Victim[]
  wipes(): number
  duplicates(): number
}

/** eu tells us; the link's messages wait at eu's NATS. */
async function openSite(context: ScenarioContext, size: Size): Promise<Site> {
  context.progress('starting PostgreSQL and two NATS servers')
  const postgres = await startPrivatePostgres()
  context.onEnd(() => postgres.remove())
  const [natsEu, natsUs] = await Promise.all([startPrivateNats(), startPrivateNats()])
  context.onEnd(async () => void (await Promise.all([natsEu.remove(), natsUs.remove()])))
  const urls = {
    eu: await createRegionDatabase(postgres.url, 'eu'),
    us: await createRegionDatabase(postgres.url, 'us'),
  }
  const [eu, us] = [await openBooks(urls.eu), await openBooks(urls.us)]
  context.onEnd(async () => void (await Promise.all([eu.close(), us.close()])))
  const nats = { eu: natsEu.url, us: natsUs.url }
  const tellsEach = size.tells / size.connections
  const telling = { to: 'us', connections: size.connections, tellsEach, life: 'only', perSecond: 2000 } as const
  const sender = startRegionProcess({ self: 'eu', databaseUrl: urls.eu, nats, telling })
  const receiver = startRegionProcess({ self: 'us', databaseUrl: urls.us, nats, telling: null })
  context.onEnd(async () => void (await Promise.all([sender.kill(), receiver.kill()])))
  let wipes = 0
  const restart = async (engine: typeof sender): Promise<void> => {
    await engine.kill()
    engine.start()
  }
  const victims: readonly Victim[] = [
    { name: 'sender', kill: () => restart(sender) },
    { name: 'receiver', kill: () => restart(receiver) },
    {
      name: 'nats',
      async kill(withStore) {
        await natsEu.kill()
        if (withStore) {
          await natsEu.wipe()
          wipes += 1
        }
        await natsEu.start()
      },
    },
  ]
  return { eu, us, victims, wipes: () => wipes, duplicates: () => receiver.duplicates() }
}

type KillCounts = Record<Victim['name'], number>

/** By what has been applied, not by the clock: so every kill meets all of them at work, on machines of any speed. */
async function killAlongTheWay(context: ScenarioContext, site: Site, size: Size): Promise<KillCounts> {
  const counts: KillCounts = { sender: 0, receiver: 0, nats: 0 }
  const rounds = size.kills * site.victims.length
  for (let round = 0; round < rounds; round += 1) {
    const due = Math.floor((size.tells * (round + 1)) / (rounds + 2))
    await waitUntil(`${due} tells were applied`, STALL_MS, async () => (await site.us.count('heard')) >= due)
    const victim = site.victims[round % site.victims.length]
    if (victim === undefined) continue
    const isStoreWiped = victim.name === 'nats' && counts.nats === Math.floor(size.kills / 2)
    await victim.kill(isStoreWiped)
    counts[victim.name] += 1
    const applied = await site.us.count('heard')
    context.progress(
      `${applied} of ${size.tells} applied; killed ${victim.name}${isStoreWiped ? ' and wiped its store' : ''}`,
    )
  }
  return counts
}

async function waitForAll(context: ScenarioContext, us: Books, eu: Books, tells: number): Promise<void> {
  await waitUntil(`${tells} tells were told`, STALL_MS, async () => (await eu.count('told')) >= tells)
  await waitUntil('every tell is confirmed', STALL_MS, async () => (await eu.count('bus.lane where pending')) === 0)
  context.progress(`${await us.count('heard')} of ${tells} applied; every tell is confirmed`)
}
