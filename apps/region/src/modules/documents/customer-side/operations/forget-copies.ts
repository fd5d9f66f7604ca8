import { type ConnectionId, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { CustomerContext } from '../context.ts'
import { deleteCopiesOf, deleteUnsigned } from '../store/copies.ts'
import { deleteOldCodes, deleteOldKeptProofs, deleteOldProofs, deleteProofsOf } from '../store/proofs.ts'
import { discard } from './hear-copies.ts'
import { PROOF_KEPT_MS } from './keep-proof.ts'
import { PROOF_WINDOW_MS } from './prove-signer.ts'

type Forgetting = Pick<CustomerContext, 'clock'>

/** In the transaction that ends connections. What the customer has signed or accepted stays theirs. */
export async function forgetUnsigned(
  context: Forgetting,
  tx: Tx,
  accountId: UserId,
  connections: readonly ConnectionId[],
): Promise<void> {
  for (const { file } of await deleteUnsigned(tx, accountId, connections)) await discard(context, tx, file)
}

/** In the transaction that deletes the account. */
export async function forgetCopies(
  context: Forgetting,
  tx: Tx,
  { id: accountId }: { readonly id: UserId },
): Promise<void> {
  for (const { file } of await deleteCopiesOf(tx, accountId)) await discard(context, tx, file)
  await deleteProofsOf(tx, accountId)
}

const AT_ONCE = 1000

/** Removes expired codes, proofs that no signature has followed, and counts of wrong proofs. */
export async function tidyProofs({ database, clock }: CustomerContext): Promise<void> {
  const now = clock.now()
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldCodes(tx, now, limit)))
  const givenBefore = instant(now - PROOF_KEPT_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldKeptProofs(tx, givenBefore, limit)))
  const before = instant(now - PROOF_WINDOW_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldProofs(tx, before, limit)))
}
