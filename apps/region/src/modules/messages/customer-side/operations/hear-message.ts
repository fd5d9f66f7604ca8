import type { Tx } from '@sealpost/postgres'
import { collapseKey, customerEvents } from '@sealpost/protocol'
import { announce, type CardedConnection, lockTold } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import type { MessageId, StoredMessage } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import type { ReceivedBroadcast, ServiceAddress, ThreadName } from '../model.ts'
import { putBroadcast } from '../store/broadcasts.ts'
import { insertMessage } from '../store/messages.ts'
import { addToThread } from '../store/threads.ts'

export interface ToldThread extends ThreadName {
  readonly service: ServiceAddress
}

/** Stores a message of the service, once. One for an ended connection is not wanted any more. */
export async function hearMessage(
  context: CustomerContext,
  tx: Tx,
  told: ToldThread,
  message: StoredMessage,
): Promise<void> {
  const known = await lockTold(tx, told)
  if (known === null || !(await insertMessage(tx, told, message))) return
  await addToThread(tx, told, { messages: 1, unread: 1 })
  await appendEvent(context, tx, known, message.id)
}

/** One row for all customers here; a job tells them of it. */
export async function hearBroadcast(
  context: Pick<CustomerContext, 'jobs'>,
  tx: Tx,
  broadcast: ReceivedBroadcast,
): Promise<void> {
  const { serviceId, companyRegion, id, createdAt: at } = broadcast
  if (await putBroadcast(tx, broadcast))
    await announce(context, tx, { serviceId, companyRegion, kind: 'message', id, at })
}

/** Companies have a feed; the devices of a person read the thread again. */
async function appendEvent(
  context: CustomerContext,
  tx: Tx,
  { connection, card }: CardedConnection,
  id: MessageId,
): Promise<void> {
  const { accountId } = connection
  if (connection.userType === 'person') {
    await context.hooks.hint(tx, { accountId, kind: 'message_received', id: connection.id })
    return
  }
  await appendEvents(context, tx, [
    {
      owner: { kind: 'account', accountId },
      kind: 'message_received',
      connectionId: connection.id,
      payload: {
        company_share_code: card.facts.company.share_code,
        service_share_code: card.facts.code,
        message_id: id,
      },
      key: collapseKey(customerEvents.message_received.collapse, { message_id: id }),
    },
  ])
}
