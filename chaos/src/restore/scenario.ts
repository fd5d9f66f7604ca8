import { raiseIncarnation } from '@sealpost/bus'
import { instant } from '@sealpost/kernel'
import { openDatabase } from '@sealpost/postgres'
import {
  atLeastOne,
  type PrivatePostgres,
  type Scenario,
  type ScenarioContext,
  startPrivatePostgres,
  startPrivateStandby,
  zero,
} from '@sealpost/testkit'
import { openRegionPair, type RegionPair, waitUntilConfirmed, waitUntilSent } from '../region/pair.ts'
import type { SendingPlan } from '../region/plan.ts'
import { openRegionReader, type RegionReader } from '../region/reader.ts'
import { compareRestored } from './verify.ts'

interface Size {
  /** In each direction. */
  readonly tells: number
  readonly connections: number
  readonly perSecond: number
}

/** Shares of a direction's tells: when the backup is taken, and when the region is lost. */
const BACKUP_AT = 0.2
const LOST_AT = 0.7

export const restoreScenario: Scenario<Size> = {
  name: 'restore',
  about: 'a region is lost and comes back from an older physical backup with a new incarnation',
  sizes: {
    small: { tells: 3000, connections: 50, perSecond: 300 },
    full: { tells: 10_000, connections: 50, perSecond: 400 },
  },
  bars: [
    ...zero('missing', 'duplicated', 'out_of_order', 'forgotten_unreported', 'held_links'),
    // Otherwise the run proves nothing about lost tells.
    ...atLeastOne('sent_again', 'forgotten', 'waiting_in_backup'),
  ],
  async run(context, size) {
    const site = await openSite(context, size)
    const backup = await takeBackup(context, site, size)
    const lost = await loseRegion(context, site, size)
    const eu = await restoreRegion(context, site, backup, size)
    const us = site.us.reader
    for (const reader of [eu, us]) {
      await waitUntilSent(reader, size.tells)
      await waitUntilConfirmed(reader)
    }
    context.progress(`both regions have sent ${size.tells} tells and all are confirmed`)
    const toEu = compareRestored({ sent: await us.sent(), received: await eu.received() })
    const toUs = compareRestored({ sent: await eu.sent(), received: await us.received() })
    const reported = await eu.count(`bus.loss where what = 'forgotten'`)
    return {
      tells_each_way: size.tells,
      missing: toEu.missing + toUs.missing,
      duplicated: toEu.duplicated + toUs.duplicated,
      out_of_order: toEu.outOfOrder + toUs.outOfOrder,
      received_before_backup: backup.received,
      received_before_loss: lost.received,
      sent_again: lost.received - backup.received,
      waiting_in_backup: backup.waiting,
      forgotten: toUs.forgotten,
      forgotten_unreported: Math.max(0, toUs.connectionsWithForgotten - reported),
      held_links: (await countHeldLinks(eu)) + (await countHeldLinks(us)),
    }
  },
}

interface Site extends RegionPair {
  /** The server of eu. */
  readonly postgres: PrivatePostgres
}

async function openSite(context: ScenarioContext, size: Size): Promise<Site> {
  context.progress('starting a PostgreSQL server for each region')
  const [eu, us] = await Promise.all([startPrivatePostgres(), startPrivatePostgres()])
  context.onEnd(async () => void (await Promise.all([eu.remove(), us.remove()])))
  const sending = { eu: sendingPlan(size, 'us', 'first'), us: sendingPlan(size, 'eu', 'only') }
  return { postgres: eu, ...(await openRegionPair(context, { eu, us }, sending)) }
}

function sendingPlan({ tells, connections, perSecond }: Size, to: 'eu' | 'us', run: string): SendingPlan {
  return { to, connections, tellsEach: tells / connections, run, perSecond }
}

interface Backup {
  readonly server: PrivatePostgres
  readonly received: number
  /** Sent in the backup, and not yet confirmed in it. */
  readonly waiting: number
}

/** A physical copy of the running server, promoted in the middle of the traffic. */
async function takeBackup(context: ScenarioContext, site: Site, size: Size): Promise<Backup> {
  await waitUntilSent(site.eu.reader, size.tells * BACKUP_AT)
  context.progress('taking a physical backup of eu under load')
  const server = await startPrivateStandby(site.postgres)
  context.onEnd(() => server.remove())
  await server.catchUpWith(site.postgres)
  await server.promote()
  const reader = await openRegionReader(urlOn(server))
  const received = await reader.count('received')
  const waiting = await reader.count(
    'bus.lane join bus.outbox using (target, key, incarnation) where outbox.seq > lane.confirmed_seq',
  )
  await reader.close()
  context.progress(`the backup holds ${received} received tells and ${waiting} of its own that wait`)
  return { server, received, waiting }
}

async function loseRegion(
  context: ScenarioContext,
  { eu, postgres }: Site,
  size: Size,
): Promise<{ readonly received: number }> {
  await waitUntilSent(eu.reader, size.tells * LOST_AT)
  await eu.process.kill()
  const received = await eu.reader.count('received')
  await eu.reader.close()
  await postgres.kill()
  context.progress(`eu is lost with ${received} received tells`)
  return { received }
}

async function restoreRegion(
  context: ScenarioContext,
  { eu }: Site,
  { server }: Backup,
  size: Size,
): Promise<RegionReader> {
  const databaseUrl = urlOn(server)
  const database = openDatabase({ url: databaseUrl, poolSize: 1 })
  const incarnation = await raiseIncarnation(database, { now: () => instant(Date.now()) })
  await database.close()
  context.progress(`eu is restored from its backup with incarnation ${incarnation}`)
  eu.process.replan({ ...eu.plan, databaseUrl, sending: sendingPlan(size, 'us', 'second') })
  eu.process.start()
  const reader = await openRegionReader(databaseUrl)
  context.onEnd(() => reader.close())
  return reader
}

function countHeldLinks(reader: RegionReader): Promise<number> {
  return reader.count('bus.peer where held is not null')
}

function urlOn(server: PrivatePostgres): string {
  return server.url.replace(/\/postgres$/, '/eu')
}
