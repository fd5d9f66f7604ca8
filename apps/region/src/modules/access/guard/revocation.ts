import type { ClientId, Clock, Instant, UserId } from '@sealpost/kernel'
import { instant } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { countGuardsBehind, insertRevokedSession, recordChange, setEpoch, setSwitches, type Switches } from './store.ts'

export interface RevocationNeeds {
  readonly database: Database
  readonly clock: Clock
}

/** An hour, as long as a token lives, and a margin for clocks that differ. */
const SESSION_MEMORY_MS = 3_600_000 + 300_000
const LONGEST_WAIT_MS = 15_000
const LOOK_EVERY_MS = 10

/** Resolves when no process of this region accepts a token of an older epoch any more. */
export async function applyEpoch(
  needs: RevocationNeeds,
  company: UserId,
  clientId: ClientId,
  epoch: number,
): Promise<void> {
  const revision = await needs.database.transaction(async (tx) => {
    await setEpoch(tx, company, clientId, epoch)
    return recordChange(tx, clientId, needs.clock.now())
  })
  await awaitGuards(needs.database, revision)
}

/** Resolves when no process of this region accepts a token of that grant or session any more. */
export async function revokeSession(needs: RevocationNeeds, sessionId: string): Promise<void> {
  const now = needs.clock.now()
  const revision = await needs.database.transaction(async (tx) => {
    const taken = await recordChange(tx, null, now)
    await insertRevokedSession(tx, sessionId, taken, later(now, SESSION_MEMORY_MS))
    return taken
  })
  await awaitGuards(needs.database, revision)
}

/** Resolves when every process of this region honours the switches. */
export async function turnSwitches(needs: RevocationNeeds, switches: Switches): Promise<void> {
  const revision = await needs.database.transaction(async (tx) => {
    await setSwitches(tx, switches)
    return recordChange(tx, null, needs.clock.now())
  })
  await awaitGuards(needs.database, revision)
}

export async function awaitGuards(database: Database, revision: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const behind = await database.read((read) => countGuardsBehind(read, revision))
    if (behind === 0) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error(
    'a process of this region still holds a lease on an older state; the change is stored, repeat the call',
  )
}

function later(at: Instant, ms: number): Instant {
  return instant(at + ms)
}
