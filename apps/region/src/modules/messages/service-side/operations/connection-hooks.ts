import type { Tx } from '@sealpost/postgres'
import type { EndedConnection } from '../../../connections/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { deleteSomeBroadcasts } from '../store/broadcasts.ts'
import { deleteMessages, deleteSomeMessages } from '../store/messages.ts'
import { deleteSuspensions } from '../store/suspensions.ts'
import { deleteSomeThreads, deleteThread, markEnded } from '../store/threads.ts'

/** In the transaction that ends a connection: its messages go, as its values do. */
export async function endThread(tx: Tx, { connection, isErased }: EndedConnection): Promise<void> {
  const thread = { serviceId: connection.serviceId, connectionId: connection.id }
  await deleteMessages(tx, thread)
  if (isErased) await deleteThread(tx, thread)
  else await markEnded(tx, thread)
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
