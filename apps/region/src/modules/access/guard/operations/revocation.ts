import { type ClientId, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import {
  countOutdatedGuards,
  insertRevokedSessions,
  recordChange,
  setEpoch,
  setSwitches,
  type Switches,
} from '../store/guard.ts'

type Revoking = Pick<Platform, 'database' | 'clock'>

/** The position of a change; `awaitGuards` resolves when every process has read up to it. */
export type Revision = number

/** The lifetime of a token, an hour, and a margin for clock skew. */
const SESSION_MEMORY_MS = 3_600_000 + 300_000
const MAX_WAIT_MS = 15_000
const POLL_EVERY_MS = 10

/** Resolves when no process of this region accepts a token of an older epoch. */
export function applyEpoch(platform: Revoking, company: UserId, clientId: ClientId, epoch: number): Promise<void> {
  return apply(platform, async (tx, now) => {
    await setEpoch(tx, company, clientId, epoch)
    return recordChange(tx, clientId, now)
  })
}

/** Resolves when no process of this region accepts a token of that grant or session. */
export function revokeSession(platform: Revoking, sessionId: string): Promise<void> {
  return revokeSessions(platform, [sessionId])
}

/** For instance all sessions of an account except the one that changes its password. */
export async function revokeSessions(platform: Revoking, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length > 0) await apply(platform, (tx, now) => recordRevokedSessions(tx, sessionIds, now))
}

/** In the caller's transaction; followed by `awaitGuards` once that has committed. */
export async function recordRevokedSessions(tx: Tx, sessionIds: readonly string[], now: Instant): Promise<Revision> {
  const revision = await recordChange(tx, null, now)
  await insertRevokedSessions(tx, sessionIds, revision, instant(now + SESSION_MEMORY_MS))
  return revision
}

/** Resolves when every process of this region decides by the account's new level, or by its absence. */
export function applyAccount(platform: Revoking, id: UserId): Promise<void> {
  return apply(platform, (tx, now) => recordAccountChange(tx, id, now))
}

/** In the transaction that changes an account's level or removes it. */
export function recordAccountChange(tx: Tx, id: UserId, now: Instant): Promise<Revision> {
  return recordChange(tx, id, now)
}

/** Resolves when every process of this region honours the switches. */
export function turnSwitches(platform: Revoking, switches: Partial<Switches>): Promise<void> {
  return apply(platform, async (tx, now) => {
    await setSwitches(tx, switches)
    return recordChange(tx, null, now)
  })
}

export async function awaitGuards(database: Database, revision: Revision): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_EVERY_MS) {
    const outdated = await database.read((read) => countOutdatedGuards(read, revision))
    if (outdated === 0) return
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
  }
  throw new Error(
    'a process of this region still holds a lease on an older state; the change is stored, repeat the call',
  )
}

async function apply(
  { database, clock }: Revoking,
  change: (tx: Tx, now: Instant) => Promise<Revision>,
): Promise<void> {
  const revision = await database.transaction((tx) => change(tx, clock.now()))
  await awaitGuards(database, revision)
}
