import { instant } from '@sealpost/kernel'
import type { FeedNeeds } from './needs.ts'
import { accountIdOf, type FeedOwner, ownerIdOf } from './owner.ts'
import { LISTENER_MS, LISTENER_TOUCH_MS } from './rules.ts'
import { type ChannelState, insertChannel, restartListener, touchListener } from './store/channels.ts'
import { takeChannelNo } from './store/heads.ts'

/** The channel that a poll reads from; null when it begins with this poll, so that nothing can be there. */
export async function enterListener(
  { database, clock }: FeedNeeds,
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
    // Another poll was quicker: the listener began with that one, and what has come since is to be told.
    return isMine ? null : channel
  }
  if (idleMs > LISTENER_TOUCH_MS) await database.transaction((tx) => touchListener(tx, { ownerId, channel }, now))
  return channel
}
