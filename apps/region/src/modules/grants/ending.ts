import type { Clock, RegionCode, UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { revokeSessions } from '../access/index.ts'
import { deleteEnded, markAllEnded, markEnded } from './store/grants.ts'

export interface EndingNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly region: RegionCode
  /** Resolves when no process of that region accepts a token of these sessions. */
  revokeElsewhere(region: string, sessionIds: readonly string[]): Promise<void>
}

/**
 * Ends a grant: its code, its refresh tokens, and the access tokens that are out. When this resolves none is accepted any
 * more. Cut off half-way, the grant stays behind as ended: nothing can be bought with it, and the next one to bring a
 * token of it, or the upkeep, goes on here.
 */
export async function endGrant(needs: EndingNeeds, id: string): Promise<void> {
  const { database, clock, region } = needs
  const usedIn = await database.transaction((tx) => markEnded(tx, id, clock.now()))
  if (usedIn === null) return
  if (usedIn === region) await revokeSessions(needs, [id])
  else await needs.revokeElsewhere(usedIn, [id])
  await database.transaction((tx) => deleteEnded(tx, id))
}

/**
 * For a transaction after which no grant of this user may live, such as a new password. What it answers sees the ends
 * through; call it after the commit.
 */
export async function endGrantsInside(needs: EndingNeeds, tx: Tx, userId: UserId): Promise<() => Promise<void>> {
  const ids = await markAllEnded(tx, userId, needs.clock.now())
  return () => endGrants(needs, ids)
}

/** One whose region cannot be reached does not hold up the others; the first such fault is told when all were tried. */
export async function endGrants(needs: EndingNeeds, ids: readonly string[]): Promise<void> {
  const faults: unknown[] = []
  for (const id of ids) await endGrant(needs, id).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/** For an account that is about to be gone: part of that transaction, and seen through as soon as it has committed. */
export async function endGrantsOfUser(needs: EndingNeeds, tx: Tx, userId: UserId): Promise<void> {
  const seeThrough = await endGrantsInside(needs, tx, userId)
  tx.afterCommit(() => {
    // Whatever fails here is finished by the upkeep.
    seeThrough().catch(() => {})
  })
}
