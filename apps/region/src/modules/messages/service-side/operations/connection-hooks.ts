import type { Tx } from '@sealpost/postgres'
import type { EndedConnection } from '../../../connections/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { deleteSomeBroadcasts } from '../store/broadcasts.ts'
import { deleteSomeMessages } from '../store/messages.ts'
import { deleteSuspensions } from '../store/suspensions.ts'
import { deleteSomeThreads, markEnded } from '../store/threads.ts'

/**
 * In the transaction that ends a connection: its thread is closed, and the service keeps its sealed copies, also of an erased
 * customer.
 */
export async function endThread(
  { clock }: Pick<ServiceSideContext, 'clock'>,
  tx: Tx,
  { connection }: EndedConnection,
): Promise<void> {
  const { serviceId, id: connectionId, connectedAt } = connection
  await markEnded(tx, { serviceId, connectionId }, { connectedAt, endedAt: clock.now() })
}

/** One step of the deletion of a service; answers how many rows it deleted. */
export async function deleteMessagesOfService(tx: Tx, { serviceId }: ServiceName, limit: number): Promise<number> {
  let deleted = 0
  for (const deleteSome of [
    () => deleteSomeMessages(tx, serviceId, limit - deleted),
    () => deleteSomeThreads(tx, { serviceId }, limit - deleted),
    () => deleteSomeBroadcasts(tx, serviceId, limit - deleted),
  ]) {
    if (deleted < limit) deleted += await deleteSome()
  }
  if (deleted < limit) await deleteSuspensions(tx, serviceId, ['messages', 'broadcasts'])
  return deleted
}
