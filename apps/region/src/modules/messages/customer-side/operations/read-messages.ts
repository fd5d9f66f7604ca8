import { parseUuid } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type MessagesRead, refuse } from '@sealpost/protocol'
import { lockTold } from '../../../connections/index.ts'
import type { GivenBoundary, MessageId, Receipt } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import { findReceivedSeq, markRead } from '../store/messages.ts'
import { addToThread, readThread } from '../store/threads.ts'
import type { ToldThread } from './hear-message.ts'
import type { OwnConnection } from './locate-thread.ts'
import { lockOpen } from './send-message.ts'

/** Acknowledges the service's messages up to the boundary; the service is told only if one of them was unread. */
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
    const upToSeq = await findReceivedSeq(tx, thread, id)
    if (upToSeq === null) throw refuse('company_data.ack_boundary_invalid')
    const receipt = { upToSeq, readAt: clock.now() }
    const marked = await markRead(tx, thread, 'company', receipt)
    if (marked > 0) {
      await addToThread(tx, thread, { messages: 0, unread: -marked })
      await messages.tellRead(tx, connection, receipt)
    }
    const { unread } = await readThread(tx, thread)
    if (marked > 0 && connection.userType === 'person') {
      await hooks.hint(tx, { accountId: connection.accountId, kind: 'messages_read', id: connection.id })
    }
    return { acknowledged_up_to: id, unread_count: unread }
  })
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
