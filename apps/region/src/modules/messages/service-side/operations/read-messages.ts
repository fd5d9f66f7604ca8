import { parseUuid } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type MessagesRead, refuse } from '@sealpost/protocol'
import { lockConnection } from '../../../connections/index.ts'
import type { GivenBoundary, MessageId, Receipt } from '../../model.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ThreadName } from '../model.ts'
import { findReceivedSeq, markRead } from '../store/messages.ts'
import { addToThread, readThread } from '../store/threads.ts'
import { type CustomerAddress, lockOwn } from './hear-message.ts'

/** Acknowledges the customer's messages up to the boundary; the customer is told only if one of them was unread. */
export async function readMessages(
  { database, clock, messages }: ServiceSideContext,
  thread: ThreadName,
  { message_id: named, up_to_message_id: other }: GivenBoundary,
): Promise<MessagesRead> {
  const id = parseUuid<MessageId>(named ?? other ?? '')
  if (id === null) throw refuse('company_data.ack_boundary_invalid')
  return database.transaction(async (tx) => {
    const connection = await lockConnection(tx, thread.serviceId, thread.connectionId)
    if (connection === null) throw refuse('messages.not_connected')
    const upToSeq = await findReceivedSeq(tx, thread, id)
    if (upToSeq === null) throw refuse('company_data.ack_boundary_invalid')
    const readAt = clock.now()
    const marked = await markRead(tx, thread, 'person', { upToSeq, readAt })
    if (marked > 0) {
      await addToThread(tx, thread, { messages: 0, unread: -marked })
      await messages.tellRead(tx, connection, { upToSeq, readAt })
    }
    const { unread } = await readThread(tx, thread)
    return { acknowledged_up_to: id, unread_count: unread }
  })
}

/** The customer has read the service's messages. */
export async function hearRead(tx: Tx, from: CustomerAddress, receipt: Receipt): Promise<void> {
  if ((await lockOwn(tx, from)) !== null) await markRead(tx, from, 'company', receipt)
}
