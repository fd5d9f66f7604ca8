import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { revokeSessions } from '../../access/index.ts'
import type { GrantsContext } from '../context.ts'
import { deleteEnded, markAllEnded, markEnded } from '../store/grants.ts'

/**
 * Ends a grant: its code, its refresh tokens and its access tokens. When this resolves, none of them is accepted. If it
 * stops halfway, the row stays marked as ended, which no token can be put under; the next use of one of its tokens, or
 * the periodic tidying, completes the end.
 */
export async function endGrant(grants: GrantsContext, id: string): Promise<void> {
  const { database, clock, region } = grants
  const usedIn = await database.transaction((tx) => markEnded(tx, id, clock.now()))
  if (usedIn === null) return
  if (usedIn === region) await revokeSessions(grants, [id])
  else await grants.revokeElsewhere(usedIn, [id])
  await database.transaction((tx) => deleteEnded(tx, id))
}

/**
 * Marks all grants of the user as ended, in a transaction that is the reason for it, such as a change of the password.
 * Call the answer after the commit: it revokes the tokens.
 */
export async function endGrantsInTransaction(
  grants: GrantsContext,
  tx: Tx,
  userId: UserId,
): Promise<() => Promise<void>> {
  const ids = await markAllEnded(tx, userId, grants.clock.now())
  return () => endGrants(grants, ids)
}

/** Tries every grant, also after one fails because its region is unreachable; then throws the first failure. */
export async function endGrants(grants: GrantsContext, ids: readonly string[]): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) await endGrant(grants, id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Part of the erasure of an account; the tokens are revoked as soon as the transaction has committed. */
export async function endGrantsOfUser(grants: GrantsContext, tx: Tx, userId: UserId): Promise<void> {
  const revoke = await endGrantsInTransaction(grants, tx, userId)
  tx.afterCommit(() => {
    // The periodic tidying completes failed ends.
    revoke().catch(() => {})
  })
}
