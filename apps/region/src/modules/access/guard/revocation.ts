import { type ClientId, type Clock, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import {
  countGuardsBehind,
  insertRevokedSessions,
  recordChange,
  setEpoch,
  setSwitches,
  type Switches,
} from './store.ts'

export interface RevocationNeeds {
  readonly database: Database
  readonly clock: Clock
}

/** The place of a change in the order of all; `awaitGuards` resolves when every process has come that far. */
export type Revision = number

/** An hour, as long as a token lives, and a margin for clocks that differ. */
const SESSION_MEMORY_MS = 3_600_000 + 300_000
const LONGEST_WAIT_MS = 15_000
const LOOK_EVERY_MS = 10

/** Resolves when no process of this region accepts a token of an older epoch any more. */
export function applyEpoch(needs: RevocationNeeds, company: UserId, clientId: ClientId, epoch: number): Promise<void> {
  return apply(needs, async (tx, now) => {
    await setEpoch(tx, company, clientId, epoch)
    return recordChange(tx, clientId, now)
  })
}

/** Resolves when no process of this region accepts a token of that grant or session any more. */
export function revokeSession(needs: RevocationNeeds, sessionId: string): Promise<void> {
  return revokeSessions(needs, [sessionId])
}

/** Many at once, for instance all logins of an account but the one that changes its password. */
export async function revokeSessions(needs: RevocationNeeds, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length > 0) await apply(needs, (tx, now) => recordRevokedSessions(tx, sessionIds, now))
}

/** In the caller's transaction; followed by `awaitGuards` once that has committed. */
export async function recordRevokedSessions(tx: Tx, sessionIds: readonly string[], now: Instant): Promise<Revision> {
  const revision = await recordChange(tx, null, now)
  await insertRevokedSessions(tx, sessionIds, revision, instant(now + SESSION_MEMORY_MS))
  return revision
}

/** Resolves when every process of this region decides by the account's new level, or by its absence. */
export function applyAccount(needs: RevocationNeeds, id: UserId): Promise<void> {
  return apply(needs, (tx, now) => recordAccountChange(tx, id, now))
}

/** In the transaction that changes an account's level or removes it. */
export function recordAccountChange(tx: Tx, id: UserId, now: Instant): Promise<Revision> {
  return recordChange(tx, id, now)
}

/** Resolves when every process of this region honours the switches. */
export function turnSwitches(needs: RevocationNeeds, switches: Partial<Switches>): Promise<void> {
  return apply(needs, async (tx, now) => {
    await setSwitches(tx, switches)
    return recordChange(tx, null, now)
  })
}

export async function awaitGuards(database: Database, revision: Revision): Promise<void> {
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const behind = await database.read((read) => countGuardsBehind(read, revision))
    if (behind === 0) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  throw new Error(
    'a process of this region still holds a lease on an older state; the change is stored, repeat the call',
  )
}

async function apply(
  { database, clock }: RevocationNeeds,
  change: (tx: Tx, now: Instant) => Promise<Revision>,
): Promise<void> {
  const revision = await database.transaction((tx) => change(tx, clock.now()))
  await awaitGuards(database, revision)
}
