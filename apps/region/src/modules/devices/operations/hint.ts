import { partitionOf, type Tx } from '@sealpost/postgres'
import type { DevicesContext } from '../context.ts'
import type { NewHint } from '../model.ts'
import { enqueuePushes } from '../push/index.ts'
import { HINT_PARTITIONS } from '../rules/retention.ts'
import { insertHints } from '../store/hints.ts'

/**
 * Writes hints in the transaction of the change. Called last, because it locks the heads of the accounts until the commit;
 * hints to several accounts go in one call.
 */
export async function hint(context: DevicesContext, tx: Tx, hints: NewHint | readonly NewHint[]): Promise<void> {
  const list = isMany(hints) ? hints : [hints]
  const at = context.clock.now()
  const subscribed = await insertHints(tx, list, { at, partition: partitionOf(at, HINT_PARTITIONS) })
  for (const one of list) if (subscribed.has(one.accountId)) await enqueuePushes(context, tx, one)
  tx.afterCommit(() => {
    for (const { accountId } of list) context.waker.wake(accountId)
  })
}

function isMany(hints: NewHint | readonly NewHint[]): hints is readonly NewHint[] {
  return Array.isArray(hints)
}
