import { partitionOf, type Tx } from '@sealpost/postgres'
import type { DevicesContext } from '../context.ts'
import type { NewHint, StoredHint } from '../model.ts'
import { enqueuePushes } from '../push/index.ts'
import { HINT_PARTITIONS } from '../rules/retention.ts'
import { type Head, insertHints } from '../store/hints.ts'

/**
 * Writes hints in the transaction of the change. Called last, because it locks the heads of the accounts until the commit;
 * hints to several accounts go in one call.
 */
export async function hint(
  context: Pick<DevicesContext, 'clock' | 'waker' | 'jobs' | 'push'>,
  tx: Tx,
  hints: NewHint | readonly NewHint[],
): Promise<void> {
  const list = isMany(hints) ? hints : [hints]
  const at = context.clock.now()
  const heads = await insertHints(tx, list, { at, partition: partitionOf(at, HINT_PARTITIONS) })
  const subscribed = new Set(heads.filter(({ hasSubscriptions }) => hasSubscriptions).map(({ accountId }) => accountId))
  await enqueuePushes(
    context,
    tx,
    list.filter(({ accountId }) => subscribed.has(accountId)),
  )
  tx.afterCommit(() => {
    for (const head of heads) context.waker.wake(head.accountId, numbered(list, head))
  })
}

/** As they were stored. */
function numbered(hints: readonly NewHint[], { accountId, lastSeq }: Head): readonly StoredHint[] {
  const own = hints.filter((one) => one.accountId === accountId)
  return own.map(({ kind, id }, place) => ({ accountId, seq: lastSeq - own.length + 1 + place, kind, id }))
}

function isMany(hints: NewHint | readonly NewHint[]): hints is readonly NewHint[] {
  return Array.isArray(hints)
}
