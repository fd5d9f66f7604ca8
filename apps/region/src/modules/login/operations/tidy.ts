import { instant, type Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { LoginContext } from '../context.ts'
import { DAY_MS } from '../rules/refresh.ts'
import { finishEmailChanges } from '../security/operations/email.ts'
import { pruneCodes } from '../security/store/mailed-codes.ts'
import { pruneBrowsers } from '../store/devices.ts'
import { listUnfinishedRegistrations, pruneRegistrations } from '../store/registrations.ts'
import { listUnfinishedRevocations, pruneSessions } from '../store/sessions.ts'
import { finishRegistration } from './registration.ts'
import { spreadRevocations } from './sessions.ts'

const BATCH = 100
/** The call that began it may still be in progress. */
const IN_PROGRESS_MS = 30_000

/** Completes work that a crash or an unreachable region interrupted, and deletes expired rows. Safe to repeat. */
export async function tidyLogins(context: LoginContext): Promise<void> {
  const now = context.clock.now()
  await finishRevocations(context, now)
  await finishRegistrations(context, now)
  await finishEmailChanges(context)
  await pruneAll(context, (tx) => pruneSessions(tx, instant(now - context.settings.REFRESH_TTL_DAYS * DAY_MS), BATCH))
  await pruneAll(context, (tx) => pruneBrowsers(tx, now, BATCH))
  await pruneAll(context, (tx) => pruneCodes(tx, now, BATCH))
  await pruneAll(context, (tx) => pruneRegistrations(tx, now, BATCH))
}

/** In small transactions until nothing is left: one batch per run would not keep up with a busy region. */
async function pruneAll({ database }: LoginContext, prune: (tx: Tx) => Promise<number>): Promise<void> {
  let pruned = BATCH
  while (pruned >= BATCH) pruned = await database.transaction(prune)
}

async function finishRevocations(context: LoginContext, now: Instant): Promise<void> {
  const before = instant(now - IN_PROGRESS_MS)
  const families = await context.database.read((read) => listUnfinishedRevocations(read, before, BATCH))
  for (const family of families) {
    await attempt(context, 'a session could not be revoked in every region', () => spreadRevocations(context, [family]))
  }
}

async function finishRegistrations(context: LoginContext, now: Instant): Promise<void> {
  const before = instant(now - IN_PROGRESS_MS)
  const found = await context.database.read((read) => listUnfinishedRegistrations(read, before, BATCH))
  for (const registration of found) {
    await attempt(context, 'a confirmed registration could not be completed', async () => {
      await finishRegistration(context, registration)
    })
  }
}

/** A failure does not keep the others from running. */
async function attempt({ telemetry }: LoginContext, what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    telemetry.log.warn({ err: error }, `${what}; retrying in a minute`)
  }
}
