import type { Clock, EventId, ServiceId, WebhookId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { type QueuedEvent, shapeQueuedEvent } from '@sealpost/protocol'
import { tellEvents } from '../deliver.ts'
import type { FeedNeeds } from '../needs.ts'
import { includes } from '../ranges.ts'
import { oldestVisible } from '../rules.ts'
import { type Found, readAhead } from '../store/entries.ts'
import { readHeads } from '../store/heads.ts'
import { type LockedOutlet, lockOutlets, moveCursors, type OutletWrite, writeOutlets } from '../store/outlets.ts'
import { type OutletNeeds, transitionOf } from './changes.ts'
import type {
  ClaimedOutlet,
  OutletBatch,
  OutletEvent,
  OutletName,
  OutletReport,
  SettledOutlet,
  ToldEvents,
} from './contract.ts'
import { type Moment, type Outlet, step } from './machine.ts'

/** A POST starts only if it ends within the lease: twice its time limit is always left after a settle. */
export const OUTLET_LEASE_MS = 30_000
const RENEW_BELOW_MS = 20_000
/** Events of one outlet that are read at once. */
const BATCH = 32

/** The next events of outlets that the caller holds, each in the order in which they have to be sent. */
export async function readOutletEvents(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  held: readonly Pick<ClaimedOutlet, 'name' | 'channel'>[],
): Promise<ReadonlyMap<WebhookId, OutletBatch>> {
  const searches = held.map(({ name: { serviceId }, channel }) => ({ place: { serviceId, channel }, taken: '{}' }))
  const looking = { visibleFrom: oldestVisible(clock.now()), limit: BATCH }
  const found = await database.read((read) => readAhead(read, searches, looking))
  const batches = new Map<WebhookId, OutletBatch>()
  for (const [i, { name }] of held.entries()) {
    const its = found.get(i)
    if (its !== undefined) batches.set(name.webhookId, batchOf(its))
  }
  return batches
}

/** Order comes before speed: nothing is sent past an event that is on its way to somebody who drains by hand. */
function batchOf({ events, lookedTo, open, openForMs }: Found): OutletBatch {
  const blocked = open.length === 0 ? -1 : events.findIndex(({ no }) => includes(open, no))
  if (blocked === -1) return { events, lookedTo, blockedForMs: null }
  const first = events[blocked]?.no ?? lookedTo + 1
  return { events: events.slice(0, blocked), lookedTo: first - 1, blockedForMs: Math.max(0, openForMs) }
}

/** What each of the events tells now; see [Note: told at delivery] of the feed's resolvers. */
export async function tellOutletEvents(
  needs: FeedNeeds,
  service: Pick<OutletName, 'companyId' | 'serviceId'>,
  events: readonly OutletEvent[],
): Promise<ToldEvents<QueuedEvent>> {
  const told = await tellEvents(needs, { kind: 'service', ...service }, events, shapeQueuedEvent)
  const byId = new Map<string, QueuedEvent>(told.map((event) => [event.id, event]))
  const all: [EventId, QueuedEvent][] = []
  for (const { id } of events) {
    const event = byId.get(id)
    if (event !== undefined) all.push([id, event])
  }
  return new Map(all)
}

/**
 * Writes down what became of events, for many outlets at once, and lets go of those that are done. The same reports may
 * come twice. What somebody reports who does not hold an outlet any more changes nothing.
 */
export async function settleOutlets(
  tx: Tx,
  { clock, graceMs }: OutletNeeds & { readonly graceMs: number },
  reports: readonly OutletReport[],
): Promise<readonly SettledOutlet[]> {
  if (reports.length === 0) return []
  const places = reports.map(({ name: { serviceId }, channel }) => ({ serviceId, channel }))
  const locked = new Map((await lockOutlets(tx, places)).map((each) => [keyOf(each), each]))
  // Only now: what was appended before an outlet is let go must be seen here, or nobody would look for it.
  const heads = await readHeads(tx, [...new Set(places.map(({ serviceId }) => serviceId))])
  const now = clock.now()
  const outlets = new Map([...locked].map(([key, { outlet }]) => [key, outlet]))
  const reported = new Set<string>()
  const settled = reports.map((report): SettledOutlet => {
    const key = keyOf({ serviceId: report.name.serviceId, channel: report.channel })
    const [held, outlet, head] = [locked.get(key), outlets.get(key), heads.get(report.name.serviceId)]
    if (held === undefined || outlet === undefined || head === undefined) return notMine(report)
    const at: Moment = { now, graceMs, lastNo: head.lastNo }
    const next = step(outlet, { act: 'settle', ...report }, at)
    outlets.set(key, next.outlet)
    const { epoch, state } = next.outlet
    const { isMine, mayGoOn } = next
    if (isMine) reported.add(key)
    const leasedForMs = mayGoOn ? leaseAfter(held) : 0
    const transition = transitionOf(outlet, next.outlet)
    return { name: report.name, isMine, epoch, state, transition, mayGoOn, leasedForMs }
  })
  await writeChanged(tx, locked, outlets, reported)
  return settled
}

function notMine({ name, epoch }: OutletReport): SettledOutlet {
  return { name, isMine: false, epoch, state: 'unknown', transition: null, mayGoOn: false, leasedForMs: 0 }
}

function leaseAfter({ leasedForMs }: LockedOutlet): number {
  return leasedForMs < RENEW_BELOW_MS ? OUTLET_LEASE_MS : leasedForMs
}

/** Only who holds an outlet makes its lease longer: another may report of one whose holder is dead. */
async function writeChanged(
  tx: Tx,
  locked: ReadonlyMap<string, LockedOutlet>,
  outlets: ReadonlyMap<string, Outlet>,
  reported: ReadonlySet<string>,
): Promise<void> {
  const moves: OutletWrite[] = []
  const writes: OutletWrite[] = []
  for (const [key, held] of locked) {
    const outlet = outlets.get(key) ?? held.outlet
    const isRenewed = reported.has(key) && outlet.isLeased && held.leasedForMs < RENEW_BELOW_MS
    if (outlet === held.outlet && !isRenewed) continue
    const write = { ...held, outlet, leaseSeconds: isRenewed ? OUTLET_LEASE_MS / 1000 : null }
    if (!isRenewed && isMoveOnly(held.outlet, outlet)) moves.push(write)
    else writes.push(write)
  }
  await moveCursors(tx, moves)
  await writeOutlets(tx, writes)
}

function isMoveOnly(before: Outlet, after: Outlet): boolean {
  if (before.gone.length > 0 || after.gone.length > 0) return false
  const { cursor: _before, gone: _goneBefore, ...rest } = before
  return Object.entries(rest).every(([member, value]) => Reflect.get(after, member) === value)
}

export function keyOf({ serviceId, channel }: { readonly serviceId: ServiceId; readonly channel: number }): string {
  return `${serviceId} ${channel}`
}
