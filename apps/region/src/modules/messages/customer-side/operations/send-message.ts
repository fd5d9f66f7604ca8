import type { Tx } from '@sealpost/postgres'
import { refuse, type SentMessage } from '@sealpost/protocol'
import { lockKnown } from '../../../connections/index.ts'
import type { StoredMessage } from '../../model.ts'
import { type BodyRefusal, type GivenMessage, validateMessage } from '../../rules/sealed-body.ts'
import { copyToWire, sentToWire } from '../../wire.ts'
import type { CustomerContext } from '../context.ts'
import { insertMessage } from '../store/messages.ts'
import { addToThread, takeSeq } from '../store/threads.ts'
import type { OwnConnection } from './locate-thread.ts'

export async function sendMessage(
  { database, clock, ids, messages, hooks }: CustomerContext,
  connection: OwnConnection,
  given: GivenMessage,
): Promise<SentMessage> {
  const validated = validateMessage(given)
  if (!validated.ok) throw refusalOf(validated.refusal)
  const { body, senderBody } = validated.value
  const thread = { accountId: connection.accountId, connectionId: connection.id }
  return database.transaction(async (tx) => {
    await lockOpen(tx, connection)
    const now = clock.now()
    const seq = await takeSeq(tx, thread, now)
    const message: StoredMessage = { id: ids.uuid(), sender: 'person', seq, body: senderBody, createdAt: now }
    await insertMessage(tx, thread, message)
    await addToThread(tx, thread, { messages: 1, unread: 0 })
    await messages.tellMessage(tx, connection, copyToWire(message, body))
    if (connection.userType === 'person') {
      await hooks.hint(tx, { accountId: connection.accountId, kind: 'message_sent', id: connection.id })
    }
    const sent = sentToWire(message)
    await tx.storeAnswer(sent)
    return sent
  })
}

/** The lock keeps the end of the connection away, which closes its thread. */
export async function lockOpen(tx: Tx, name: Pick<OwnConnection, 'accountId' | 'id'>): Promise<void> {
  if ((await lockKnown(tx, name)) === null) throw refuse('messages.not_connected')
}

function refusalOf(refusal: BodyRefusal): Error {
  if (refusal.key !== 'request.invalid') return refuse(refusal.key)
  return refuse('request.invalid', { details: [refusal.problem] })
}
