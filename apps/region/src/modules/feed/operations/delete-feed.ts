import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../platform/module.ts'
import { accountIdOf, type FeedOwner, ownerIdOf } from '../model.ts'
import { deleteQuarantinedOf } from '../quarantine/store/quarantined-events.ts'
import { deleteSubscriptionsOf } from '../queues/store/subscriptions.ts'
import { deleteChannels } from '../store/channels.ts'
import { closeHead } from '../store/heads.ts'
import { deletePagesOf } from '../store/pages.ts'

/** Later reads find no feed, and later appends are discarded. The events themselves are swept with their day. */
export async function deleteFeed({ clock }: Pick<Platform, 'clock'>, tx: Tx, owner: FeedOwner): Promise<void> {
  const ownerId = ownerIdOf(owner)
  await closeHead(tx, { ownerId, accountId: accountIdOf(owner), kind: owner.kind }, clock.now())
  // Channels before pages, as readers lock them; the other order could deadlock with a reader that ends now.
  await deleteChannels(tx, ownerId)
  await deletePagesOf(tx, ownerId)
  await deleteSubscriptionsOf(tx, ownerId)
  await deleteQuarantinedOf(tx, ownerId)
}
