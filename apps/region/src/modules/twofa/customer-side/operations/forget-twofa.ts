import { type ConnectionId, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { CustomerContext } from '../context.ts'
import { deleteCards, deleteCardsOf, deleteOldCards } from '../store/cards.ts'
import { deleteEnrollment, deleteEnrollmentsOf } from '../store/enrollments.ts'

const KEPT_MS = 24 * 3_600_000
const AT_ONCE = 500

/** In the transaction that ends connections; the service's side revokes what is pending. */
export async function endTwofa(
  { hooks }: CustomerContext,
  tx: Tx,
  accountId: UserId,
  connections: readonly ConnectionId[],
): Promise<void> {
  await deleteEnrollment(tx, accountId, connections)
  for (const id of await deleteCards(tx, accountId, connections)) {
    await hooks.hint(tx, { accountId, kind: 'challenge_closed', id })
  }
}

/** In the transaction that deletes the account. */
export async function forgetTwofa(tx: Tx, { id: accountId }: { readonly id: UserId }): Promise<void> {
  await deleteEnrollmentsOf(tx, accountId)
  await deleteCardsOf(tx, accountId)
}

export async function tidyCards({ database, clock }: CustomerContext): Promise<void> {
  const before = instant(clock.now() - KEPT_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldCards(tx, before, limit)))
}
