import { instant } from '@sealpost/kernel'
import type { FeedContext } from '../context.ts'
import { accountIdOf, type FeedOwner, ownerIdOf } from '../model.ts'
import { LISTENER_MS, LISTENER_TOUCH_MS } from '../rules/leases.ts'
import { type ChannelState, insertChannel, restartListener, touchListener } from '../store/channels.ts'
import { takeChannelNo } from '../store/heads.ts'

/** The channel that a poll reads; null when the listener starts with this poll, so that it has no events yet. */
export async function enterListener(
  { database, clock }: FeedContext,
  { owner, listener }: { readonly owner: FeedOwner; readonly listener: string },
  state: ChannelState | null,
): Promise<number | null> {
  const now = clock.now()
  const ownerId = ownerIdOf(owner)
  const channel = state?.channel ?? null
  if (state === null || channel === null) {
    await database.transaction(async (tx) => {
      const head = { ownerId, accountId: accountIdOf(owner), kind: owner.kind }
      const taken = await takeChannelNo(tx, head)
      if (taken === null) return
      await insertChannel(tx, { ownerId, channel: taken.channel }, { listener, cursor: taken.lastNo, now })
    })
    return null
  }
  const idleMs = now - (state.usedAt ?? 0)
  if (idleMs > LISTENER_MS) {
    const fresh = { lastNo: state.lastNo, usedBefore: instant(now - LISTENER_MS), now }
    const isMine = await database.transaction((tx) => restartListener(tx, { ownerId, channel }, fresh))
    // A concurrent poll restarted the listener first: this poll reads the events since then.
    return isMine ? null : channel
  }
  if (idleMs > LISTENER_TOUCH_MS) await database.transaction((tx) => touchListener(tx, { ownerId, channel }, now))
  return channel
}
