import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { EndedOwnConnection } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import { deleteBroadcastReadsOf, markBroadcastsEnded } from '../store/broadcasts.ts'
import { deleteMessagesOf } from '../store/messages.ts'
import { deleteThreadsOf, markEnded } from '../store/threads.ts'

/** In the transaction that ends connections: their threads are closed, and the customer keeps the own copies. */
export async function endThreads(
  { clock }: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  accountId: UserId,
  connections: readonly EndedOwnConnection[],
): Promise<void> {
  for (const { id: connectionId, serviceId, companyRegion, connectedAt } of connections)
    await markEnded(tx, { accountId, connectionId, serviceId, companyRegion, connectedAt }, clock.now())
}

/** In the transaction that deletes the account. */
export async function forgetMessages(tx: Tx, { id: accountId }: { readonly id: UserId }): Promise<void> {
  await deleteMessagesOf(tx, accountId)
  await deleteBroadcastReadsOf(tx, accountId)
  await deleteThreadsOf(tx, accountId)
}

/** The service has ended: its broadcasts go with the threads of its customers. */
export async function endMessageBroadcasts(
  { clock }: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  serviceId: ServiceId,
): Promise<void> {
  await markBroadcastsEnded(tx, serviceId, clock.now())
}
