import { type Instant, instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { oldestVisible } from '../rules.ts'
import { readBacklogs } from '../store/backlogs.ts'
import { lockAlerting, type OutletWrite, writeOutlets } from '../store/outlets.ts'
import type { OutletNeeds } from './changes.ts'
import type { StaleOutlet } from './contract.ts'
import { flowOf, step } from './machine.ts'
import { keyOf } from './work.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAILY_FROM_MS = 2 * DAY_MS
const HOURLY_FROM_MS = 5 * DAY_MS
const LOST_FROM_MS = 7 * DAY_MS

/**
 * Looks at backlogs whose time has come to be looked at: drops what is too old and says which of them somebody has to be
 * told of. Fewer than the limit come when no more are due.
 */
export async function takeStaleOutlets(tx: Tx, { clock }: OutletNeeds, limit: number): Promise<readonly StaleOutlet[]> {
  const now = clock.now()
  const stale: StaleOutlet[] = []
  // One round may find nothing to tell although others are due behind it.
  while (stale.length < limit) {
    const locked = await lockAlerting(tx, now, limit)
    if (locked.length === 0) break
    const backlogs = new Map((await readBacklogs(tx, locked, oldestVisible(now))).map((each) => [keyOf(each), each]))
    const writes: OutletWrite[] = []
    for (const place of locked) {
      const backlog = backlogs.get(keyOf(place))
      if (backlog === undefined) continue
      const { outlet } = place
      const { companyId, backlogCount, backlogOldestAt: oldestAt, purgedCount, purgedTo, lastNo } = backlog
      const isStanding = outlet.state !== 'running' || flowOf(outlet) !== 'open'
      // Once as the loss begins, and once more if nothing is left when it runs again.
      const isPurged = purgedCount > 0 && (outlet.purgedAt === null || !isStanding)
      const { alert, nextAt } = judgeAge(oldestAt, { isPurged, wasPurged: outlet.purgedAt !== null }, now)
      const alertAt = isStanding ? nextAt : null
      // What is left is nothing to tell of: should it be lost too, that is another loss.
      const isOver = now - (oldestAt ?? now) < DAILY_FROM_MS
      const purgedAt = isOver ? null : alert === 'purged' ? now : outlet.purgedAt
      const act = { act: 'purge', to: purgedTo, alertAt, purgedAt } as const
      writes.push({ ...place, outlet: step(outlet, act, { now, lastNo, graceMs: 0 }).outlet, leaseSeconds: null })
      if (alert === null) continue
      const name = { companyId, serviceId: place.serviceId, webhookId: place.webhookId }
      const { state, since } = outlet
      stale.push({ name, alert, backlogCount, oldestAt, state, since, flow: flowOf(outlet), purgedCount })
    }
    await writeOutlets(tx, writes)
  }
  return stale
}

/** Daily from two days of age, hourly from five, and once when the first rows are lost. */
export function judgeAge(
  oldestAt: Instant | null,
  { isPurged, wasPurged }: { readonly isPurged: boolean; readonly wasPurged: boolean },
  now: Instant,
): { readonly alert: StaleOutlet['alert'] | null; readonly nextAt: Instant } {
  const oldest = oldestAt ?? now
  const age = now - oldest
  const told = (alert: 'daily' | 'hourly' | null): StaleOutlet['alert'] | null => (isPurged ? 'purged' : alert)
  // The first loss is told of as it happens; later ones come with what is told every hour.
  const lossAt = isPurged || wasPurged ? Number.POSITIVE_INFINITY : oldest + LOST_FROM_MS
  if (age >= HOURLY_FROM_MS) return { alert: told('hourly'), nextAt: instant(Math.min(now + HOUR_MS, lossAt)) }
  if (age >= DAILY_FROM_MS)
    return { alert: told('daily'), nextAt: instant(Math.min(now + DAY_MS, oldest + HOURLY_FROM_MS)) }
  return { alert: told(null), nextAt: instant(oldest + DAILY_FROM_MS) }
}
