import { parseParty, type Party } from '@sealpost/bus'
import {
  createBusLogins,
  type PrivateEngine,
  type PrivatePostgres,
  type ScenarioContext,
  startPrivateNats,
  waitUntil,
} from '@sealpost/testkit'
import type { RegionPlan, SendingPlan } from './plan.ts'
import { type RegionProcess, startRegionProcess } from './process.ts'
import { createRegionDatabase, openRegionReader, type RegionReader } from './reader.ts'

/** Two regions with a NATS server each. */
export interface RegionPair {
  readonly eu: PairedRegion
  readonly us: PairedRegion
}

export interface PairedRegion {
  readonly plan: RegionPlan
  readonly nats: PrivateEngine
  readonly reader: RegionReader
  readonly process: RegionProcess
}

export const STALL_MS = 120_000

export async function openRegionPair(
  context: ScenarioContext,
  postgres: Readonly<Record<'eu' | 'us', PrivatePostgres>>,
  sending: Readonly<Record<'eu' | 'us', SendingPlan | null>>,
): Promise<RegionPair> {
  context.progress('starting two regions with a NATS server each')
  const logins = createBusLogins()
  const [EU, US] = [parseParty('eu'), parseParty('us')]
  const [natsEu, natsUs] = await Promise.all([
    startPrivateNats({ account: logins.server(EU) }),
    startPrivateNats({ account: logins.server(US) }),
  ])
  context.onEnd(async () => void (await Promise.all([natsEu.remove(), natsUs.remove()])))
  const open = async (self: 'eu' | 'us'): Promise<PairedRegion> => {
    const databaseUrl = await createRegionDatabase(postgres[self].url, self)
    const keyAt = (region: Party): string => logins.key(parseParty(self), region).reveal()
    const nats = { eu: { url: natsEu.url, key: keyAt(EU) }, us: { url: natsUs.url, key: keyAt(US) } }
    const plan: RegionPlan = { self, databaseUrl, nats, sending: sending[self] }
    const reader = await openRegionReader(databaseUrl)
    context.onEnd(() => reader.close())
    const process = startRegionProcess(plan)
    context.onEnd(() => process.kill())
    return { plan, nats: self === 'eu' ? natsEu : natsUs, reader, process }
  }
  return { eu: await open('eu'), us: await open('us') }
}

export async function waitUntilSent(reader: RegionReader, tells: number): Promise<void> {
  await waitUntil(`${tells} tells are sent`, STALL_MS, async () => (await reader.count('sent')) >= tells)
}

export async function waitUntilConfirmed(reader: RegionReader): Promise<void> {
  const isConfirmed = async () => (await reader.count('bus.lane where pending')) === 0
  await waitUntil('every tell is confirmed', STALL_MS, isConfirmed)
}
