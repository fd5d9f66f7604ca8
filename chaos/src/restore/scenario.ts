import { raiseIncarnation } from '@sealpost/bus'
import { instant } from '@sealpost/kernel'
import { openDatabase } from '@sealpost/postgres'
import {
  type Bar,
  type PrivatePostgres,
  type Scenario,
  type ScenarioContext,
  startPrivateNats,
  startPrivatePostgres,
  startPrivateStandby,
  waitUntil,
} from '@sealpost/testkit'
import { type Books, createRegionDatabase, openBooks } from '../region/books.ts'
import type { RegionPlan } from '../region/plan.ts'
import { type RegionProcess, startRegionProcess } from '../region/process.ts'
import { compareRestored } from './verify.ts'

interface Size {
  /** In each direction. */
  readonly tells: number
  readonly connections: number
  readonly perSecond: number
}

const FULL: Size = { tells: 10_000, connections: 50, perSecond: 400 }
const SMALL: Size = { tells: 3000, connections: 50, perSecond: 300 }

const bars: readonly Bar[] = [
  { figure: 'missing', atMost: 0 },
  { figure: 'doubled', atMost: 0 },
  { figure: 'disordered', atMost: 0 },
  // Otherwise the run has not shown what it is for.
  { figure: 'sent_again', atLeast: 1 },
  { figure: 'forgotten', atLeast: 1 },
  { figure: 'waiting_in_backup', atLeast: 1 },
  { figure: 'forgotten_unreported', atMost: 0 },
  { figure: 'held_links', atMost: 0 },
]

const STALL_MS = 120_000
/** Parts of a direction's tells: when the backup is taken, and when the region is lost. */
const BACKUP_AT = 0.2
const LOST_AT = 0.7

export const restoreScenario: Scenario = {
  name: 'restore',
  about: 'a region is lost and comes back from an older physical backup with a new incarnation',
  bars,
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await openSite(context, size)
    const backup = await takeBackup(context, site, size)
    const lost = await loseRegion(context, site, size)
    const restored = await restoreRegion(context, site, backup, size)
    await waitForAll(context, restored, site.us, size)
    const [euTold, euHeard] = [await restored.told(), await restored.heard()]
    const [usTold, usHeard] = [await site.us.told(), await site.us.heard()]
    const toEu = compareRestored({ told: usTold, heard: euHeard })
    const toUs = compareRestored({ told: euTold, heard: usHeard })
    const reported = await restored.count(`bus.loss where what = 'forgotten'`)
    return {
      tells_each_way: size.tells,
      missing: toEu.missing + toUs.missing,
      doubled: toEu.doubled + toUs.doubled,
      disordered: toEu.disordered + toUs.disordered,
      heard_before_backup: backup.heard,
      heard_before_loss: lost.heard,
      sent_again: lost.heard - backup.heard,
      waiting_in_backup: backup.waiting,
      forgotten: toUs.extra,
      forgotten_unreported: Math.max(0, toUs.connectionsWithExtra - reported),
      held_links: (await held(restored)) + (await held(site.us)),
    }
  },
}

interface Site {
  readonly postgres: PrivatePostgres
  readonly eu: Books
  readonly us: Books
  readonly euProcess: RegionProcess
  readonly euPlan: RegionPlan
}

async function openSite(context: ScenarioContext, size: Size): Promise<Site> {
  context.progress('starting a PostgreSQL and a NATS server for each of two regions')
  const [postgresEu, postgresUs] = await Promise.all([startPrivatePostgres(), startPrivatePostgres()])
  context.onEnd(async () => void (await Promise.all([postgresEu.remove(), postgresUs.remove()])))
  const [natsEu, natsUs] = await Promise.all([startPrivateNats(), startPrivateNats()])
  context.onEnd(async () => void (await Promise.all([natsEu.remove(), natsUs.remove()])))
  const nats = { eu: natsEu.url, us: natsUs.url }
  const telling = { connections: size.connections, tellsEach: size.tells / size.connections, perSecond: size.perSecond }
  const euPlan: RegionPlan = {
    self: 'eu',
    nats,
    databaseUrl: await createRegionDatabase(postgresEu.url, 'eu'),
    telling: { ...telling, to: 'us', life: 'first' },
  }
  const usPlan: RegionPlan = {
    self: 'us',
    nats,
    databaseUrl: await createRegionDatabase(postgresUs.url, 'us'),
    telling: { ...telling, to: 'eu', life: 'only' },
  }
  const [eu, us] = [await openBooks(euPlan.databaseUrl), await openBooks(usPlan.databaseUrl)]
  context.onEnd(() => us.close())
  const euProcess = startRegionProcess(euPlan)
  const usProcess = startRegionProcess(usPlan)
  context.onEnd(async () => void (await Promise.all([euProcess.kill(), usProcess.kill()])))
  return { postgres: postgresEu, eu, us, euProcess, euPlan }
}

interface Backup {
  readonly server: PrivatePostgres
  readonly heard: number
  /** Told in the backup, and not yet confirmed in it. */
  readonly waiting: number
}

/** A physical copy of the running server, cut off at one moment in the middle of the traffic. */
async function takeBackup(context: ScenarioContext, site: Site, size: Size): Promise<Backup> {
  await waitUntilTold(site.eu, size.tells * BACKUP_AT)
  context.progress('taking a physical backup of eu while it works')
  const server = await startPrivateStandby(site.postgres)
  context.onEnd(() => server.remove())
  await server.catchUpWith(site.postgres)
  await server.promote()
  const books = await openBooks(urlOn(server))
  const heard = await books.count('heard')
  const waiting = await books.count(
    'bus.lane join bus.outbox using (target, key, incarnation) where outbox.seq > lane.confirmed_seq',
  )
  await books.close()
  context.progress(`the backup holds ${heard} heard tells and ${waiting} of its own that wait`)
  return { server, heard, waiting }
}

async function loseRegion(context: ScenarioContext, site: Site, size: Size): Promise<{ readonly heard: number }> {
  await waitUntilTold(site.eu, size.tells * LOST_AT)
  await site.euProcess.kill()
  const heard = await site.eu.count('heard')
  await site.eu.close()
  await site.postgres.kill()
  context.progress(`eu is lost with ${heard} heard tells`)
  return { heard }
}

async function restoreRegion(
  context: ScenarioContext,
  { euProcess, euPlan }: Site,
  { server }: Backup,
  size: Size,
): Promise<Books> {
  const url = urlOn(server)
  const database = openDatabase({ url, poolSize: 1 })
  const incarnation = await raiseIncarnation(database, { now: () => instant(Date.now()) })
  await database.close()
  context.progress(`eu comes back from its backup with incarnation ${incarnation}`)
  const { connections, perSecond } = size
  const telling = { to: 'us', connections, tellsEach: size.tells / connections, life: 'second', perSecond } as const
  euProcess.replan({ ...euPlan, databaseUrl: url, telling })
  euProcess.start()
  const books = await openBooks(url)
  context.onEnd(() => books.close())
  return books
}

async function waitForAll(context: ScenarioContext, eu: Books, us: Books, { tells }: Size): Promise<void> {
  for (const books of [eu, us]) {
    await waitUntilTold(books, tells)
    await waitUntil(
      'every tell is confirmed',
      STALL_MS,
      async () => (await books.count('bus.lane where pending')) === 0,
    )
  }
  context.progress(`both have told ${tells} and everything is confirmed`)
}

async function waitUntilTold(books: Books, tells: number): Promise<void> {
  await waitUntil(`${tells} tells were told`, STALL_MS, async () => (await books.count('told')) >= tells)
}

function held(books: Books): Promise<number> {
  return books.count('bus.peer where held is not null')
}

function urlOn(server: PrivatePostgres): string {
  return server.url.replace(/\/postgres$/, '/eu')
}
