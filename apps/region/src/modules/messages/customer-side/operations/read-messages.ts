import { parseUuid } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type MessagesRead, refuse } from '@sealpost/protocol'
import { lockTold } from '../../../connections/index.ts'
import type { GivenBoundary, MessageId, Receipt } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import { countUnreadBroadcasts, hasBroadcast, putBroadcastRead } from '../store/broadcasts.ts'
import { findReceivedSeq, findSeqBefore, markRead } from '../store/messages.ts'
import { addToThread, readThread } from '../store/threads.ts'
import type { ToldThread } from './hear-message.ts'
import type { OwnConnection } from './locate-thread.ts'
import { lockOpen } from './send-message.ts'

/**
 * Acknowledges messages and broadcasts of the service up to the boundary, which is one of them. The service is told only if
 * a message was unread, never of a broadcast.
 */
export async function readMessages(
  { database, clock, messages, hooks }: CustomerContext,
  connection: OwnConnection,
  { message_id: named, up_to_message_id: other }: GivenBoundary,
): Promise<MessagesRead> {
  const id = parseUuid<MessageId>(named ?? other ?? '')
  if (id === null) throw refuse('company_data.ack_boundary_invalid')
  const thread = { accountId: connection.accountId, connectionId: connection.id }
  return database.transaction(async (tx) => {
    await lockOpen(tx, connection)
    const boundary = await findBoundary(tx, connection, id)
    const readAt = clock.now()
    const marked =
      boundary.upToSeq === null ? 0 : await markRead(tx, thread, 'company', { upToSeq: boundary.upToSeq, readAt })
    if (boundary.upToSeq !== null && marked > 0) {
      await addToThread(tx, thread, { messages: 0, unread: -marked })
      await messages.tellRead(tx, connection, { upToSeq: boundary.upToSeq, readAt })
    }
    const broadcasts = await countUnreadBroadcasts(tx, connection, id)
    if (broadcasts > 0) await putBroadcastRead(tx, connection, id, readAt)
    const { unread } = await readThread(tx, thread)
    const unreadCount = unread + (await countUnreadBroadcasts(tx, connection, null))
    if (marked + broadcasts > 0 && connection.userType === 'person') {
      await hooks.hint(tx, { accountId: connection.accountId, kind: 'messages_read', id: connection.id })
    }
    return { acknowledged_up_to: id, unread_count: unreadCount }
  })
}

/** `upToSeq` null: a broadcast before any message. The ids of both are in the order in which the service sent them. */
async function findBoundary(
  tx: Tx,
  connection: OwnConnection,
  id: MessageId,
): Promise<{ readonly upToSeq: number | null }> {
  const thread = { accountId: connection.accountId, connectionId: connection.id }
  const upToSeq = await findReceivedSeq(tx, thread, id)
  if (upToSeq !== null) return { upToSeq }
  if (!(await hasBroadcast(tx, connection, id))) throw refuse('company_data.ack_boundary_invalid')
  return { upToSeq: await findSeqBefore(tx, thread, id) }
}

/** The service has read the customer's messages. */
export async function hearRead({ hooks }: CustomerContext, tx: Tx, told: ToldThread, receipt: Receipt): Promise<void> {
  const known = await lockTold(tx, told)
  if (known === null) return
  const marked = await markRead(tx, told, 'person', receipt)
  if (marked > 0 && known.connection.userType === 'person') {
    await hooks.hint(tx, { accountId: told.accountId, kind: 'messages_read', id: told.connectionId })
  }
}
