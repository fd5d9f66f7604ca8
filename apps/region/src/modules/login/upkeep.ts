import { instant, type Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { LoginNeeds } from './needs.ts'
import { finishRegistration } from './registration.ts'
import { DAY_MS } from './rules.ts'
import { finishEmailChanges } from './security/email.ts'
import { pruneCodes } from './security/store/mailed-codes.ts'
import { spreadRevocations } from './sessions.ts'
import { pruneBrowsers } from './store/devices.ts'
import { listUnfinishedRegistrations, pruneRegistrations } from './store/registrations.ts'
import { listUnfinishedRevocations, pruneSessions } from './store/sessions.ts'

const AT_ONCE = 100
/** Whoever began it may still be at it. */
const LEFT_ALONE_MS = 30_000

/** Finishes what a crash or an unreachable region left half done, and forgets what has ended. Safe to do twice. */
export async function tidyLogins(needs: LoginNeeds): Promise<void> {
  const now = needs.clock.now()
  await finishRevocations(needs, now)
  await finishRegistrations(needs, now)
  await finishEmailChanges(needs)
  await forget(needs, (tx) => pruneSessions(tx, instant(now - needs.refreshTtlDays * DAY_MS), AT_ONCE))
  await forget(needs, (tx) => pruneBrowsers(tx, now, AT_ONCE))
  await forget(needs, (tx) => pruneCodes(tx, now, AT_ONCE))
  await forget(needs, (tx) => pruneRegistrations(tx, now, AT_ONCE))
}

/** In small transactions until nothing is left: a fixed share per round would lose against a busy region. */
async function forget({ database }: LoginNeeds, prune: (tx: Tx) => Promise<number>): Promise<void> {
  let forgotten = AT_ONCE
  while (forgotten >= AT_ONCE) forgotten = await database.transaction(prune)
}

async function finishRevocations(needs: LoginNeeds, now: Instant): Promise<void> {
  const before = instant(now - LEFT_ALONE_MS)
  const families = await needs.database.read((read) => listUnfinishedRevocations(read, before, AT_ONCE))
  for (const family of families) {
    await attempt(needs, 'a session that has ended could not be told to every region', () =>
      spreadRevocations(needs, [family]),
    )
  }
}

async function finishRegistrations(needs: LoginNeeds, now: Instant): Promise<void> {
  const before = instant(now - LEFT_ALONE_MS)
  const found = await needs.database.read((read) => listUnfinishedRegistrations(read, before, AT_ONCE))
  for (const registration of found) {
    await attempt(needs, 'a confirmed registration could not be finished', async () => {
      await finishRegistration(needs, registration)
    })
  }
}

/** One that fails must not hold up the others; the next round tries it again. */
async function attempt({ telemetry }: LoginNeeds, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    telemetry.log.warn({ err: error }, `${what}; it is tried again in a minute`)
  }
}
