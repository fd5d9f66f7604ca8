import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { lockConnection, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import type { StoredMessage } from '../../model.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ThreadName } from '../model.ts'
import { receivedEvent } from '../rules/events.ts'
import { insertMessage } from '../store/messages.ts'
import { addToThread } from '../store/threads.ts'

export interface CustomerAddress extends ThreadName {
  readonly customerId: UserId
  readonly region: string
}

/** Stores a message of the customer, once. One for an ended connection is dropped: the customer hears of the end. */
export async function hearMessage(
  context: ServiceSideContext,
  tx: Tx,
  from: CustomerAddress,
  message: StoredMessage,
): Promise<void> {
  const connection = await lockOwn(tx, from)
  if (connection === null || !(await insertMessage(tx, from, message))) return
  await addToThread(tx, from, { messages: 1, unread: 1 })
  await appendEvents(context, tx, [receivedEvent(connection, message)])
}

/** A region may act only for its own customers. */
export async function lockOwn(tx: Tx, from: CustomerAddress): Promise<StoredConnection | null> {
  const connection = await lockConnection(tx, from.serviceId, from.connectionId)
  const isOwn = connection?.customerId === from.customerId && connection.customerRegion === from.region
  return isOwn ? connection : null
}
