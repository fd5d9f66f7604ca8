import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { deleteBroadcastReads, deleteBroadcastReadsOf, deleteBroadcastsOf } from '../store/broadcasts.ts'
import { deleteMessages, deleteMessagesOf } from '../store/messages.ts'
import { deleteThreadsOf, markEnded } from '../store/threads.ts'

/** In the transaction that ends connections. */
export async function endThreads(tx: Tx, accountId: UserId, connections: readonly ConnectionId[]): Promise<void> {
  await deleteBroadcastReads(tx, accountId, connections)
  for (const connectionId of connections) {
    await deleteMessages(tx, { accountId, connectionId })
    await markEnded(tx, { accountId, connectionId })
  }
}

/** In the transaction that deletes the account. */
export async function forgetMessages(tx: Tx, { id: accountId }: { readonly id: UserId }): Promise<void> {
  await deleteMessagesOf(tx, accountId)
  await deleteBroadcastReadsOf(tx, accountId)
  await deleteThreadsOf(tx, accountId)
}

/** The service has ended. */
export async function forgetMessageBroadcasts(tx: Tx, serviceId: ServiceId): Promise<void> {
  await deleteBroadcastsOf(tx, serviceId)
}
