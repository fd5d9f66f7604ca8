import type { Clock } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { accountIdOf, type FeedOwner, ownerIdOf } from './owner.ts'
import { deleteChannels } from './store/channels.ts'
import { closeHead } from './store/heads.ts'
import { deletePagesOf } from './store/pages.ts'
import { deleteSubscriptionsOf } from './store/subscriptions.ts'

/** The owner is gone: nothing can be read any more, and what is appended later is discarded. The events go with their days. */
export async function dropFeed(tx: Tx, { clock }: { readonly clock: Clock }, owner: FeedOwner): Promise<void> {
  const ownerId = ownerIdOf(owner)
  await closeHead(tx, { ownerId, accountId: accountIdOf(owner), kind: owner.kind }, clock.now())
  // In the order in which readers lock them, or a reader that ends now and this would wait for each other.
  await deleteChannels(tx, ownerId)
  await deletePagesOf(tx, ownerId)
  await deleteSubscriptionsOf(tx, ownerId)
}
